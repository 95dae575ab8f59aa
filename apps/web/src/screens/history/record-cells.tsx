import type { Platform, SymbolType } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { signedMoneyOf } from '../../calculators/signed-text.ts';
import { sideKey } from '../../calculators/ticket/order-side.ts';
import { useText } from '../../i18n/i18n.ts';
import { sayCopied } from '../../stores/app/say-copied.ts';
import { tradeLink } from '../../stores/market/market.ts';
import { CopyText } from '../../ui/CopyText.tsx';

/** Every row that names an instrument opens it. */
export function SymbolCell(props: {
  readonly exchange: Platform;
  readonly symbol: string;
  readonly symbolType: SymbolType;
}) {
  const { exchange, symbol, symbolType } = props;
  return (
    <Link {...tradeLink({ platform: exchange, symbol, symbolType })} className="font-medium hover:text-link">
      {props.symbol}
    </Link>
  );
}

/** One of the six labels of spec section 4, by word and colour. */
export function SideCell({ side, effect }: { readonly side: 1 | 2; readonly effect: 0 | 1 | 2 }) {
  const t = useText();
  return <span className={side === 1 ? 'text-up' : 'text-down'}>{t(`side.${sideKey(side, effect)}`)}</span>;
}

/** What was gained or lost, with its sign. */
export function GainCell({ value }: { readonly value: string | null }) {
  const tone =
    value === null || /^-?0(?:\.0*)?$/.test(value) ? '' : value.startsWith('-') ? 'text-down' : 'text-up';
  return <span className={tone}>{signedMoneyOf(value)}</span>;
}

const ID_CHARACTERS_SHOWN = 8;

/** An id, shortened from the front where the difference is, copied whole. */
export function IdCell({ id }: { readonly id: string }) {
  const t = useText();
  const shown = id.length > ID_CHARACTERS_SHOWN ? `…${id.slice(-ID_CHARACTERS_SHOWN)}` : id;
  return <CopyText value={id} shown={shown} label={t('common.copy')} onCopied={sayCopied} />;
}
