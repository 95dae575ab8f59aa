import { type Platform, platformFacts } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { useText } from '../../i18n/i18n.ts';
import { notify } from '../../stores/app/notices.ts';
import { CopyText } from '../../ui/CopyText.tsx';

/** Every row that names an instrument opens it. */
export function SymbolCell(props: { readonly exchange: Platform; readonly symbol: string }) {
  return (
    <Link
      to="/spot/$exchange/$symbol"
      params={{ exchange: platformFacts(props.exchange).slug, symbol: props.symbol }}
      className="font-medium hover:text-link"
    >
      {props.symbol}
    </Link>
  );
}

/** Buy or sell, by word and colour. */
export function SideCell({ side }: { readonly side: 1 | 2 }) {
  const t = useText();
  return (
    <span className={side === 1 ? 'text-up' : 'text-down'}>{t(side === 1 ? 'side.buy' : 'side.sell')}</span>
  );
}

const ID_CHARACTERS_SHOWN = 8;

/** An id, shortened from the front where the difference is, copied whole. */
export function IdCell({ id }: { readonly id: string }) {
  const t = useText();
  const shown = id.length > ID_CHARACTERS_SHOWN ? `…${id.slice(-ID_CHARACTERS_SHOWN)}` : id;
  return (
    <CopyText
      value={id}
      shown={shown}
      label={t('common.copy')}
      onCopied={(copied) =>
        notify(copied ? 'success' : 'error', { id: copied ? 'common.copied' : 'common.copyFailed' })
      }
    />
  );
}
