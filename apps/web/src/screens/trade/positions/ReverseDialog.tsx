import { type Amount, contractOrderCost, decimalsOf, formatAmountFixed, SIDE } from '@crossbook/domain';
import { useState } from 'react';
import { positionScene } from '../../../calculators/contracts/contract-scene.ts';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { closingProfit } from '../../../calculators/contracts/position-stats.ts';
import { moneyText, signedText } from '../../../calculators/signed-text.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { useText } from '../../../i18n/i18n.ts';
import { notify } from '../../../stores/app/notices.ts';
import { contractOffer } from '../../../stores/market/market.ts';
import { reversePosition } from '../../../stores/trading/reverse-position.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { HoldButton } from '../../../ui/HoldButton.tsx';
import { PositionHead } from './position-columns.tsx';
import type { PositionView } from './use-positions.ts';

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
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<string>();
  const long = stats.side === SIDE.BUY;
  const shown = (coins: bigint) =>
    `${groupThousands(formatAmountFixed(coins as Amount, decimalsOf(baseStep(instrument))))} ${instrument.base}`;
  const profit = closingProfit(stats, stats.size, stats.mark, instrument.takerFee);
  const { margin: terms } = contractOffer(instrument.platform);
  const { mark, quantity } = stats;
  const cost = contractOrderCost(
    {
      buys: !long,
      // A leg is closed, and the other one opened.
      ...(row.effect === 0
        ? { side: 0, quantity: (quantity * 2n) as Amount }
        : { side: long ? 2 : 1, quantity }),
      reduceOnly: false,
    },
    positionScene(row, { instrument, terms, mark, tiers: [] }),
  );
  const reverse = async (): Promise<void> => {
    setBusy(true);
    setAnswer(undefined);
    const outcome = await reversePosition(row, text('trade.position.noAnswer'));
    setBusy(false);
    if (outcome.done) {
      notify('success', { id: 'contract.reversed', values: { symbol: row.symbol } });
      onClose();
    } else
      setAnswer(
        'closed' in outcome
          ? text('trade.position.reverse.half', { reason: outcome.message })
          : outcome.message,
      );
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
            busy={busy}
            onHeld={() => void reverse()}
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
        <dt>{text('trade.position.ifClosed')}</dt>
        <dd className={`num ${profit.net < 0n ? 'text-down' : 'text-up'}`}>
          ≈ {signedText(profit.net, 2)} {instrument.quote}
        </dd>
        <dt>{text('trade.contract.cost')}</dt>
        <dd className="num text-text">
          ≈ {moneyText(cost)} {instrument.quote}
        </dd>
      </dl>
      <p className="text-xs text-faint">{text('trade.position.hold')}</p>
      <p role="status" className="text-xs text-danger empty:hidden">
        {answer}
      </p>
    </Dialog>
  );
}
