/** One key of a trade page. `code` is the place on the keyboard, whatever stands on it. */
interface KeyRow {
  readonly id: string;
  readonly code: string;
  readonly shift?: true;
  readonly ctrl?: true;
  /** Pressed within 0.8 s of `g`. */
  readonly afterG?: true;
  /** What it means is this sign, on whatever key it stands. */
  readonly sign?: string;
  /** What the sheet shows for it. */
  readonly shown: string;
  /** Of contracts alone. */
  readonly swap?: true;
}

/** Every key and what it does, in the order of the sheet. */
const ROWS = [
  { id: 'sheet.open', code: 'Slash', shift: true, sign: '?', shown: '?' },
  { id: 'symbol.search', code: 'Slash', sign: '/', shown: '/' },
  { id: 'symbol.search', code: 'KeyK', ctrl: true, shown: 'Ctrl+K' },
  { id: 'symbol.previous', code: 'BracketLeft', shown: '[' },
  { id: 'symbol.next', code: 'BracketRight', shown: ']' },
  { id: 'venue.next', code: 'KeyV', shown: 'V' },
  { id: 'interval.previous', code: 'Comma', shown: ',' },
  { id: 'interval.next', code: 'Period', shown: '.' },
  { id: 'chart.full', code: 'KeyF', shown: 'F' },
  { id: 'focus.chart', code: 'KeyC', afterG: true, shown: 'G C' },
  { id: 'focus.book', code: 'KeyB', afterG: true, shown: 'G B' },
  { id: 'focus.ticket', code: 'KeyT', afterG: true, shown: 'G T' },
  { id: 'focus.positions', code: 'KeyP', afterG: true, shown: 'G P', swap: true },
  { id: 'focus.orders', code: 'KeyO', afterG: true, shown: 'G O' },
  { id: 'ticket.buy', code: 'KeyB', shown: 'B' },
  { id: 'ticket.sell', code: 'KeyS', shown: 'S' },
  { id: 'ticket.open', code: 'KeyO', shown: 'O', swap: true },
  { id: 'ticket.close', code: 'KeyC', shown: 'C', swap: true },
  { id: 'ticket.limit', code: 'KeyL', shown: 'L' },
  { id: 'ticket.market', code: 'KeyM', shown: 'M' },
  { id: 'ticket.bestOwn', code: 'KeyP', shown: 'P' },
  { id: 'ticket.bestOther', code: 'KeyP', shift: true, shown: 'Shift+P' },
  { id: 'ticket.unit', code: 'KeyU', shown: 'U' },
  { id: 'ticket.reduceOnly', code: 'KeyR', shown: 'R', swap: true },
  { id: 'ticket.size1', code: 'Digit1', shown: '1' },
  { id: 'ticket.size2', code: 'Digit2', shown: '2' },
  { id: 'ticket.size3', code: 'Digit3', shown: '3' },
  { id: 'ticket.size4', code: 'Digit4', shown: '4' },
  { id: 'ticket.size5', code: 'Digit5', shown: '5' },
] as const satisfies readonly KeyRow[];

/** What a key can do. */
export type KeyId = (typeof ROWS)[number]['id'];

const KEYS: readonly (KeyRow & { readonly id: KeyId })[] = ROWS;

/** Share of the largest size, percent, of the keys 1 to 5. */
export const SIZE_KEYS = {
  ...{ 'ticket.size1': 10, 'ticket.size2': 25, 'ticket.size3': 50, 'ticket.size4': 75 },
  'ticket.size5': 100,
} as const;

/** Keys that go together have one sentence. */
const TOGETHER = {
  'symbol.previous': 'symbol.step',
  'symbol.next': 'symbol.step',
  'interval.previous': 'interval.step',
  'interval.next': 'interval.step',
  'ticket.buy': 'ticket.side',
  'ticket.sell': 'ticket.side',
  'ticket.open': 'ticket.tab',
  'ticket.close': 'ticket.tab',
  'ticket.limit': 'ticket.kind',
  'ticket.market': 'ticket.kind',
  'ticket.bestOwn': 'ticket.best',
  'ticket.bestOther': 'ticket.best',
  'ticket.size1': 'ticket.size',
  'ticket.size2': 'ticket.size',
  'ticket.size3': 'ticket.size',
  'ticket.size4': 'ticket.size',
  'ticket.size5': 'ticket.size',
} as const satisfies Partial<Record<KeyId, string>>;

/** What the sheet says of a key. */
export type KeyText = Exclude<KeyId, keyof typeof TOGETHER> | (typeof TOGETHER)[keyof typeof TOGETHER];

function isTogether(id: KeyId): id is keyof typeof TOGETHER {
  return id in TOGETHER;
}

/** Rows of the sheet: what is done, and the keys that do it. @param swap whether it is the page of a contract. */
export function keySheet(
  swap: boolean,
): readonly { readonly text: KeyText; readonly keys: readonly string[] }[] {
  const rows = new Map<KeyText, string[]>();
  for (const { id, shown, ...row } of KEYS) {
    if (row.swap === true && !swap) continue;
    const text = isTogether(id) ? TOGETHER[id] : id;
    rows.set(text, [...(rows.get(text) ?? []), shown]);
  }
  return [...rows].map(([text, keys]) => ({ text, keys }));
}

/** What of a key event counts. */
export type KeyPress = Pick<
  KeyboardEvent,
  'code' | 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey' | 'repeat' | 'isComposing' | 'timeStamp'
>;

/** How long `g` waits for the second key. */
const G_MILLIS_MAX = 800;

/** Reads key after key; `g` is remembered for a moment. Held keys, an IME's, and those with Alt or Meta do nothing. */
export function createKeyReader(): (press: KeyPress) => KeyId | undefined {
  let gAt = Number.NEGATIVE_INFINITY;
  return (press) => {
    const { code, key, shiftKey, ctrlKey, timeStamp } = press;
    if (press.repeat || press.isComposing || press.altKey || press.metaKey || key === 'Shift')
      return undefined;
    const afterG = timeStamp - gAt <= G_MILLIS_MAX;
    gAt = Number.NEGATIVE_INFINITY;
    if (code === 'KeyG' && !afterG && !shiftKey && !ctrlKey) {
      gAt = timeStamp;
      return undefined;
    }
    const fits = (row: KeyRow): boolean =>
      (row.ctrl === true) === ctrlKey &&
      (row.afterG === true) === afterG &&
      (row.sign === undefined ? row.code === code && (row.shift === true) === shiftKey : row.sign === key);
    return KEYS.find(fits)?.id;
  };
}
