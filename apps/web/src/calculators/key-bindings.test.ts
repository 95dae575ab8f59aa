import { expect, test } from 'vitest';
import { boundKeys, type Rebound, rebind } from './key-bindings.ts';
import { type KeyId, type KeyPress, keyShown } from './keys.ts';

/** A press by its name: `Ctrl+Shift+KeyB`. */
function press(name: string): KeyPress {
  const parts = name.split('+');
  const held = (modifier: string): boolean => parts.includes(modifier);
  return {
    ...{ code: parts.at(-1) ?? '', key: '', repeat: false, isComposing: false, timeStamp: 0 },
    ...{ ctrlKey: held('Ctrl'), shiftKey: held('Shift'), altKey: held('Alt'), metaKey: held('Meta') },
  };
}

function shownOf(kept: string, id: KeyId): string | undefined {
  const key = boundKeys(kept).find((row) => row.id === id);
  return key === undefined ? undefined : keyShown(key);
}

function keptOf(rebound: Rebound | undefined): string {
  return rebound !== undefined && 'kept' in rebound ? rebound.kept : 'not kept';
}

test.each<[string, string | undefined]>([
  ['', 'B'],
  ['ticket.buy=KeyN', 'N'],
  ['ticket.sell=KeyH;ticket.buy=Ctrl+Shift+KeyU', 'Ctrl+Shift+U'],
  ['ticket.buy=Ctrl+KeyW', 'B'],
  ['ticket.buy=', 'B'],
  ['nobody.knows=KeyN', 'B'],
  ['ticket.buy=KeyN=KeyM', 'B'],
])('with %j kept, buying is %s', (kept, shown) => {
  expect(shownOf(kept, 'ticket.buy')).toBe(shown);
});

test.each<[string, KeyId, string]>([
  ...['Ctrl+KeyW', 'Ctrl+KeyT', 'Ctrl+KeyN', 'Ctrl+KeyL', 'Ctrl+Tab', 'Ctrl+Digit1', 'F5', 'Ctrl+KeyV'].map(
    (name): [string, KeyId, string] => [name, 'ticket.buy', 'browser'],
  ),
  ...['Alt+Digit1', 'Alt+ArrowLeft', 'Meta+KeyB', 'Tab', 'Escape', 'Enter', 'ArrowUp', 'KeyG', 'Delete'].map(
    (name): [string, KeyId, string] => [name, 'ticket.buy', 'browser'],
  ),
  ['KeyN', 'trade.send', 'alone'],
  ['Digit7', 'positions.closeEverywhere', 'alone'],
  ['Ctrl+Backspace', 'orders.cancelEverywhere', 'browser'],
])('%s is refused for %s', (name, id, refused) => {
  expect(rebind('', id, press(name))).toEqual({ refused });
});

test('another key is kept; its own is forgotten again; others stay', () => {
  const other = keptOf(rebind('ticket.sell=KeyH', 'ticket.buy', press('Shift+KeyN')));
  expect([shownOf(other, 'ticket.buy'), shownOf(other, 'ticket.sell')]).toEqual(['Shift+N', 'H']);
  expect(keptOf(rebind(other, 'ticket.buy', press('KeyB')))).toBe('ticket.sell=KeyH');
});

test('a key that something else has is not taken from it; one that was left is free', () => {
  const held = rebind('', 'ticket.buy', press('KeyS'));
  expect(held).toMatchObject({ holder: { id: 'ticket.sell' } });
  const left = keptOf(rebind('', 'ticket.sell', press('KeyH')));
  expect(shownOf(keptOf(rebind(left, 'ticket.buy', press('KeyS'))), 'ticket.buy')).toBe('S');
});

test('what comes after g stays there, and a letter after g is not that letter', () => {
  expect(shownOf(keptOf(rebind('', 'focus.book', press('KeyS'))), 'focus.book')).toBe('G S');
  expect(rebind('', 'focus.book', press('KeyT'))).toMatchObject({ holder: { id: 'focus.ticket' } });
});

test('Shift or Ctrl alone is no key yet', () => {
  expect(rebind('', 'ticket.buy', press('ShiftLeft'))).toBeUndefined();
});
