import type { Amount } from '@crossbook/domain';
import { Pencil } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { readNumberEntry, stepEntry } from '../../../calculators/ticket/number-entry.ts';
import { notify } from '../../../stores/app/notices.ts';

/** What a figure that can be changed in its place needs. */
export interface EditableNumberProps {
  /** As it is shown, and as the field begins. */
  readonly shown: string;
  readonly value: string;
  /** For a screen reader: "Edit trigger price of BTCUSDT". */
  readonly label: string;
  readonly step: Amount;
  /** Absent: it cannot be changed now. @returns what to say where it was not changed. */
  readonly onChange: ((text: string) => Promise<string | undefined>) | undefined;
}

/**
 * A figure of a row with a pencil: Enter sends the new one, Esc leaves the old. While it is on its way it is dimmed; a
 * refusal brings the old one back and says why.
 */
export function EditableNumber({ shown, value, label, step, onChange }: EditableNumberProps) {
  const [entry, setEntry] = useState<string>();
  const [sent, setSent] = useState<string>();
  if (onChange === undefined) return <span>{shown}</span>;
  const send = async (text: string): Promise<void> => {
    setEntry(undefined);
    if (text === '' || text === value) return;
    setSent(text);
    const refused = await onChange(text);
    setSent(undefined);
    if (refused !== undefined) notify('error', { text: refused }, `edit ${label}`);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    // The keys of the table are not meant.
    event.stopPropagation();
    if (event.key === 'Enter') void send(entry ?? '');
    else if (event.key === 'Escape') setEntry(undefined);
    else if (steps !== 0) setEntry(stepEntry(entry ?? '', step, steps));
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
      type="button"
      aria-label={`${label}: ${shown}`}
      data-edits=""
      disabled={sent !== undefined}
      onClick={() => setEntry(value)}
      className="group inline-flex max-w-full items-center gap-1 rounded-sm hover:underline disabled:opacity-50 max-lg:min-h-11"
    >
      <span className="truncate">{sent ?? shown}</span>
      <Pencil size={11} aria-hidden="true" className="shrink-0 text-faint group-hover:text-text" />
    </button>
  );
}
