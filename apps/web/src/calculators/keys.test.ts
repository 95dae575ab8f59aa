import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createKeyReader, KEYS, type KeyPress, type KeyScene, keySheet, keyShown } from './keys.ts';
import { PRESET_KEYS } from './size-presets.ts';

function press(code: string, change: Partial<KeyPress> = {}): KeyPress {
  return {
    ...{ code, key: code.at(-1) ?? '', shiftKey: false, ctrlKey: false, altKey: false, metaKey: false },
    ...{ repeat: false, isComposing: false, timeStamp: 0 },
    ...change,
  };
}
const shiftKey = true;
const ctrlKey = true;
const PAGE: KeyScene = { keys: KEYS, trading: false, field: 'none', dialog: false };

test.each<[string, readonly KeyPress[], string | undefined]>([
  ['a letter', [press('KeyB')], 'ticket.buy'],
  ['the same place on another keyboard', [press('KeyZ', { key: 'y' })], undefined],
  ['a letter with Shift is another key', [press('KeyP', { shiftKey })], 'ticket.bestOther'],
  ['a letter with Shift that has no meaning', [press('KeyM', { shiftKey })], undefined],
  ['the sign ?, wherever it stands', [press('Minus', { key: '?', shiftKey })], 'sheet.open'],
  ['the sign /, wherever it stands', [press('Digit7', { key: '/', shiftKey })], 'symbol.search'],
  ['Ctrl+K', [press('KeyK', { ctrlKey })], 'palette.open'],
  ['a key of the browser', [press('KeyP', { ctrlKey })], undefined],
  ['g and a letter', [press('KeyG'), press('KeyB', { timeStamp: 800 })], 'focus.book'],
  ['a letter too long after g', [press('KeyG'), press('KeyB', { timeStamp: 801 })], 'ticket.buy'],
  ['a letter after g that has no place', [press('KeyG'), press('KeyM')], undefined],
  ['a letter after that', [press('KeyG'), press('KeyM'), press('KeyM')], 'ticket.market'],
  ['a key that is held', [press('KeyB', { repeat: true })], undefined],
  ['a key of an IME', [press('KeyB', { isComposing: true })], undefined],
  ['a key with Alt', [press('KeyB', { altKey: true })], undefined],
  ['a key with Meta', [press('KeyB', { metaKey: true })], undefined],
  ['a size', [press('Digit3')], 'ticket.size3'],
])('%s', (_what, presses, id) => {
  const read = createKeyReader();
  expect(presses.map((one) => read(one, PAGE)?.id).at(-1)).toBe(id);
});

const SEND = press('Enter', { key: 'Enter', ctrlKey });
test.each<[string, KeyPress, Partial<KeyScene>, string | undefined]>([
  ['a letter in a text field', press('KeyB'), { field: 'ticket' }, undefined],
  [
    'a letter with Shift in a text field',
    press('KeyB', { shiftKey }),
    { field: 'other', trading: true },
    undefined,
  ],
  ['a key with Ctrl in a text field', press('KeyK', { ctrlKey }), { field: 'other' }, 'palette.open'],
  ['a letter behind a dialog', press('KeyB'), { dialog: true }, undefined],
  ['sending behind a dialog', SEND, { dialog: true, trading: true }, undefined],
  ['sending', SEND, { trading: true }, 'trade.send'],
  ['sending from a field of the ticket', SEND, { field: 'ticket', trading: true }, 'trade.send'],
  ['sending from a field that is not the ticket', SEND, { field: 'other', trading: true }, undefined],
  ['sending with a key that is held', { ...SEND, repeat: true }, { trading: true }, undefined],
  ['selling at market', press('KeyS', { shiftKey }), { trading: true }, 'trade.marketSell'],
])('%s', (_what, one, scene, id) => {
  expect(createKeyReader()(one, { ...PAGE, ...scene })?.id).toBe(id);
});

test('Enter is no key of the page: it sends from a field of the ticket, and from no other field with Ctrl', () => {
  const read = (one: KeyPress, field: KeyScene['field']) =>
    createKeyReader()(one, { ...PAGE, trading: true, field })?.id;
  const fields = ['none', 'ticket', 'other'] as const;
  expect(fields.map((field) => read(press('Enter', { key: 'Enter' }), field))).toEqual(
    fields.map(() => undefined),
  );
  expect(read(SEND, 'other')).toBeUndefined();
});

test('no key undoes: an order, and its line, goes by being cancelled alone', () => {
  const undoing = ['KeyZ', 'KeyY', 'Backspace', 'Delete'].flatMap((code) => [
    press(code),
    press(code, { ctrlKey }),
    press(code, { ctrlKey, shiftKey }),
  ]);
  for (const one of undoing) {
    expect(createKeyReader()(one, { ...PAGE, trading: true })?.id, one.code).toBeUndefined();
  }
});

test('every key that sends, cancels or closes needs Shift or Ctrl, and is dead until trading keys are on', () => {
  const trading = KEYS.filter(({ id }) => /^(?:trade|orders?|position|positions)\./.test(id));
  expect(trading).toHaveLength(9);
  for (const key of trading) {
    const held = { shiftKey: key.shift === true, ctrlKey: key.ctrl === true };
    expect([key.id, held.shiftKey || held.ctrlKey]).toEqual([key.id, true]);
    const one = press(key.code, held);
    expect(createKeyReader()(one, PAGE)).toBeUndefined();
    expect(createKeyReader()(one, { ...PAGE, trading: true })?.id).toBe(key.id);
  }
});

test('the sheet has a row for everything, with all of its keys; a pair has none that are about contracts', () => {
  const rows = new Map(keySheet(true, KEYS).map(({ text, keys }) => [text, keys.map(keyShown)]));
  expect(rows.get('symbol.search')).toEqual(['/', 'Ctrl+K']);
  expect(rows.get('ticket.size')).toEqual(['1', '2', '3', '4', '5']);
  expect(rows.get('focus.book')).toEqual(['G B']);
  expect(rows.get('trade.atMarket')).toEqual(['Shift+B', 'Shift+S']);
  expect([...rows.values()].flat()).toHaveLength(KEYS.length);
  const gone = [...rows.keys()].filter((text) => !keySheet(false, KEYS).some((row) => row.text === text));
  expect(gone).toEqual([
    ...['focus.positions', 'ticket.tab', 'ticket.reduceOnly'],
    ...['position.close', 'position.flip', 'positions.closeEverywhere'],
  ]);
});

test('no two rows of the sheet have the same keys', () => {
  const keys = KEYS.map(keyShown);
  expect(new Set(keys).size).toBe(keys.length);
});

test('every key is heard by a part of the trade pages', () => {
  const screens = fileURLToPath(new URL('../screens/trade/', import.meta.url));
  const code = globSync('**/*.{ts,tsx}', { cwd: screens })
    .map((file) => readFileSync(`${screens}${file}`, 'utf8'))
    .join('\n');
  const sizes: readonly string[] = code.includes('PRESET_KEYS.map') ? PRESET_KEYS : [];
  const heard = (id: string): boolean => code.includes(`'${id}':`) || sizes.includes(id);
  expect(KEYS.map(({ id }) => id).filter((id) => !heard(id))).toEqual([]);
});
