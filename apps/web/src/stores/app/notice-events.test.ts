import { expect, test } from 'vitest';
import { alarmsStore } from './alarms.ts';
import { EVENT_TELLINGS } from './notice-events.ts';
import { notify } from './notices.ts';

test('every event of trading has its toast, its sound and its place in the list', () => {
  const shown = Object.entries(EVENT_TELLINGS).map(
    ([event, { toast, sound = '–', passing }]) => `${event}: ${toast}, ${sound}, ${passing ? '–' : 'kept'}`,
  );
  expect(shown).toEqual([
    'own: 2000, order, –',
    'filled: 5000, filled, kept',
    'fired: 5000, fired, kept',
    'failed: 8000, error, kept',
    'unknown: stays, error, kept',
    'settings: 8000, –, kept',
    'near: stays, warn, kept',
    'danger: stays, alarm, kept',
    'alert: 8000, alert, kept',
    'booked: none, –, kept',
  ]);
});

test('danger alone is an alarm, and stands in the title once for each thing', () => {
  for (const event of ['own', 'failed', 'near', 'danger', 'danger'] as const) {
    notify('error', { text: event }, 'one thing', { event });
  }
  expect(alarmsStore.getState().count).toBe(2);
  expect([...alarmsStore.getState().unseen]).toEqual(['one thing']);
});
