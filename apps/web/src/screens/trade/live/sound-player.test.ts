import { expect, test } from 'vitest';
import { SOUNDS } from '../../../stores/app/notice-events.ts';
import { isWanted } from './sound-player.ts';

test.each([
  ['both are wanted', true, true, SOUNDS],
  ['fills are not', false, true, ['order', 'fired', 'alert', 'warn', 'error', 'alarm']],
  ['orders are not', true, false, ['filled', 'alert', 'warn', 'alarm']],
  ['neither is: what must not be missed is heard', false, false, ['alert', 'warn', 'alarm']],
])('what is heard where %s', (_, filledAlert, orderAlert, heard) => {
  expect(SOUNDS.filter((sound) => isWanted(sound, { filledAlert, orderAlert }))).toEqual(heard);
});
