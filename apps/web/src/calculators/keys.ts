/** Where a key is on the keyboard, whatever stands on it, and what is held with it. */
export interface KeyChord {
  readonly code: string;
  readonly shift?: true;
  readonly ctrl?: true;
}

/** One key of a trade page. */
interface KeyRow extends KeyChord {
  readonly id: string;
  /** Pressed within 0.8 s of `g`. */
  readonly afterG?: true;
  /** What it means is this sign, on whatever key it stands. */
  readonly sign?: string;
  /** Of contracts alone. */
  readonly swap?: true;
  /** Sends or cancels something: does nothing until trading keys were switched on. `hold`: after 0.8 s. */
  readonly trades?: 'press' | 'hold';
}

/** Every key and what it does, in the order of the sheet. */
const ROWS = [
  { id: 'sheet.open', code: 'Slash', shift: true, sign: '?' },
  { id: 'symbol.search', code: 'Slash', sign: '/' },
  { id: 'palette.open', code: 'KeyK', ctrl: true },
  { id: 'symbol.previous', code: 'BracketLeft' },
  { id: 'symbol.next', code: 'BracketRight' },
  { id: 'venue.next', code: 'KeyV' },
  { id: 'interval.previous', code: 'Comma' },
  { id: 'interval.next', code: 'Period' },
  { id: 'chart.full', code: 'KeyF' },
  { id: 'alert.atCrosshair', code: 'KeyA' },
  { id: 'focus.chart', code: 'KeyC', afterG: true },
  { id: 'focus.book', code: 'KeyB', afterG: true },
  { id: 'focus.ticket', code: 'KeyT', afterG: true },
  { id: 'focus.positions', code: 'KeyP', afterG: true, swap: true },
  { id: 'focus.orders', code: 'KeyO', afterG: true },
  { id: 'focus.alerts', code: 'KeyA', afterG: true },
  { id: 'ticket.buy', code: 'KeyB' },
  { id: 'ticket.sell', code: 'KeyS' },
  { id: 'ticket.open', code: 'KeyO', swap: true },
  { id: 'ticket.close', code: 'KeyC', swap: true },
  { id: 'ticket.limit', code: 'KeyL' },
  { id: 'ticket.market', code: 'KeyM' },
  { id: 'ticket.stop', code: 'KeyT' },
  { id: 'ticket.bestOwn', code: 'KeyP' },
  { id: 'ticket.bestOther', code: 'KeyP', shift: true },
  { id: 'ticket.unit', code: 'KeyU' },
  { id: 'ticket.reduceOnly', code: 'KeyR', swap: true },
  { id: 'ticket.tpsl', code: 'KeyX' },
  { id: 'ticket.size1', code: 'Digit1' },
  { id: 'ticket.size2', code: 'Digit2' },
  { id: 'ticket.size3', code: 'Digit3' },
  { id: 'ticket.size4', code: 'Digit4' },
  { id: 'ticket.size5', code: 'Digit5' },
  { id: 'trade.send', code: 'Enter', ctrl: true, trades: 'press' },
  { id: 'trade.marketBuy', code: 'KeyB', shift: true, trades: 'press' },
  { id: 'trade.marketSell', code: 'KeyS', shift: true, trades: 'press' },
  { id: 'order.cancelLast', code: 'KeyZ', shift: true, trades: 'press' },
  { id: 'orders.cancelSymbol', code: 'KeyX', shift: true, trades: 'press' },
  { id: 'position.close', code: 'KeyQ', shift: true, swap: true, trades: 'hold' },
  { id: 'position.flip', code: 'KeyF', shift: true, swap: true, trades: 'hold' },
  { id: 'orders.cancelEverywhere', code: 'Backspace', shift: true, trades: 'hold' },
  { id: 'positions.closeEverywhere', code: 'Delete', shift: true, swap: true, trades: 'hold' },
] as const satisfies readonly KeyRow[];

/** What a key can do. */
export type KeyId = (typeof ROWS)[number]['id'];

/** A key as it is set in this browser. */
export type Key = KeyRow & { readonly id: KeyId };

/** Every key as it comes. */
export const KEYS: readonly Key[] = ROWS;

/** Keys that go together have one sentence. */
const TOGETHER = {
  'palette.open': 'symbol.search',
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
  'ticket.stop': 'ticket.kind',
  'ticket.bestOwn': 'ticket.best',
  'ticket.bestOther': 'ticket.best',
  'ticket.size1': 'ticket.size',
  'ticket.size2': 'ticket.size',
  'ticket.size3': 'ticket.size',
  'ticket.size4': 'ticket.size',
  'ticket.size5': 'ticket.size',
  'trade.marketBuy': 'trade.atMarket',
  'trade.marketSell': 'trade.atMarket',
} as const satisfies Partial<Record<KeyId, string>>;

