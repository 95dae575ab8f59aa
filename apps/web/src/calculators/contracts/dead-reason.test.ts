import { expect, test } from 'vitest';
import { type ButtonFacts, deadReason } from './dead-reason.ts';

const ALIVE: ButtonFacts = {
  ...{ setting: 'known', closes: false, platformLive: true, trading: true, downSince: undefined },
  serverAway: false,
  ...{ opening: { stopped: 'nothing' }, venue: 'OKX', product: 'Crossbook' },
  ...{ waits: undefined, symbol: 'BTC-USDT-SWAP' },
};
const differ = { stopped: 'books-differ', differs: { of: 'USDT', amount: '1.5' } } as const;

test.each<[string, Partial<ButtonFacts>, string | undefined, string | undefined]>([
  ['nothing stands in the way', {}, undefined, undefined],
  ['the hub has not said yet', { opening: undefined }, undefined, undefined],
  ['settings are being read', { setting: 'loading' }, 'dead.unread', 'dead.unread'],
  ...(['known', 'loading', 'failed'] as const).map(
    (setting) =>
      [
        `there is no account, its settings ${setting}`,
        { setting, opening: { stopped: 'account-none' } },
        'dead.noAccount',
        'dead.noAccount',
      ] as [string, Partial<ButtonFacts>, string, string],
  ),
  ['settings cannot be read', { setting: 'failed' }, 'dead.failed', 'dead.failed'],
  ...(['loading', 'failed'] as const).flatMap(
    (setting) =>
      [
        [
          'it is on its way',
          { setting, opening: { stopped: 'account-preparing' } },
          'dead.preparing',
          'dead.preparing',
        ],
      ] as [string, Partial<ButtonFacts>, string, string][],
  ),
  [
    'the account is prepared anew',
    { opening: { stopped: 'account-preparing' } },
    'dead.preparing',
    undefined,
  ],
  [
    'the platform is coming soon',
    { platformLive: false, opening: differ },
    'platform-coming-soon',
    undefined,
  ],
  ['the contract is halted', { trading: false, opening: differ }, 'symbol-halted', undefined],
  [
    'the hub is away, whatever it said last',
    { serverAway: true, downSince: 0, opening: differ },
    'dead.serverAway',
    undefined,
  ],
  ['the exchange is down', { downSince: 0, opening: differ }, 'dead.venueDown', undefined],
  ['no prices were shown yet', { waits: 'figures' }, 'dead.prices', undefined],
  ['its first price is still to come', { waits: 'price' }, 'dead.prices', 'dead.prices'],
  ['the market is not fresh', { waits: 'fresh' }, 'error.price-stale', undefined],
  [
    'the exchange is down and no prices were shown',
    { waits: 'figures', downSince: 0 },
    'dead.venueDown',
    undefined,
  ],
  ['the money gate is closed', { opening: { stopped: 'money-halted' } }, 'dead.gateClosed', undefined],
  ['the member is not verified', { opening: { stopped: 'kyc-required' } }, 'dead.kyc', undefined],
  [
    'he is not, and nothing is known of the contract',
    { setting: 'failed', opening: { stopped: 'kyc-required' } },
    'dead.kyc',
    'dead.failed',
  ],
  ['ledger and exchange differ', { opening: differ }, 'dead.booksDiffer', undefined],
])('%s: opening and closing', (_what, facts, opens, closes) => {
  expect(deadReason({ ...ALIVE, ...facts })?.id.replace(/^trade\.(contract|error)\./, '')).toBe(opens);
  const closing = deadReason({ ...ALIVE, ...facts, closes: true });
  expect(closing?.id.replace(/^trade\.(contract|error)\./, '')).toBe(closes);
});

test('a sentence names the exchange, since when it is silent, and by how much the figures differ', () => {
  const down = Date.UTC(2026, 10, 22, 3, 4, 5);
  expect(deadReason({ ...ALIVE, downSince: down })?.values).toMatchObject({ venue: 'OKX', time: '03:04:05' });
  expect(deadReason({ ...ALIVE, opening: differ })?.values).toMatchObject({
    ...{ venue: 'OKX', product: 'Crossbook', amount: '1.5 USDT' },
  });
});
