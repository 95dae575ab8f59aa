import { amount, type OrderId, ZERO } from '@crossbook/domain';
import type { VenueTrading } from '@crossbook/venues/trading';
import { expect, test } from 'vitest';
import { ScriptedVenue } from '../trading/scripted-venue.fixture.ts';
import { operatorCustody } from './operator-custody.ts';

const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
const funds = (free: string, asset = 'USDT') =>
  (async () => ({
    ok: true,
    value: [{ asset, free: amount(free), locked: ZERO }],
  })) as VenueTrading['operatorFunds'];

test.each<[string, VenueTrading['operatorFunds'], string]>([
  ['as much as is asked for', funds('100'), 'there'],
  ['one unit less', funds('99.999999999999999999'), 'short'],
  ['another asset only', funds('100', 'BTC'), 'short'],
  ['an account that cannot be read', async () => ({ ok: false, code: 'network' }), 'unknown'],
])('with real money %s in the account at the platform is %3$s', async (_case, operatorFunds, expected) => {
  const trading = new ScriptedVenue();
  trading.answers = { operatorFunds };
  const master = { apiKey: 'm', secret: 'm' };
  const custody = operatorCustody((platform) =>
    platform === 2 ? { platform, name: 'OKX', state: 'live', trading, master } : undefined,
  );
  const move = { platform: 2, asset: 'USDT', amount: amount('100'), transfer: ID } as const;
  expect(await custody.provide(move)).toBe(expected);
  expect(await custody.collect(move)).toBe('done');
  expect(trading.calls).toEqual(['operatorFunds']);
});

test('of a platform that is not configured nothing is known', async () => {
  const custody = operatorCustody(() => undefined);
  const move = { platform: 3, asset: 'USDT', amount: amount('1'), transfer: ID } as const;
  expect(await custody.provide(move)).toBe('unknown');
});
