import { type Millis, parseOrderId, uuidV7, type VenueClientId, venueClientId } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attachedId, attachmentOf, PARTS_MAX } from './attached-id.ts';

/** Names of what comes with an order: each tells its order and its part, and no two are the same. */

const EVERY_PART = Array.from({ length: PARTS_MAX + 1 }, (_, part) => part);
const ID = '0190a7b4c2d17e3f8a4b5c6d7e8f9a0b';
/** The same id with every version and every variant that an order of ours may have. */
const EVERY_FORM = [...'12345678'].flatMap((version) =>
  [...'89ab'].map((variant) => `${ID.slice(0, 12)}${version}e3f${variant}${ID.slice(17)}` as VenueClientId),
);
/** As the hub reads the id of an order at a venue. */
const isOrderId = (name: string) =>
  parseOrderId(
    [name.slice(0, 8), name.slice(8, 12), name.slice(12, 16), name.slice(16, 20), name.slice(20)].join('-'),
  ) !== undefined;

test('ten parts, the whole, every version and every variant: all different, all told back, none an order', () => {
  const names = EVERY_FORM.flatMap((parent) => EVERY_PART.map((part) => ({ parent, part })));
  const written = names.map(({ parent, part }) => attachedId(parent, part));
  expect(EVERY_PART).toHaveLength(11);
  expect(new Set(written).size).toBe(8 * 4 * 11);
  expect(written.map(attachmentOf)).toEqual(names);
  for (const name of written)
    expect([name, /^[a-z0-9]{32}$/.test(name), isOrderId(name)]).toEqual([name, true, false]);
});

test('of any two orders no two names are the same, and each tells its own', () => {
  const order = fc
    .tuple(fc.integer({ min: 0, max: 2 ** 48 - 1 }), fc.uint8Array({ minLength: 10, maxLength: 10 }))
    .map(([time, random]) => venueClientId(uuidV7(time as Millis, random)));
  const part = fc.integer({ min: 0, max: PARTS_MAX });
  fc.assert(
    fc.property(order, part, order, part, (one, first, other, second) => {
      expect(attachmentOf(attachedId(one, first))).toEqual({ parent: one, part: first });
      expect(attachmentOf(one)).toBeUndefined();
      expect(attachedId(one, first) === attachedId(other, second)).toBe(one === other && first === second);
    }),
  );
});

test('whatever a name says is what it would be called', () => {
  // Near the names there are: every letter at both places.
  const letters = [...'0123456789abcdefghijklmnopqrstuvwxyzG'];
  const near = letters.flatMap((first) =>
    letters.map((second) => `${ID.slice(0, 12)}${first}e3f${second}${ID.slice(17)}`),
  );
  const known = near.flatMap((name) => {
    const said = attachmentOf(name);
    return said === undefined ? [] : [[name, attachedId(said.parent, said.part)] as const];
  });
  expect(known).toHaveLength(8 * 4 * 11);
  for (const [name, again] of known) expect(again).toBe(name);
});

describe('is of nothing of ours', () => {
  test.each([
    ['an id of an order', ID],
    ['nothing', ''],
    ['a name with another length', `${attachedId(ID as VenueClientId)}0`],
    ['a name in capitals', attachedId(ID as VenueClientId).toUpperCase()],
    ['a word', 'O-attached-oco'],
  ])('%s', (_, name) => expect(attachmentOf(name)).toBeUndefined());
});
