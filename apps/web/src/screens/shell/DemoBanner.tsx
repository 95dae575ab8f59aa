import { platformOfType } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { useText } from '../../i18n/i18n.ts';
import '../../i18n/account-words.ts';
import { type DemoPlatform, useDemoFunds } from '../../stores/wallet/demo-funds.ts';
import { buttonClass } from '../../ui/Button.tsx';

function nameOf({ platformType }: DemoPlatform): string {
  return platformOfType(platformType)?.name ?? '';
}

/** Tells a demo member that this is one, how far its test funds are, and how it is kept. */
export function DemoBanner() {
  const t = useText();
  const funds = useDemoFunds();
  const moving = funds.filter(({ state }) => state === 'waiting' || state === 'pending').map(nameOf);
  const failed = funds.filter(({ state }) => state === 'refused').map(nameOf);
  return (
    <aside
      aria-label={t('demo.name')}
      className="flex shrink-0 flex-wrap items-center justify-center gap-x-4 gap-y-1 border-b border-line bg-panel px-3 py-1 text-[13px]"
    >
      <p className="text-soft max-md:hidden">{t('demo.banner')}</p>
      <p className="text-soft md:hidden">{t('demo.name')}</p>
      <p role="status" className={failed.length > 0 ? 'text-warning' : 'text-faint'}>
        {moving.length > 0
          ? t('demo.funding', { venues: moving.join(', ') })
          : failed.length > 0
            ? t('demo.notFunded', { venues: failed.join(', ') })
            : ''}
      </p>
      <Link to="/regist" className={buttonClass('plain', 'small')}>
        {t('demo.keep')}
      </Link>
    </aside>
  );
}
