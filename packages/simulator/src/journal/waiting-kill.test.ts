import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { amount, type PlatformSlug } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memoryFolder } from '../../../../tests/memory-folder.ts';
import { FULL } from '../../../../tests/property-runs.ts';
import { brokenLists, brokenSums } from '../accounts/exchange-sums.fixture.ts';
import type { SimOrder } from '../exchange.ts';
import {
  FUNDS,
  movePrice,
  openWaiting,
  PLACED_AT,
  type Standing,
  type WaitingLine,
  type WaitingVenue,
} from './waiting-orders.fixture.ts';

/** Orders on pairs that wait for a price outlast kill -9, and what the price passes meanwhile fires once, in its order. */

const SCRIPT = fileURLToPath(new URL('./waiting-orders.fixture.ts', import.meta.url));
const MINUTE_MILLIS = 60_000;
const ALL = { limit: 1_000 };

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(memoryFolder(), 'waiting-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Starts the process and kills it at the first line that says so; everything it said before it died. */
async function killedAt(
  now: number,
  what: 'place' | 'open',
  dies: (lines: readonly WaitingLine[]) => boolean,
): Promise<WaitingLine[]> {
  const child = spawn(process.execPath, [SCRIPT, directory, `${now}`, what], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const ended = new Promise((resolve) => child.once('close', (_, signal) => resolve(signal)));
  const lines: WaitingLine[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    // A torn line was no acknowledgement.
    if (text.endsWith('}')) lines.push(JSON.parse(text));
    if (dies(lines)) child.kill('SIGKILL');
  }
  expect(await ended, errors.join('')).toBe('SIGKILL');
  return lines;
}

const nameOf = ({ clientId }: Pick<SimOrder, 'clientId'>): string => clientId.split('-')[0] ?? '';
/** How far the price goes until it fires, which its name ends with. */
const wayOf = (name: string): number => Number(/[0-9]+$/.exec(name)?.[0]);

/** The orders of a venue that have filled as takers, in the order of their first trades. */
function firedIn({ venue, account, symbol }: WaitingVenue): string[] {
  const names = new Map(
    venue.spot.orders(account, symbol, ALL).map((order) => [order.orderId, nameOf(order)]),
  );
  const takers = venue.spot.fills(account, symbol, ALL).filter(({ maker }) => !maker);
  return [...new Set(takers.map(({ orderId }) => names.get(orderId) ?? ''))];
}

/** What is wrong with the money, the lists and the sizes of what was filled. */
function broken({ venue, account, symbol }: WaitingVenue): string[] {
  const { spot } = venue;
  const brought = new Map(Object.entries(FUNDS).map(([asset, text]) => [asset, BigInt(amount(text))]));
  const filled = new Map<number, number>();
  for (const { orderId, quantity } of spot.fills(account, symbol, ALL))
    filled.set(orderId, (filled.get(orderId) ?? 0) + quantity);
  const sizes = spot
    .orders(account, symbol, ALL)
    .filter(({ orderId, executed }) => (filled.get(orderId) ?? 0) !== executed)
    .map(({ clientId, executed }) => `${clientId} says ${executed}, its fills something else`);
  const sums = brokenSums(spot, [account], brought, [...spot.markets.values()]);
  return [...sums, ...sizes, ...brokenLists(spot.orderLists(account))];
}

/** How orders stand that were acknowledged, by their venue's own answers. */
async function standings(one: WaitingVenue, lines: readonly WaitingLine[]): Promise<string[]> {
  const found: string[] = [];
  for (const line of lines) {
    if (line.kind !== 'placed' || line.venue !== one.slug) continue;
    found.push(`${line.name} ${await one.standing(line.id)}`);
  }
  return found.sort();
}

/** What must have become of them once the price has gone six percent. */
function expected(venue: PlatformSlug, lines: readonly WaitingLine[]): string[] {
  const standing = (name: string): Standing =>
    wayOf(name) > 6 ? 'WAITS' : name === 'rests2' ? 'RESTS' : 'FILLED';
  return namesIn(lines, venue, 'placed')
    .map((name) => `${name} ${standing(name)}`)
    .sort();
}

/** Names that were told to be placed, or were under way when the process died. */
function namesIn(lines: readonly WaitingLine[], venue: PlatformSlug, kind: 'sent' | 'placed'): string[] {
  return lines.flatMap((line) => (line.kind === kind && line.venue === venue ? [line.name] : []));
}

/** What is wrong with what is kept: what was told is there, nothing is there twice, and what fired did in its order. */
function misplaced(one: WaitingVenue, lines: readonly WaitingLine[]): string[] {
  const { slug, venue, account, symbol } = one;
  const kept = venue.spot.orders(account, symbol, ALL).map(nameOf);
  const names = [...new Set(kept)];
  const sent = new Set(namesIn(lines, slug, 'sent'));
  const fired = firedIn(one);
  const due = names.filter((name) => wayOf(name) <= 6 && name !== 'rests2');
  // Two orders of one name are a pair, which Bybit does not have.
  const pairs = names.includes('pair4') ? 1 : 0;
  return [
    ...namesIn(lines, slug, 'placed').flatMap((name) => (names.includes(name) ? [] : [`${name} is lost`])),
    // What was under way is there whole, or not at all.
    ...names.flatMap((name) => (sent.has(name) ? [] : [`${name} was never sent`])),
    ...(kept.length === names.length + pairs ? [] : [`there are ${kept.join()}`]),
    ...(fired.join() === due.sort((a, b) => wayOf(a) - wayOf(b)).join() ? [] : [`fired ${fired.join()}`]),
  ];
}

/** After how many acknowledgements the process dies: with orders under way, and with all of them waiting. */
const DEATHS = FULL ? [1, 4, 8, 11, 15] : [13];

test.each(DEATHS)(
  'orders on pairs that wait outlast kill -9 after %i acknowledgements, and one while they fire: each fires once, in its order',
  async (acknowledged) => {
    const lines = await killedAt(
      PLACED_AT,
      'place',
      (all) => all.filter(({ kind }) => kind === 'placed').length >= acknowledged,
    );
    movePrice(directory, -6, PLACED_AT + MINUTE_MILLIS);
    const later = PLACED_AT + 2 * MINUTE_MILLIS;
    await killedAt(later, 'open', (all) => all.some(({ kind }) => kind === 'opened'));
    const venues = await openWaiting(directory, later + MINUTE_MILLIS);
    try {
      for (const one of venues) {
        const { slug } = one;
        expect(await standings(one, lines), slug).toEqual(expected(slug, lines));
        expect([...misplaced(one, lines), ...broken(one)], slug).toEqual([]);
        // What was too far waits on, and fires when its price comes.
        one.venue.spot.shock(one.symbol, 0.8);
        one.advance(5_000);
        const after = expected(slug, lines).map((text) => text.replace('WAITS', 'FILLED'));
        expect([await standings(one, lines), ...broken(one)], slug).toEqual([after]);
      }
    } finally {
      for (const one of venues) await one.close();
    }
  },
  120_000,
);
