import '../../../i18n/later-words.ts';
import type { CountdownRow } from '@crossbook/contract';
import { platformFacts, type SymbolType } from '@crossbook/domain';
import { useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../../i18n/i18n.ts';
import { bootConfig } from '../../../stores/app/boot.ts';
import { countdownsStore, keepCountdowns, setCountdown } from '../../../stores/trading/countdowns.ts';
import { Select } from '../../../ui/Select.tsx';

const STATES = {
  idle: 'trade.countdown.idle',
  counting: 'trade.countdown.counting',
  waiting: 'trade.countdown.waiting',
} as const;

/** One exchange: after how long, and whether it counts. */
function Choice({ row }: { readonly row: CountdownRow }) {
  const text = useText();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const { exchange, seconds, offered, pairs, state } = row;
  const venue = platformFacts(exchange).name;
  const choose = async (next: number): Promise<void> => {
    setBusy(true);
    setRefused(await setCountdown(exchange, next));
    setBusy(false);
  };
  // One that was set when the exchange took others is shown all the same.
  const choices = [...new Set([0, ...offered, seconds])].toSorted((left, right) => left - right);
  return (
    <div className="flex flex-col gap-1">
      <Select
        label={venue}
        value={String(seconds)}
        options={choices.map((each) => ({
          value: String(each),
          label:
            each === 0 ? text('trade.countdown.off') : text('trade.countdown.seconds', { seconds: each }),
        }))}
        onChange={(next) => void choose(Number(next))}
        disabled={busy}
        className="max-lg:[&_select]:h-12"
      />
      <p role="status" className="text-xs text-faint">
        {refused !== undefined && <span className="text-danger">{refused} </span>}
        {state !== 'off' && `${text(STATES[state], { venue })} `}
        {!pairs && text('trade.countdown.contractsOnly', { venue })}
      </p>
    </div>
  );
}

/** Where the member lets exchanges cancel what rests once the hub is not heard of. */
export function CountdownSettings() {
  const text = useText();
  const titleId = useId();
  const { rows, failed } = useStore(countdownsStore);
  useEffect(keepCountdowns, []);
  const product = bootConfig().productName;
  return (
    <fieldset aria-labelledby={titleId} className="flex flex-col gap-2 border-t border-line pt-3">
      <p id={titleId} className="text-[13px] text-soft">
        {text('trade.countdown.title', { product })}
      </p>
      <p className="text-xs text-faint">{text('trade.countdown.about', { product })}</p>
      {rows?.map((row) => (
        <Choice key={row.exchange} row={row} />
      ))}
      {rows === undefined && failed && (
        <p className="text-xs text-warning">{text('trade.countdown.unread')}</p>
      )}
    </fieldset>
  );
}

/** Says above open orders which exchanges would cancel them once the hub is away. @param only one market's, where one is shown. */
export function CountdownLine({
  only,
}: {
  readonly only: { readonly platform: number; readonly symbolType: SymbolType } | undefined;
}) {
  const text = useText();
  const { rows } = useStore(countdownsStore);
  useEffect(keepCountdowns, []);
  const product = bootConfig().productName;
  const on = (rows ?? []).filter(({ seconds, exchange, pairs, contracts }) => {
    if (seconds === 0) return false;
    if (only === undefined) return true;
    return exchange === only.platform && (only.symbolType === 'SPOT' ? pairs : contracts);
  });
  return (
    <p role="status" className="shrink-0 border-b border-line px-3 py-1 text-xs text-soft empty:hidden">
      {on
        .map(({ exchange, seconds, state }) =>
          text(state === 'waiting' ? 'trade.countdown.lineWaiting' : 'trade.countdown.line', {
            ...{ venue: platformFacts(exchange).name, product, seconds },
          }),
        )
        .join(' ')}
    </p>
  );
}
