import '../../../i18n/later-words.ts';
import { formatAmount, SIDE } from '@crossbook/domain';
import { useState } from 'react';
import { useText } from '../../../i18n/i18n.ts';
import { notify } from '../../../stores/app/notices.ts';
import { closePosition } from '../../../stores/trading/contracts/contract-calls.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Answer, type Said, saidOf, saidOfRow } from '../entry/Answer.tsx';
import { Doubt } from '../entry/Doubt.tsx';
import { useSending } from '../entry/use-sending.ts';
import { CloseFields, CloseStats, InTheWay } from './close-fields.tsx';
import { PositionHead } from './position-columns.tsx';
import { type CloseType, coinsText, useClose } from './use-close.ts';
import type { PositionView } from './use-positions.ts';

/** Closes a position, or a part of it, at market or at a limit. */
export function CloseDialog(props: {
  readonly view: PositionView;
  readonly type: CloseType;
  readonly onClose: () => void;
}) {
  const { view, onClose } = props;
  const { row, stats } = view;
  const text = useText();
  const [type, setType] = useState(props.type);
  const close = useClose(view, type);
  const sending = useSending();
  const send = async (): Promise<Said | undefined> => {
    const { whole, part, at, timeInForce } = close;
    const result = await closePosition(row, {
      ...(whole || part === undefined ? {} : { quantity: formatAmount(part) }),
      ...(type === 'limit' && at !== undefined ? { price: formatAmount(at), timeInForce } : {}),
    });
    if (!result.ok) return saidOf(result, text('trade.position.noAnswer'));
    if (result.data.outcome !== 'sent') return saidOfRow(result.data, text('trade.position.noAnswer'));
    notify('success', { id: 'contract.closeSent', values: { symbol: row.symbol } });
    onClose();
    return undefined;
  };
  const submit = (): void => {
    if (close.ready) void sending.send(send);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={text('trade.position.close.title', { symbol: row.symbol })}
      closeLabel={text('common.close')}
      actions={
        <>
          <Button onClick={onClose} className="max-lg:h-11">
            {text('common.cancel')}
          </Button>
          <Button
            tone={stats.side === SIDE.BUY ? 'down' : 'up'}
            busy={sending.busy}
            disabled={!close.ready}
            onClick={submit}
            className="max-lg:h-11"
          >
            {text(close.whole ? 'trade.position.close.all' : 'trade.position.close.part', {
              size: close.coins === undefined ? '' : coinsText(close.coins, view),
            })}
          </Button>
        </>
      }
    >
      <div className="text-xs">
        <PositionHead view={view} text={text} />
      </div>
      <CloseFields {...{ view, type, close }} onType={setType} onEnter={submit} />
      <CloseStats {...{ view, close }} />
      <Doubt instrument={view.instrument} old={view.markAgeMillis > 0} />
      <InTheWay view={view} />
      <Answer said={sending.said} />
    </Dialog>
  );
}
