import { expect, test } from 'vitest';
import { alarm, alarmsStore, seeAlarms, titleWithAlarms } from './alarms.ts';

const title = () => titleWithAlarms('Crossbook | Futures', alarmsStore.getState().unseen.size, 'alarm');

test('the title counts what alarms are about until somebody is at the page; how many there were is not forgotten', () => {
  expect(title()).toBe('Crossbook | Futures');
  alarm('p1');
  alarm('ratio 1');
  alarm('p1');
  expect(title()).toBe('(2) alarm · Crossbook | Futures');
  seeAlarms();
  expect(title()).toBe('Crossbook | Futures');
  alarm('p1');
  expect([title(), alarmsStore.getState().count]).toEqual(['(1) alarm · Crossbook | Futures', 4]);
});
