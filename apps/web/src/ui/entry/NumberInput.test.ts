import { amount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { stepEntry } from '../../calculators/ticket/number-entry.ts';
import { drawnBy } from '../drawn.fixture.ts';
import { NumberInput } from './NumberInput.tsx';

const PLAIN = { shiftKey: false, altKey: false, ctrlKey: false };

/** What a field of 100 in ticks of 0.1 holds after a key, and whether the browser still does its own. */
function after(key: string, held: Partial<typeof PLAIN>, steps = true) {
  const seen = { value: '100', prevented: false, entered: 0 };
  const step = (count: number): void => {
    seen.value = stepEntry('100', amount('0.1'), count);
  };
  const enter = (): void => {
    seen.entered += 1;
  };
  const preventDefault = (): void => {
    seen.prevented = true;
  };
  const { drawn } = drawnBy(NumberInput, {
    ...{ label: 'Price', value: '100', onChange: () => undefined, read: (text: string) => text },
    ...{ onEnter: enter, ...(steps ? { onStep: step } : {}) },
  });
  const input = drawn.find(({ type }) => type === 'input');
  const press = input?.props.onKeyDown as (event: unknown) => void;
  press({ ...PLAIN, ...held, key, currentTarget: { blur: () => undefined }, preventDefault });
  return seen;
}

test.each<[string, string, Partial<typeof PLAIN>, string]>([
  ['up', 'ArrowUp', {}, '100.1'],
  ['down', 'ArrowDown', {}, '99.9'],
  ['up with Shift', 'ArrowUp', { shiftKey: true }, '101.0'],
  ['down with Shift', 'ArrowDown', { shiftKey: true }, '99.0'],
  ['up with Alt', 'ArrowUp', { altKey: true }, '110.0'],
  ['down with Alt', 'ArrowDown', { altKey: true }, '90.0'],
  ['up with both', 'ArrowUp', { shiftKey: true, altKey: true }, '110.0'],
])('%s steps the field, and the cursor stays where it is', (_, key, held, value) => {
  expect(after(key, held)).toEqual({ value, prevented: true, entered: 0 });
});

test.each([
  ['to the left', 'ArrowLeft', {}, true],
  ['a digit', '1', {}, true],
  ['up, where nothing steps', 'ArrowUp', {}, false],
  ['Enter with Ctrl', 'Enter', { ctrlKey: true }, true],
])('%s is the browser’s', (_, key, held, steps) => {
  expect(after(key, held, steps)).toEqual({ value: '100', prevented: false, entered: 0 });
});

test('Enter sends, and presses nothing else', () => {
  expect(after('Enter', {})).toEqual({ value: '100', prevented: true, entered: 1 });
});
