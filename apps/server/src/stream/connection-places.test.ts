import type { UserId } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONNECTION_CAPS, ConnectionPlaces, connectionCaps } from './connection-places.ts';

const CAPS = { all: 8, strangers: 6, perNetwork: 5, strangersPerNetwork: 3, perMember: 2 };
const seven = 7 as UserId;

/** Lets clients in by name of their network and a number; the answers, and who is there at the end. */
function world(caps = CAPS) {
  const places = new ConnectionPlaces<string>(caps);
  const inside = new Set<string>();
  let made = 0;
  const leave = (client: string) => {
    places.leave(client);
    inside.delete(client);
  };
  return {
    ...{ places, inside, leave },
    come(network: string): string | undefined {
      const answer = places.ask(network);
      if (!answer.ok) return undefined;
      if (answer.leaves !== undefined) leave(answer.leaves);
      made += 1;
      const client = `${network}${made}`;
      places.enter(client, network);
      inside.add(client);
      return client;
    },
  };
}

describe('places of live connections', () => {
  test('one network has its part of strangers, and more of it are refused however often they come', () => {
    const { places, come } = world();
    expect([1, 2, 3, 4, 5].map(() => come('a') !== undefined)).toEqual([true, true, true, false, false]);
    expect(places.ask('a')).toEqual({ ok: false, why: 'network-full' });
    expect(come('b')).toBeDefined();
  });

  test('members of a network count against its whole, not against its strangers', () => {
    const { places, come } = world();
    for (const user of [1, 2]) expect(places.belongsTo(come('a') ?? '', user as UserId)).toBe(true);
    expect([1, 2, 3, 4].map(() => come('a') !== undefined)).toEqual([true, true, true, false]);
  });

  test('where strangers are full, the network with most of them makes room, oldest first', () => {
    const { inside, come } = world();
    for (const network of ['a', 'a', 'a', 'b', 'b', 'c']) come(network);
    expect(come('d')).toBe('d7');
    expect(inside.has('a1')).toBe(false);
    expect(come('a')).toBeUndefined();
    expect(inside.size).toBe(6);
  });

  test('where everybody has one, a newcomer is told that all is full', () => {
    const { places, come } = world();
    for (const network of ['a', 'b', 'c', 'd', 'e', 'f']) come(network);
    expect(places.ask('g')).toEqual({ ok: false, why: 'full' });
  });

  test('a member has so many, gives them back, and is a stranger again after logging out', () => {
    const { places, come, leave } = world();
    const [one, two, three] = [come('a'), come('b'), come('c')].map((client) => client ?? '');
    expect([one, two, three].map((client) => places.belongsTo(client ?? '', seven))).toEqual([
      true,
      true,
      false,
    ]);
    expect(places.belongsTo(one ?? '', undefined)).toBe(true);
    expect(places.belongsTo(three ?? '', seven)).toBe(true);
    leave(two ?? '');
    expect(places.belongsTo(one ?? '', seven)).toBe(true);
  });

  test('whatever comes, logs in and goes, no cap is broken and nothing is counted twice', () => {
    const step = fc.record({
      act: fc.constantFrom('come', 'come', 'login', 'logout', 'leave'),
      at: fc.nat(20),
      user: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const { places, inside, come, leave } = world();
        const users = new Map<string, number>();
        for (const { act, at, user } of steps) {
          const client = [...inside][at % Math.max(1, inside.size)] ?? '';
          if (act === 'come') come('abcde'[at % 5] ?? 'a');
          else if (act === 'login' && places.belongsTo(client, user as UserId)) users.set(client, user);
          else if (act === 'logout' && places.belongsTo(client, undefined)) users.delete(client);
          else if (act === 'leave') leave(client);
          for (const known of users.keys()) if (!inside.has(known)) users.delete(known);
          expect(places.size).toBe(inside.size);
          expect(inside.size).toBeLessThanOrEqual(CAPS.all);
          const ofMember = [1, 2, 3, 4].map((one) => [...users.values()].filter((id) => id === one).length);
          expect(Math.max(...ofMember)).toBeLessThanOrEqual(CAPS.perMember);
          const ofNetwork = [...'abcde'].map(
            (name) => [...inside].filter((one) => one.startsWith(name)).length,
          );
          expect(Math.max(...ofNetwork)).toBeLessThanOrEqual(CAPS.perNetwork);
        }
        for (const client of [...inside]) leave(client);
        // Nothing is left over: as many come in as at the beginning.
        expect(['a', 'a', 'a', 'b', 'b', 'b'].map((network) => come(network))).not.toContain(undefined);
      }),
    );
  });

  test('the factor multiplies what one network may have, and nothing else', () => {
    expect(connectionCaps(2)).toEqual({ ...CONNECTION_CAPS, perNetwork: 600, strangersPerNetwork: 200 });
  });
});
