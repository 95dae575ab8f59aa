import { amount, type OrderStatus } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { advance } from './order-progress.ts';
import { CANCELLED, FAIL, FILLED, NEW, OPEN, PART, REJECT, UNKNOWN } from './trading-world.fixture.ts';

const NAMES = ['UNKNOWN', 'NEW', 'OPEN', 'CANCELLED', 'FILLED', 'PART', 'REJECT', 'FAIL'];
const INCIDENT = true;

/** From, settled, executed so far; the venue's word and its executed quantity; what comes of it. */
const TABLE: readonly [
  OrderStatus,
  boolean,
  string,
  OrderStatus,
  string,
  OrderStatus,
  typeof INCIDENT | undefined,
][] = [
  // The venue acknowledges.
  [NEW, false, '0', OPEN, '0', OPEN, undefined],
  [NEW, false, '0', REJECT, '0', REJECT, undefined],
  // A fill arrives before the acknowledgement, which then changes nothing.
  [NEW, false, '0', PART, '1', PART, undefined],
  [NEW, false, '0', FILLED, '5', FILLED, undefined],
  [PART, false, '1', OPEN, '0', PART, undefined],
  [NEW, false, '0', CANCELLED, '0', CANCELLED, undefined],
  // A lookup finds an order whose outcome was unknown.
  [UNKNOWN, false, '0', OPEN, '0', OPEN, undefined],
  [UNKNOWN, false, '0', PART, '1', PART, undefined],
  [UNKNOWN, false, '0', FILLED, '5', FILLED, undefined],
  [UNKNOWN, false, '0', CANCELLED, '2', CANCELLED, undefined],
  [UNKNOWN, false, '2', OPEN, '0', PART, undefined],
  [UNKNOWN, false, '0', REJECT, '0', REJECT, undefined],
  // Working.
  [OPEN, false, '0', OPEN, '0', OPEN, undefined],
  [OPEN, false, '0', PART, '1', PART, undefined],
  [OPEN, false, '0', FILLED, '5', FILLED, undefined],
  [OPEN, false, '0', CANCELLED, '0', CANCELLED, undefined],
  [PART, false, '1', PART, '2', PART, undefined],
  [PART, false, '2', PART, '1', PART, undefined],
  [PART, false, '2', PART, '2', PART, undefined],
  [PART, false, '2', FILLED, '5', FILLED, undefined],
  [PART, false, '2', CANCELLED, '2', CANCELLED, undefined],
  // What the venue had taken it cannot refuse any more: it ended it.
  [OPEN, false, '0', REJECT, '0', CANCELLED, undefined],
  [PART, false, '2', REJECT, '2', CANCELLED, undefined],
  [UNKNOWN, false, '0', REJECT, '1', CANCELLED, undefined],
  // Cancelled, its fills not all booked: late fills are booked, it stays cancelled unless the venue filled it first.
  [CANCELLED, false, '0', PART, '2', CANCELLED, undefined],
  [CANCELLED, false, '2', PART, '2', CANCELLED, undefined],
  [CANCELLED, false, '2', OPEN, '0', CANCELLED, undefined],
  [CANCELLED, false, '2', FILLED, '5', FILLED, undefined],
  [CANCELLED, false, '5', FILLED, '5', FILLED, undefined],
  // Filled stays filled: a cancel's answer, an older event, a repetition.
  [FILLED, false, '5', CANCELLED, '5', FILLED, undefined],
  [FILLED, false, '3', PART, '5', FILLED, undefined],
  [FILLED, true, '5', CANCELLED, '5', FILLED, undefined],
  [FILLED, true, '5', FILLED, '5', FILLED, undefined],
  [FILLED, true, '5', OPEN, '0', FILLED, undefined],
  // What was over comes back.
  [FILLED, true, '5', FILLED, '6', UNKNOWN, INCIDENT],
  [CANCELLED, true, '2', CANCELLED, '3', UNKNOWN, INCIDENT],
  [CANCELLED, true, '2', FILLED, '5', UNKNOWN, INCIDENT],
  [REJECT, true, '0', OPEN, '0', UNKNOWN, INCIDENT],
  [REJECT, true, '0', FILLED, '5', UNKNOWN, INCIDENT],
  [REJECT, true, '0', CANCELLED, '1', UNKNOWN, INCIDENT],
  [FAIL, true, '0', OPEN, '0', UNKNOWN, INCIDENT],
  [FAIL, true, '0', PART, '1', UNKNOWN, INCIDENT],
  [FAIL, true, '0', CANCELLED, '1', UNKNOWN, INCIDENT],
  // What was over and stays over.
  [CANCELLED, true, '2', CANCELLED, '2', CANCELLED, undefined],
  [CANCELLED, true, '2', PART, '1', CANCELLED, undefined],
  [REJECT, true, '0', REJECT, '0', REJECT, undefined],
  [REJECT, true, '0', CANCELLED, '0', REJECT, undefined],
  [FAIL, true, '0', REJECT, '0', FAIL, undefined],
  [FAIL, true, '0', CANCELLED, '0', FAIL, undefined],
];

describe('the state table of orders', () => {
  const rows = TABLE.map((row) => {
    const [from, settled, had, says, has, to, incident] = row;
    const name = `${NAMES[from]}${settled ? ' settled' : ''} at ${had}, venue says ${NAMES[says]} at ${has}`;
    return { name: `${name}: ${NAMES[to]}${incident === undefined ? '' : ' and an incident'}`, row };
  });
  test.each(rows)('$name', ({ row: [from, settled, had, says, has, to, incident] }) => {
    const standing = { status: from, settled, cumQuantity: amount(had) };
    expect(advance(standing, { status: says, cumulativeQuantity: amount(has) })).toEqual({
      status: to,
      incident: incident === INCIDENT,
    });
  });

  const ALLOWED: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
    [UNKNOWN]: [UNKNOWN, OPEN, CANCELLED, FILLED, PART, REJECT, FAIL],
    [NEW]: [UNKNOWN, NEW, OPEN, CANCELLED, FILLED, PART, REJECT, FAIL],
    [OPEN]: [UNKNOWN, OPEN, CANCELLED, FILLED, PART],
    [PART]: [UNKNOWN, PART, CANCELLED, FILLED],
    [CANCELLED]: [UNKNOWN, CANCELLED, FILLED],
    [FILLED]: [UNKNOWN, FILLED],
    [REJECT]: [UNKNOWN, REJECT],
    [FAIL]: [UNKNOWN, FAIL],
  };
  const status = fc.constantFrom(UNKNOWN, NEW, OPEN, CANCELLED, FILLED, PART, REJECT, FAIL);
  const heard = fc.constantFrom(OPEN, CANCELLED, FILLED, PART, REJECT);
  const quantity = fc.constantFrom('0', '1', '2').map((text) => amount(text));

  test('from any standing by any word only to where the table leads; a comeback is the only incident', () => {
    fc.assert(
      fc.property(
        fc.tuple(status, fc.boolean(), quantity, heard, quantity),
        ([from, settled, had, says, has]) => {
          fc.pre(from !== PART || had > 0n);
          const next = advance(
            { status: from, settled, cumQuantity: had },
            { status: says, cumulativeQuantity: has },
          );
          expect(ALLOWED[from]).toContain(next.status);
          if (next.incident) expect(next.status).toBe(UNKNOWN);
          if (from !== UNKNOWN && next.status === UNKNOWN) expect(next.incident).toBe(true);
        },
      ),
    );
  });
});
