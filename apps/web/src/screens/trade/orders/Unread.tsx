import { type Platform, platformFacts } from '@crossbook/domain';
import { useText } from '../../../i18n/i18n.ts';
import { Button } from '../../../ui/Button.tsx';

/** Says above a table whose rows are missing from it, and asks for them again. */
export function Unread(props: {
  /** The sentence that names them. */
  readonly missing: 'trade.orders.unread' | 'trade.position.unread';
  readonly platforms: readonly Platform[];
  readonly onRetry: (platform: Platform) => void;
}) {
  const { missing, platforms, onRetry } = props;
  const text = useText();
  if (platforms.length === 0) return null;
  const venues = platforms.map((platform) => platformFacts(platform).name).join(', ');
  return (
    <p
      role="status"
      className="flex shrink-0 items-center gap-3 border-b border-line px-3 py-1 text-xs text-warning"
    >
      {text(missing, { venues })}
      <Button size="small" onClick={() => platforms.forEach(onRetry)} className="h-6 max-lg:h-11">
        {text('common.retry')}
      </Button>
    </p>
  );
}
