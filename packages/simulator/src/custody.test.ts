import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Amount, amount, formatAmount, type Millis, type PlatformSlug } from '@crossbook/domain';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { HOUSE } from './accounts/state/balances.ts';
import { moveCustody } from './custody.ts';
import type { OpenedVenue } from './open-venue.ts';
import { openQuietVenue } from './quiet-venue.fixture.ts';

const clock = () => Date.UTC(2026, 10, 20, 12) as Millis;
const directories: string[] = [];
let venues: OpenedVenue[] = [];
afterEach(async () => {
  for (const venue of venues) await venue.close();
  venues = [];
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** Both venues with a master account; Binance's has 1000 USDT. */
async function pair(data?: string): Promise<{ binance: OpenedVenue; okx: OpenedVenue }> {
  const kept = data === undefined ? {} : { data };
  const binance = await openQuietVenue('binance', { clock, coins: ['BTC'], ...kept });
  const okx = await openQuietVenue('okx', { clock, coins: ['BTC'], ...kept });
  venues = [binance, okx];
  const master = await binance.spot.openAccount('master');
  await binance.spot.credit(master, 'USDT', amount('1000'), 'first');
  return { binance, okx };
}

function held(venue: OpenedVenue): string {
  const master = venue.spot.accountOfLabel('master');
  const balances = master === undefined ? [] : venue.spot.balances(master);
  return formatAmount(balances.find(({ asset }) => asset === 'USDT')?.free ?? (0n as Amount));
}

/** Everything that exists of an asset at both venues, the house included: what came in from outside. */
function everything(): bigint {
  let sum = 0n;
  for (const { spot } of venues) {
    for (const account of [HOUSE, ...spot.accounts().map((one) => one.account)]) {
      for (const { asset, free, locked } of spot.balances(account))
        if (asset === 'USDT') sum += free + locked;
    }
  }
  return sum;
}

const move = (from: OpenedVenue, to: OpenedVenue, text: string, moveId: string) =>
  moveCustody({ from, to, asset: 'USDT', amount: amount(text), moveId });

describe('moving funds between venues', () => {
  test('takes them from one master account and gives them to the other, once per id', async () => {
    const { binance, okx } = await pair();
    expect(await move(binance, okx, '300', 'a')).toBe(true);
    expect(await move(binance, okx, '300', 'a')).toBe(false);
    expect([held(binance), held(okx)]).toEqual(['700', '300']);
    expect(await move(okx, binance, '100', 'b')).toBe(true);
    expect([held(binance), held(okx), everything()]).toEqual(['800', '200', amount('1000')]);
  });

  test('is refused when funds are short or the id was another move, and nothing moves', async () => {
    const { binance, okx } = await pair();
    expect(await move(binance, okx, '1000.1', 'a')).toBe('INSUFFICIENT_BALANCE');
    expect(await move(okx, binance, '1', 'b')).toBe('INSUFFICIENT_BALANCE');
    await move(binance, okx, '10', 'c');
    expect(await move(binance, okx, '11', 'c')).toBe('ID_REUSED');
    expect([held(binance), held(okx)]).toEqual(['990', '10']);
  });

  test('asked twice at the same time arrives once', async () => {
    const { binance, okx } = await pair();
    const moved = await Promise.all([1, 2, 3].map(() => move(binance, okx, '5', 'a')));
    expect(moved.filter((arrived) => arrived === true).length).toBe(1);
    expect([held(binance), held(okx)]).toEqual(['995', '5']);
  });

  test('that ended between the two legs is finished by asking again after a restart', async () => {
    const data = mkdtempSync(join(tmpdir(), 'crossbook-custody-'));
    directories.push(data);
    const { binance, okx } = await pair(data);
    // The other venue's disk does not answer any more: the funds have left and did not arrive.
    await okx.spot.openAccount('master');
    await okx.close();
    await expect(move(binance, okx, '40', 'a')).rejects.toThrow();
    await binance.close();
    const again = await pair(data);
    expect([held(again.binance), held(again.okx)]).toEqual(['960', '0']);
    expect(await move(again.binance, again.okx, '40', 'a')).toBe(true);
    expect(await move(again.binance, again.okx, '40', 'a')).toBe(false);
    expect([held(again.binance), held(again.okx), everything()]).toEqual(['960', '40', amount('1000')]);
  });

  test('whatever is moved however often, nothing is created or lost', async () => {
    const { binance, okx } = await pair();
    const sides: Record<string, [OpenedVenue, OpenedVenue]> = { there: [binance, okx], back: [okx, binance] };
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            way: fc.constantFrom('there', 'back'),
            units: fc.integer({ min: 1, max: 700 }),
            id: fc.integer({ min: 0, max: 9 }),
          }),
          { maxLength: 20 },
        ),
        async (moves) => {
          await Promise.all(
            moves.map(({ way, units, id }) => {
              const [from, to] = sides[way] as [OpenedVenue, OpenedVenue];
              return move(from, to, String(units), `id-${id}`);
            }),
          );
          expect(everything()).toBe(amount('1000'));
          for (const venue of venues) expect(held(venue).startsWith('-')).toBe(false);
        },
      ),
      { numRuns: 50, seed: 3 },
    );
  });
});

describe('keys', () => {
  test.each<[PlatformSlug, string | undefined]>([
    ['okx', 'Secret-1'],
    ['binance', undefined],
  ])('of %s keep their passphrase through a restart and through a snapshot', async (slug, passphrase) => {
    const data = mkdtempSync(join(tmpdir(), 'crossbook-keys-'));
    directories.push(data);
    const open = () => openQuietVenue(slug, { clock, coins: ['BTC'], data });
    let venue = await open();
    const account = await venue.spot.openAccount('member');
    const key = await venue.spot.createKey(account, passphrase);
    const owner = { account, secret: key.secret, ...(passphrase === undefined ? {} : { passphrase }) };
    for (let restart = 0; restart < 2; restart += 1) {
      expect(venue.spot.keyOwner(key.apiKey)).toEqual(owner);
      await venue.close();
      venue = await open();
    }
    expect(venue.spot.keyOwner(key.apiKey)).toEqual(owner);
    venues = [venue];
  });
});
