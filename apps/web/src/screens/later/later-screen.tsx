import { Link, useMatches } from '@tanstack/react-router';
import { useText } from '../../i18n/i18n.ts';
import { FIRST_PAIR, tradeLink } from '../../stores/market/market.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Notice } from './Notice.tsx';

/** A screen of a later version, said plainly. */
export function LaterScreen() {
  const t = useText();
  const titleId = useMatches().at(-1)?.staticData.titleId;
  const name = titleId === undefined ? '' : t(titleId);
  return (
    <Notice heading={`${name}: ${t('later.heading')}`} text={t('later.text', { name })}>
      <Link {...tradeLink(FIRST_PAIR)} className={buttonClass()}>
        {t('later.spot')}
      </Link>
    </Notice>
  );
}
