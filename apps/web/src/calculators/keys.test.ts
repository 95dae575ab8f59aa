import { expect, test } from 'vitest';
import { createKeyReader, type KeyPress, keySheet } from './keys.ts';

function press(code: string, change: Partial<KeyPress> = {}): KeyPress {
  return {
    ...{ code, key: code.at(-1) ?? '', shiftKey: false, ctrlKey: false, altKey: false, metaKey: false },
    ...{ repeat: false, isComposing: false, timeStamp: 0 },
    ...change,
  };
}
const shiftKey = true;
const ctrlKey = true;

test.each<[string, readonly KeyPress[], string | undefined]>([
  ['a letter', [press('KeyB')], 'ticket.buy'],
  ['the same place on another keyboard', [press('KeyZ', { key: 'y' })], undefined],
  ['a letter with Shift is another key', [press('KeyP', { shiftKey })], 'ticket.bestOther'],
  ['a letter with Shift that has no meaning', [press('KeyB', { shiftKey })], undefined],
  ['the sign ?, wherever it stands', [press('Minus', { key: '?', shiftKey })], 'sheet.open'],
  ['the sign /, wherever it stands', [press('Digit7', { key: '/', shiftKey })], 'symbol.search'],
  ['Ctrl+K', [press('KeyK', { ctrlKey })], 'symbol.search'],
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
  expect(presses.map(read).at(-1)).toBe(id);
});

test('the sheet has a row for everything, with all of its keys; a pair has none that are about contracts', () => {
  const rows = new Map(keySheet(true).map(({ text, keys }) => [text, keys]));
  expect(rows.get('symbol.search')).toEqual(['/', 'Ctrl+K']);
  expect(rows.get('ticket.size')).toEqual(['1', '2', '3', '4', '5']);
  const gone = [...rows.keys()].filter((text) => !keySheet(false).some((row) => row.text === text));
  expect(gone).toEqual(['focus.positions', 'ticket.tab', 'ticket.reduceOnly']);
});

test('no two rows of the sheet have the same keys', () => {
  const keys = keySheet(true).flatMap((row) => row.keys);
  expect(new Set(keys).size).toBe(keys.length);
});
