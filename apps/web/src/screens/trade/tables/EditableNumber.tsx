import type { Amount } from '@crossbook/domain';
import { Pencil } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { readNumberEntry, stepEntry } from '../../../calculators/ticket/number-entry.ts';
import { sayNotDone } from '../../../stores/member/own-service.ts';

/** What a figure that can be changed in its place needs. */
export interface EditableNumberProps {
  /** As it is shown, and as the field begins. */
  readonly shown: string;
  readonly value: string;
  /** For a screen reader: "Edit price BTCUSDT". */
  readonly label: string;
  /** It says where the figure stands as well: "Edit stop-loss 58,000 BTCUSDT". Absent: what is shown is spoken behind it. */
  readonly whole?: true;
  readonly step: Amount;
  /** Absent: it cannot be changed now. @returns what to say where it was not changed. */
  readonly onChange: ((text: string) => Promise<string | undefined>) | undefined;
}

/**
 * A figure of a row with a pencil: Enter sends the new one, Esc leaves the old. While that is on its way the old one stands there
 * dimmed; a refusal says why.
 */
export function EditableNumber({ shown, value, label, whole, step, onChange }: EditableNumberProps) {
  const [entry, setEntry] = useState<string>();
  const [sent, setSent] = useState(false);
  const back = useRef(false);
  if (onChange === undefined) return <span>{shown}</span>;
  const send = async (text: string): Promise<void> => {
    setEntry(undefined);
    if (text === '' || text === value) return;
    setSent(true);
    const refused = await onChange(text);
    setSent(false);
    if (refused !== undefined) sayNotDone(refused);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const steps = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    // The keys of the table are not meant.
    event.stopPropagation();
    if (event.key === 'Enter' || event.key === 'Escape') {
      const text = event.key === 'Enter' ? (entry ?? '') : '';
      // Where the keys of rows work the row has them again; the field itself goes.
      const row = event.currentTarget.closest<HTMLElement>('[data-row]');
      if (row === null) back.current = true;
      else row.focus();
      void send(text);
    } else if (steps !== 0) setEntry(stepEntry(entry ?? '', step, steps));
    else return;
    event.preventDefault();
  };
  if (entry !== undefined) {
    return (
      <input
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
        autoFocus
        aria-label={label}
        value={entry}
        inputMode="decimal"
        onFocus={(event) => event.target.select()}
        onChange={(event) => setEntry(readNumberEntry(event.target.value) ?? entry)}
        onKeyDown={onKeyDown}
        onBlur={() => setEntry(undefined)}
        className="num h-6 w-full min-w-20 rounded-sm border border-focus bg-field px-1 text-text max-lg:h-11"
      />
    );
  }
  return (
    <button
      ref={(button) => {
        if (back.current && button !== null && !sent) {
          back.current = false;
          button.focus();
        }
      }}
      type="button"
      aria-label={whole === true ? label : `${label}: ${shown}`}
      data-edits=""
      disabled={sent}
      aria-busy={sent}
      onClick={() => setEntry(value)}
      className="group inline-flex max-w-full items-center gap-1 rounded-sm hover:underline disabled:opacity-50 max-lg:min-h-11"
    >
      <span className="truncate">{shown}</span>
      <Pencil size={11} aria-hidden="true" className="shrink-0 text-faint group-hover:text-text" />
    </button>
  );
}
