import { type Amount, amount, ZERO } from '@crossbook/domain';
import { createBinanceTrading, type VenueCredentials, type VenueTrading } from '@crossbook/venues/trading';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type SimulatorVenue, startSimulator, tradingOptions } from './simulator-venue.ts';

/** Members' accounts below the operator's master account, by the connector against the simulator. */

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let venue: SimulatorVenue;
let trading: VenueTrading;

beforeAll(async () => {
  venue = await startSimulator(3);
  trading = createBinanceTrading({ ...tradingOptions(venue), answerMillisMax: 3_000 });
});
afterAll(async () => {
  trading?.close();
  await venue?.stop();
});

async function freeOf(credentials: VenueCredentials, asset: string): Promise<Amount> {
  const balances = await trading.balances(credentials);
  if (!balances.ok) throw new Error(balances.code);
  return balances.value.find((balance) => balance.asset === asset)?.free ?? ZERO;
}

describe("members' accounts", () => {
  test('are found by their label or made, get working keys, and funds move both ways exactly once', async () => {
    const key = await venue.admin('master', {});
    const master = { apiKey: String(key.apiKey), secret: String(key.secret) };
    await venue.admin('credit', { label: 'master', asset: 'USDT', amount: '5000', creditId: 'float' });
    const opened = await trading.openMemberAccount(master, 'm-1');
    const again = await trading.openMemberAccount(master, 'm-1');
    if (opened.outcome !== 'found' || again.outcome !== 'found') throw new Error(JSON.stringify(opened));
    expect(again.value.accountId).toBe(opened.value.accountId);
    expect(again.value.credentials.apiKey).not.toBe(opened.value.credentials.apiKey);

    const move = { clientId: 'move-1', to: opened.value.accountId, asset: 'USDT', amount: amount('1234.5') };
    expect(await trading.findTransfer(master, 'move-1')).toEqual({ outcome: 'not-found' });
    const moved = await trading.transfer(master, move);
    if (moved.outcome !== 'done') throw new Error(JSON.stringify(moved));
    expect(await trading.findTransfer(master, 'move-1')).toEqual({
      outcome: 'found',
      value: { venueId: moved.venueId },
    });
    expect(await freeOf(opened.value.credentials, 'USDT')).toBe(amount('1234.5'));
    expect(await trading.transfer(master, move)).toEqual(moved);
    expect(await freeOf(again.value.credentials, 'USDT')).toBe(amount('1234.5'));

    const back = { clientId: 'move-2', from: opened.value.accountId, asset: 'USDT', amount: amount('234.5') };
    expect(await trading.transfer(master, back)).toMatchObject({ outcome: 'done' });
    expect(await freeOf(opened.value.credentials, 'USDT')).toBe(amount('1000'));
    const tooMuch = { ...back, clientId: 'move-3', amount: amount('999999') };
    expect(await trading.transfer(master, tooMuch)).toMatchObject({ outcome: 'refused', venueCode: '-9000' });
    expect((await trading.openMemberAccount(opened.value.credentials, 'm-2')).outcome).toBe('unknown');
  });

  test('a transfer whose answer is lost is unknown, and found by its id', async () => {
    const key = await venue.admin('master', {});
    const master = { apiKey: String(key.apiKey), secret: String(key.secret) };
    const opened = await trading.openMemberAccount(master, 'm-1');
    if (opened.outcome !== 'found') throw new Error(JSON.stringify(opened));
    await venue.admin('faults', { kind: 'reset-after', match: 'broker.transfer', count: 1 });
    const move = { clientId: 'move-9', to: opened.value.accountId, asset: 'USDT', amount: amount('1') };
    expect((await trading.transfer(master, move)).outcome).toBe('unknown');
    expect((await trading.findTransfer(master, 'move-9')).outcome).toBe('found');
  });
});
