import '../../../i18n/later-words.ts';
import {
  type Amount,
  decimalsOf,
  formatAmountFixed,
  type LeverageTier,
  liquidationEstimate,
  parseAmount,
  ZERO,
} from '@crossbook/domain';
import { positionScene } from '../../../calculators/contracts/contract-scene.ts';
import { percentOf, signedDecimal } from '../../../calculators/contracts/position-stats.ts';
import { moneyText } from '../../../calculators/signed-text.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { useText } from '../../../i18n/i18n.ts';
import { contractOffer } from '../../../stores/market/market.ts';
import type { PositionView } from './use-positions.ts';

/** Maintenance of what stands behind an isolated position, as a share: 100 % is liquidation. */
function ratioText({ row, stats }: PositionView, margin: Amount): string {
  const behind = (margin + stats.pnl) as Amount;
  if (behind <= ZERO) return '–';
  return `${Math.min(100, percentOf(signedDecimal(row.maintenanceMargin), behind)).toFixed(2)}%`;
}

/** What another margin behind an isolated position makes of it, beside what is: before → after. */
export function MarginMoved({
  view,
  after,
  tiers,
}: {
  readonly view: PositionView;
  readonly after: Amount;
  readonly tiers: readonly LeverageTier[];
}) {
  const { row, instrument, stats } = view;
  const text = useText();
  const held = signedDecimal(row.isolatedMargin);
  const digits = decimalsOf(instrument.tickSize);
  const shown = (price: Amount | undefined) =>
    price === undefined ? '–' : groupThousands(formatAmountFixed(price, digits));
  const { margin: terms } = contractOffer(instrument.platform);
  const scene = positionScene(row, { instrument, terms, mark: stats.mark, tiers });
  const moved = liquidationEstimate(row.effect, scene, { added: (after - held) as Amount });
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-y-1 text-xs text-faint">
      <dt>{text('trade.position.margin')}</dt>
      <dd className="num text-text">
        {moneyText(held)} → ≈ {moneyText(after)}
      </dd>
      <dt>{text('trade.position.liquidation')}</dt>
      <dd className="num text-text">
        {shown(row.liquidationPrice === null ? undefined : parseAmount(row.liquidationPrice))} → ≈{' '}
        {shown(moved)}
      </dd>
      <dt>{text('trade.position.ratio')}</dt>
      <dd className="num text-text">
        {ratioText(view, held)} → ≈ {ratioText(view, after)}
      </dd>
    </dl>
  );
}
