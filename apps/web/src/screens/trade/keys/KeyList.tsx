import '../../../i18n/later-words.ts';
import type { SymbolType } from '@crossbook/domain';
import { type KeyboardEvent, useState } from 'react';
import { useStore } from 'zustand';
import { boundKeys, type Rebound, rebind } from '../../../calculators/key-bindings.ts';
import {
  type Key,
  type KeyId,
  keySheet,
  keyShown,
  type SheetRow,
  textOfKey,
} from '../../../calculators/keys.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../../stores/app/settings.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';

const KEY = 'rounded-sm border border-line-strong bg-raised px-1.5 font-sans';

/** Which key is to be pressed anew, and why the last one was not taken. */
interface Asking {
  readonly id: KeyId;
  readonly why?: string;
}

function whyNot(text: Text, rebound: Exclude<Rebound, { readonly kept: string }>): string {
  if ('holder' in rebound) {
    const { holder } = rebound;
    return text('trade.keys.taken', {
      key: keyShown(holder),
      does: text(`trade.keys.${textOfKey(holder.id)}`),
    });
  }
  return text(`trade.keys.refused.${rebound.refused}`);
}

/** A key that another one can be given in place of: press it, then the new one; Esc leaves it as it is. */
function KeyButton(props: {
  readonly of: Key;
  readonly asking: Asking | undefined;
  readonly onAsk: (asking: Asking | undefined) => void;
}) {
  const { of, asking, onAsk } = props;
  const text = useText();
  const asked = asking?.id === of.id;
  /** What is asked after a key. */
  const afterKey = (event: KeyboardEvent): Asking | undefined => {
    if (event.key === 'Escape') return undefined;
    const { keyBindings } = tradeSettingsStore.getState();
    const rebound = rebind(keyBindings, of.id, event.nativeEvent);
    if (rebound === undefined) return asking;
    if (!('kept' in rebound)) return { id: of.id, why: whyNot(text, rebound) };
    changeTradeSettings({ keyBindings: rebound.kept });
    return undefined;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!asked) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) onAsk(afterKey(event));
  };
  const shown = keyShown(of);
  return (
    <button
      type="button"
      aria-label={text('trade.keys.change', { key: shown })}
      title={text('trade.keys.change', { key: shown })}
      onClick={() => onAsk({ id: of.id })}
      onBlur={() => asked && onAsk(undefined)}
      onKeyDown={onKeyDown}
      className={`${KEY} hover:bg-hover ${asked ? 'border-accent text-link' : ''}`}
    >
      {asked ? text('trade.keys.press') : shown}
    </button>
  );
}

function Row(props: {
  readonly row: SheetRow;
  readonly asking: Asking | undefined;
  readonly onAsk: (asking: Asking | undefined) => void;
}) {
  const { row, asking, onAsk } = props;
  const text = useText();
  const label = text(`trade.keys.${row.text}`);
  const why = row.keys.some(({ id }) => id === asking?.id) ? asking?.why : undefined;
  return (
    <div className="flex flex-wrap justify-between gap-x-4 border-b border-line py-0.5">
      <dt>{row.trades === 'hold' ? text('trade.keys.hold', { what: label }) : label}</dt>
      <dd className="flex shrink-0 items-start gap-1">
        {row.keys.map((of) => (
          <KeyButton key={of.id} {...{ of, asking, onAsk }} />
        ))}
      </dd>
      {why !== undefined && (
        <dd role="status" className="basis-full text-warning">
          {why}
        </dd>
      )}
    </div>
  );
}

/** Keys that are the same everywhere. */
function FixedRows() {
  const text = useText();
  const rows = [
    { keys: ['Enter'], label: text('trade.keys.send') },
    { keys: ['↑', '↓'], label: text('trade.keys.step') },
    { keys: ['Esc'], label: text('trade.keys.leave') },
    { keys: ['↑', '↓', 'Enter', 'E', 'Delete'], label: text('trade.keys.rows') },
  ];
  return rows.map(({ keys, label }) => (
    <div key={label} className="flex justify-between gap-4 border-b border-line py-0.5">
      <dt>{label}</dt>
      <dd className="flex shrink-0 items-start gap-1">
        {keys.map((shown) => (
          <kbd key={shown} className={KEY}>
            {shown}
          </kbd>
        ))}
      </dd>
    </div>
  ));
}

/** Which key does what, other keys for it, and the switch of trading keys. */
export function KeyList({ symbolType }: { readonly symbolType: SymbolType }) {
  const text = useText();
  const { tradingKeys, keyBindings } = useStore(tradeSettingsStore);
  const [asking, setAsking] = useState<Asking>();
  const rows = keySheet(symbolType === 'SWAP', boundKeys(keyBindings));
  const list = (shown: readonly SheetRow[]) =>
    shown.map((row) => <Row key={row.text} {...{ row, asking }} onAsk={setAsking} />);
  return (
    <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
      <dl className="text-xs leading-5">{list(rows.filter(({ trades }) => trades === undefined))}</dl>
      <div className="flex flex-col gap-4">
        <dl className="text-xs leading-5">
          <FixedRows />
        </dl>
        <Checkbox
          label={text('trade.keys.trading')}
          checked={tradingKeys}
          onChange={(event) => changeTradeSettings({ tradingKeys: event.target.checked })}
        />
        <dl className={`text-xs leading-5 ${tradingKeys ? '' : 'text-faint'}`}>
          {list(rows.filter(({ trades }) => trades !== undefined))}
        </dl>
        {keyBindings !== '' && (
          <Button
            size="small"
            onClick={() => changeTradeSettings({ keyBindings: '' })}
            className="self-start"
          >
            {text('trade.keys.reset')}
          </Button>
        )}
      </div>
    </div>
  );
}