/** What the sheet says of a key. */
export type KeyText = Exclude<KeyId, keyof typeof TOGETHER> | (typeof TOGETHER)[keyof typeof TOGETHER];

function isTogether(id: KeyId): id is keyof typeof TOGETHER {
  return id in TOGETHER;
}

/** Which sentence of the sheet is about a key. */
export function textOfKey(id: KeyId): KeyText {
  return isTogether(id) ? TOGETHER[id] : id;
}

const SIGNS: Readonly<Record<string, string>> = {
  ...{ BracketLeft: '[', BracketRight: ']', Comma: ',', Period: '.', Slash: '/', Semicolon: ';', Quote: "'" },
  ...{ Minus: '-', Equal: '=', Backquote: '`', Backslash: '\\' },
};

/** What the sheet shows for a key: `B`, `Shift+P`, `G C`, `?`. */
export function keyShown({ code, shift, ctrl, afterG, sign }: Omit<Key, 'id'>): string {
  const place = sign ?? SIGNS[code] ?? code.replace(/^(?:Key|Digit)/, '');
  const held = `${ctrl === true ? 'Ctrl+' : ''}${shift === true && sign === undefined ? 'Shift+' : ''}`;
  return `${afterG === true ? 'G ' : ''}${held}${place}`;
}

/** A row of the sheet: what is done, and the keys that do it. */
export interface SheetRow {
  readonly text: KeyText;
  readonly keys: readonly Key[];
  readonly trades: Key['trades'];
}

/** Rows of the sheet. @param swap whether it is the page of a contract. */
export function keySheet(swap: boolean, keys: readonly Key[]): readonly SheetRow[] {
  const rows = new Map<KeyText, SheetRow>();
  for (const key of keys) {
    if (key.swap === true && !swap) continue;
    const text = textOfKey(key.id);
    const before = rows.get(text)?.keys ?? [];
    rows.set(text, { text, keys: [...before, key], trades: key.trades });
  }
  return [...rows.values()];
}

/** What of a key event counts. */
export type KeyPress = Pick<
  KeyboardEvent,
  'code' | 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey' | 'repeat' | 'isComposing' | 'timeStamp'
>;

/** Where a key was pressed, and what keys may do there. */
export interface KeyScene {
  readonly keys: readonly Key[];
  /** Whether trading keys were switched on. */
  readonly trading: boolean;
  /** Whether the focus is in a text field, and whether that is one of the ticket. */
  readonly field: 'none' | 'ticket' | 'other';
  /** Whether a dialog stands before the page. */
  readonly dialog: boolean;
}

/** How long `g` waits for the second key. */
const G_MILLIS_MAX = 800;

function isMeant(key: Key, { code, key: sign, shiftKey, ctrlKey }: KeyPress, afterG: boolean): boolean {
  if ((key.ctrl === true) !== ctrlKey || (key.afterG === true) !== afterG) return false;
  return key.sign === undefined ? key.code === code && (key.shift === true) === shiftKey : key.sign === sign;
}

/**
 * Reads key after key; `g` is remembered for a moment. Held keys, an IME's, and those with Alt or Meta do nothing, nor does
 * any key behind a dialog. In a text field only those with Ctrl count; what trades, in fields of the ticket alone.
 */
export function createKeyReader(): (press: KeyPress, scene: KeyScene) => Key | undefined {
  let gAt = Number.NEGATIVE_INFINITY;
  return (press, { keys, trading, field, dialog }) => {
    const { code, key, shiftKey, ctrlKey, timeStamp } = press;
    if (dialog || (field !== 'none' && !ctrlKey)) return undefined;
    if (press.repeat || press.isComposing || press.altKey || press.metaKey || key === 'Shift')
      return undefined;
    const afterG = timeStamp - gAt <= G_MILLIS_MAX;
    gAt = Number.NEGATIVE_INFINITY;
    if (code === 'KeyG' && !afterG && !shiftKey && !ctrlKey) {
      gAt = timeStamp;
      return undefined;
    }
    const meant = keys.find((row) => isMeant(row, press, afterG));
    if (meant?.trades !== undefined && (!trading || field === 'other')) return undefined;
    return meant;
  };
}
