import '../../../i18n/later-words.ts';
import { type Amount, decimalsOf, formatAmountFixed, SIDE } from '@crossbook/domain';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { reverseEstimate } from '../../../calculators/contracts/reverse-estimate.ts';
import { costText, signedText } from '../../../calculators/signed-text.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { useText } from '../../../i18n/i18n.ts';
import { notify } from '../../../stores/app/notices.ts';
import { contractOffer } from '../../../stores/market/market.ts';
import {
  contractSettingsStore,
  loadTiers,
  settingKey,
} from '../../../stores/trading/contracts/contract-settings.ts';
import { positionsStore } from '../../../stores/trading/contracts/positions.ts';
import { reversePosition } from '../../../stores/trading/contracts/reverse-position.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { HoldButton } from '../../../ui/entry/HoldButton.tsx';
import { Answer, type Said } from '../entry/Answer.tsx';
import { Doubt } from '../entry/Doubt.tsx';
import { useSending } from '../entry/use-sending.ts';
import { tiersOf } from '../tiers.ts';
import { DASH, PositionHead } from './position-columns.tsx';
import { useProtecting } from './TargetsDialog.tsx';
import { useDepth } from './use-depth.ts';
import type { PositionView } from './use-positions.ts';

/** By the book of the position's own market, the pool and the leverage table. */
function useReverseEstimate({ row, instrument, stats }: PositionView) {
  const { platform, symbol, makerFee, takerFee } = instrument;
  const { walk } = useDepth(instrument);
  const open = useStore(positionsStore, (state) => state.open);
  const margin = useStore(positionsStore, (state) => state.margin[platform]);
  const tierRows = useStore(contractSettingsStore, ({ tiers }) => tiers[settingKey(platform, symbol)]);
  useEffect(() => void loadTiers(instrument), [instrument]);
  return reverseEstimate(row, stats, {
    facts: {
      ...{ instrument, makerFee, takerFee, margin, orders: [], tiers: tiersOf(tierRows) },
      ...{ terms: contractOffer(platform).margin, bestBid: undefined, bestAsk: undefined },
      positions: [...open.values()].filter(({ exchange }) => exchange === platform),
    },
    walk: (coins) => walk(stats.side === SIDE.BUY ? SIDE.SELL : SIDE.BUY, coins),
  });
}

/** Turns a position around at market, in one sentence that says what is closed and what is opened. */
export function ReverseDialog({
  view,
  onClose,
}: {
  readonly view: PositionView;
  readonly onClose: () => void;
}) {
  const { row, instrument, stats } = view;
  const text = useText();
  const sending = useSending();
  const long = stats.side === SIDE.BUY;
  const shown = (coins: bigint) =>
    `${groupThousands(formatAmountFixed(coins as Amount, decimalsOf(baseStep(instrument))))} ${instrument.base}`;
  const priced = (price: Amount) => groupThousands(formatAmountFixed(price, decimalsOf(instrument.tickSize)));
  const estimate = useReverseEstimate(view);
  const protects = useProtecting(view);
  const reverse = async (): Promise<Said | undefined> => {
    const outcome = await reversePosition(row, text('trade.position.noAnswer'));
    if (!outcome.done) {
      const { message: reason, venueCode: code } = outcome;
      return {
        code,
        message: 'closed' in outcome ? text('trade.position.reverse.half', { reason }) : reason,
      };
    }
    notify('success', { id: 'contract.reversed', values: { symbol: row.symbol } });
    onClose();
    return undefined;
  };
  return (
    <Dialog
      open
      kind="alert"
      onClose={onClose}
      title={text('trade.position.reverse.title', { symbol: row.symbol })}
      description={text(long ? 'trade.position.reverse.sells' : 'trade.position.reverse.buys', {
        both: shown(stats.size * 2n),
        size: shown(stats.size),
      })}
      closeLabel={text('common.close')}
      actions={
        <>
          <Button onClick={onClose} className="max-lg:h-11">
            {text('common.cancel')}
          </Button>
          <HoldButton
            tone={long ? 'down' : 'up'}
            hint={text('trade.position.hold')}
            busy={sending.busy}
            onHeld={() => void sending.send(reverse)}
          >
            {text('trade.position.reverse')}
          </HoldButton>
        </>
      }
    >
      <div className="text-xs">
        <PositionHead view={view} text={text} />
      </div>
      <dl className="grid grid-cols-[1fr_auto] gap-y-1 text-xs text-faint">
        <dt>{text('trade.contract.average')}</dt>
        <dd className="num text-text">≈ {priced(estimate.price)}</dd>
        <dt>{text('trade.position.ifClosed')}</dt>
        <dd className={`num ${estimate.profit < 0n ? 'text-down' : 'text-up'}`}>
          ≈ {signedText(estimate.profit, 2)} {instrument.quote}
        </dd>
        <dt>{text('trade.contract.cost')}</dt>
        <dd className="num text-text">
          ≈ {costText(estimate.cost)} {instrument.quote}
        </dd>
        <dt>{text('trade.contract.liquidation')}</dt>
        <dd className="num text-text">
          {!estimate.liquidationKnown
            ? DASH
            : estimate.liquidation === undefined
              ? text('trade.contract.noLiquidation')
              : `≈ ${priced(estimate.liquidation)}`}
        </dd>
      </dl>
      {protects.length > 0 && (
        <p className="text-xs text-warning">
          {text('trade.position.reverse.targets', { count: protects.length })}
        </p>
      )}
      <p className="text-xs text-faint">{text('trade.position.hold')}</p>
      <Doubt instrument={instrument} old={view.markAgeMillis > 0} />
      <Answer said={sending.said} />
    </Dialog>
  );
}
