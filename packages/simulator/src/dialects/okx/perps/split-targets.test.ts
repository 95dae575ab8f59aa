import type { Lots } from '@crossbook/domain';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Params } from '../../wire/rig.fixture.ts';
import { type Member, MemberRig, SWAP } from './member-rig.fixture.ts';

/** Several take profits of one order with a stop for what they leave, how they are changed, and what comes with trigger orders. */

let rig: MemberRig;
let member: Member;

async function begin(): Promise<void> {
  rig = await MemberRig.open();
  rig.core.marks.set(SWAP, 60_000);
  member = await rig.member('splitter', '5000');
}
async function end(): Promise<void> {
  expect(rig.complaints).toEqual([]);
  await rig.close();
}

const TYPES = { tpTriggerPxType: 'mark' };
const FIRST = { attachAlgoClOrdId: 'first', tpTriggerPx: '61000', tpOrdPx: '-1', sz: '2', ...TYPES };
const SECOND = { tpTriggerPx: '62000', tpOrdPx: '-1', sz: '3', ...TYPES };
const STOP = {
  ...{ attachAlgoClOrdId: 'guard', slTriggerPx: '59000', slOrdPx: '-1', slTriggerPxType: 'mark' },
  amendPxOnTriggerType: '1',
};
const BOTH = {
  ...{ attachAlgoClOrdId: 'both', tpTriggerPx: '61000', tpOrdPx: '-1', tpTriggerPxType: 'mark' },
  ...{ slTriggerPx: '59000', slOrdPx: '-1', slTriggerPxType: 'mark' },
};

/** What was refused, or nothing. */
const codeOf = ({ data, code }: { data?: { sCode?: string }[]; code: string }) => data?.[0]?.sCode ?? code;
/** A resting purchase of five at 60000. */
const buy = async (attached: readonly object[] | undefined, more: Params = {}) => {
  const legs = attached === undefined ? {} : { attachAlgoOrds: attached as never };
  const asked = { instId: SWAP, tdMode: 'cross', side: 'buy', ordType: 'limit', sz: '5', px: '60000' };
  return (await member.call('POST trade/order', { ...asked, ...legs, ...more })).body;
};
const bought = async (attached: readonly object[] | undefined, more: Params = {}): Promise<string> => {
  const body = await buy(attached, more);
  if (codeOf(body) !== '0') throw new Error(JSON.stringify(body));
  return body.data[0].ordId;
};
const attachedTo = async (ordId: string) =>
  (await member.ask('GET trade/order', { instId: SWAP, ordId }))[0].attachAlgoOrds;
const amend = async (ordId: string, attachAlgoOrds: readonly object[], more: Params = {}) =>
  codeOf(
    (
      await member.call('POST trade/amend-order', {
        ...{ instId: SWAP, ordId, attachAlgoOrds: attachAlgoOrds as never, ...more },
      })
    ).body,
  );
/** The house sells so much to the order that rests. */
const fill = (contracts: number) => rig.core.house(SWAP, 'SELL', 60_000, (contracts * 100) as Lots);
/** What waits: name, trigger, size. */
const waiting = async (): Promise<string[]> => {
  const rows: Record<string, string>[] = await member.ask('GET trade/orders-algo-pending', {
    ordType: 'conditional,oco',
  });
  return rows.map((row) => `${row.algoClOrdId} ${row.tpTriggerPx}${row.slTriggerPx} ${row.sz}`.trim()).sort();
};
const history = async (state: string): Promise<string[]> => {
  const asked = { ordType: 'conditional,oco', state };
  const rows: Record<string, string>[] = await member.ask('GET trade/orders-algo-history', asked);
  return rows.map((row) => `${row.algoClOrdId} ${row.tpTriggerPx}${row.slTriggerPx} ${row.sz}`.trim());
};

describe('several take profits of one order', () => {
  beforeEach(begin);
  afterEach(end);

  test('stand in its row each with an id of its own, and come once all has filled', async () => {
    const ordId = await bought([FIRST, SECOND, STOP]);
    const rows = await attachedTo(ordId);
    const none = { failCode: '', failReason: '', tpOrdKind: 'condition', amendPxOnTriggerType: '0' };
    const noStop = { slTriggerPx: '', slOrdPx: '', slTriggerPxType: '' };
    const noTarget = { tpTriggerPx: '', tpOrdPx: '', tpTriggerPxType: '', sz: '' };
    const attachAlgoId = expect.stringMatching(/^71[0-9]{16}$/);
    expect(rows).toEqual([
      { ...none, ...noStop, ...FIRST, attachAlgoId },
      { ...none, ...noStop, attachAlgoClOrdId: '', ...SECOND, attachAlgoId },
      { ...none, ...noTarget, ...STOP, attachAlgoId },
    ]);
    expect(new Set(rows.map((row: typeof none & { attachAlgoId: string }) => row.attachAlgoId)).size).toBe(3);
    expect(await waiting()).toEqual([]);
    fill(3);
    expect(await waiting()).toEqual([]);
    fill(2);
    expect(await waiting()).toEqual(['62000 3', 'first 61000 2', 'guard 59000 5']);
  });

  test('are none of an order that is cancelled before it has filled wholly', async () => {
    const ordId = await bought([FIRST, SECOND, STOP]);
    fill(3);
    await member.ask('POST trade/cancel-order', { instId: SWAP, ordId });
    expect(await waiting()).toEqual([]);
  });

  test('do not end each other: the stop is for what is left, goes to the cost with the first, and ends the rest', async () => {
    await bought([FIRST, SECOND, STOP]);
    fill(5);
    const named = { algoClOrdId: 'guard' };
    const find = async () => (await member.ask('GET trade/order-algo', named))[0];
    expect(await find()).toMatchObject({ amendPxOnTriggerType: '1', ordType: 'conditional', sz: '5' });
    rig.core.house(SWAP, 'BUY', 60_900, 1_000 as Lots);
    rig.core.mark(SWAP, 61_000);
    expect([await waiting(), await history('effective')]).toEqual([
      ['62000 3', 'guard 60000 3'],
      ['first 61000 2'],
    ]);
    expect(await member.held()).toEqual([`${SWAP} cross net 3`]);
    rig.core.mark(SWAP, 60_000);
    expect([await waiting(), await member.held()]).toEqual([[], []]);
    expect(await history('effective')).toEqual(['guard 60000 3', 'first 61000 2']);
    expect(await history('canceled')).toEqual(['62000 3']);
  });

  test('that have all fired leave no stop behind', async () => {
    await bought([FIRST, SECOND, { ...STOP, amendPxOnTriggerType: '0' }]);
    fill(5);
    rig.core.house(SWAP, 'BUY', 61_500, 1_000 as Lots);
    rig.core.mark(SWAP, 62_000);
    expect([await waiting(), await member.held()]).toEqual([[], []]);
    expect([await history('effective'), await history('canceled')]).toEqual([
      ['62000 3', 'first 61000 2'],
      ['guard 59000 3'],
    ]);
  });
});

describe('what is attached is changed', () => {
  beforeEach(begin);
  afterEach(end);

  test('by the ids of its entries, or their names, as long as they come to the size', async () => {
    const ordId = await bought([FIRST, SECOND, STOP]);
    const [, { attachAlgoId }] = await attachedTo(ordId);
    const named = { attachAlgoClOrdId: 'first' };
    const changes = [
      { ...named, newTpTriggerPx: '61500', sz: '1' },
      { attachAlgoId, newTpTriggerPxType: 'last', sz: '4' },
    ];
    expect(await amend(ordId, changes)).toBe('51080');
    changes[1] = { attachAlgoId, sz: '4' } as never;
    expect(await amend(ordId, changes)).toBe('0');
    expect(await attachedTo(ordId)).toMatchObject([
      { attachAlgoClOrdId: 'first', tpTriggerPx: '61500', sz: '1' },
      { attachAlgoId, tpTriggerPx: '62000', sz: '4' },
      { slTriggerPx: '59000', amendPxOnTriggerType: '1' },
    ]);
    // A larger order needs larger targets, and the stop may go.
    const grown = [
      { attachAlgoId, sz: '5' },
      { ...named, sz: '1' },
    ];
    expect(await amend(ordId, grown)).toBe('51083');
    const without = [...grown, { attachAlgoClOrdId: 'guard', newSlTriggerPx: '0' }];
    expect(await amend(ordId, without, { newSz: '6' })).toBe('0');
    expect(await attachedTo(ordId)).toMatchObject([{ sz: '1' }, { sz: '5' }]);
    fill(6);
    expect(await waiting()).toEqual(['62000 5', 'first 61500 1']);
  });

  test('one entry alone: its legs are changed, added and taken away, until the order fills', async () => {
    const { tpTriggerPx: _, tpOrdPx: __, tpTriggerPxType: ___, ...loss } = BOTH;
    const ordId = await bought([loss]);
    const [{ attachAlgoId }] = await attachedTo(ordId);
    const profit = { newTpTriggerPx: '61000', newTpOrdPx: '60900' };
    expect(await amend(ordId, [{ attachAlgoId, ...profit }])).toBe('50014');
    expect(await amend(ordId, [{ attachAlgoId, ...profit, newTpTriggerPxType: 'mark' }])).toBe('0');
    expect(await attachedTo(ordId)).toMatchObject([
      { tpTriggerPx: '61000', tpOrdPx: '60900', slTriggerPx: '59000' },
    ]);
    const gone = { attachAlgoId, newSlTriggerPx: '0', newTpOrdPx: '-1' };
    expect(await amend(ordId, [gone])).toBe('0');
    expect(await attachedTo(ordId)).toMatchObject([{ tpOrdPx: '-1', slTriggerPx: '' }]);
    fill(1);
    expect(await amend(ordId, [{ attachAlgoId, newTpTriggerPx: '61500' }])).toBe('51527');
    fill(4);
    expect(await waiting()).toEqual(['both 61000 5']);
  });

  test.each<[string, readonly object[], string]>([
    ['of no entry', [{ newTpTriggerPx: '61500', sz: '2' }], '50015'],
    ['of one that is not there', [{ attachAlgoId: '1', sz: '2' }], '51527'],
    [
      'of one twice',
      [
        { attachAlgoClOrdId: 'first', sz: '2' },
        { attachAlgoClOrdId: 'first', sz: '2' },
      ],
      '51539',
    ],
    ['without its size', [{ attachAlgoClOrdId: 'first', newTpTriggerPx: '61500' }], '51089'],
    ['to another size than the order has', [{ attachAlgoClOrdId: 'first', sz: '1' }], '51083'],
    ['that takes a target away', [{ attachAlgoClOrdId: 'first', newTpTriggerPx: '0', sz: '2' }], '51000'],
    ['to the price of another', [{ attachAlgoClOrdId: 'first', newTpTriggerPx: '62000', sz: '2' }], '51081'],
    ['to the wrong side', [{ attachAlgoClOrdId: 'first', newTpTriggerPx: '59500', sz: '2' }], '51046'],
    ['of the stop to the wrong side', [{ attachAlgoClOrdId: 'guard', newSlTriggerPx: '60500' }], '51047'],
    ['by a share', [{ attachAlgoClOrdId: 'guard', newSlTriggerRatio: '0.1' }], '51000'],
  ])('a change %s is refused', async (_, changes, code) => {
    const ordId = await bought([FIRST, SECOND, STOP]);
    expect(await amend(ordId, changes)).toBe(code);
    expect(await attachedTo(ordId)).toMatchObject([{ sz: '2' }, { sz: '3' }, { slTriggerPx: '59000' }]);
  });

  test('an order that has none gets none', async () => {
    expect(await amend(await bought(undefined), [{ attachAlgoId: '1', newTpTriggerPx: '61500' }])).toBe(
      '51538',
    );
  });
});

describe('several that are refused', () => {
  beforeAll(begin);
  afterAll(end);

  test.each<[string, readonly object[], string]>([
    ['both legs in one entry', [FIRST, { ...BOTH, sz: '3' }], '51076'],
    [
      'eleven targets',
      Array.from({ length: 11 }, (_, at) => ({ ...SECOND, tpTriggerPx: `${61_000 + at}` })),
      '51079',
    ],
    ['more entries than anybody reads', Array.from({ length: 21 }, () => SECOND), '51000'],
    ['two kinds of price', [FIRST, { ...SECOND, tpTriggerPxType: 'last' }], '51080'],
    ['one price twice', [FIRST, { ...SECOND, tpTriggerPx: '61000' }], '51081'],
    ['a target at a limit', [FIRST, { ...SECOND, tpOrdPx: '61900' }], '51082'],
    ['less than the order', [FIRST, { ...SECOND, sz: '2' }], '51083'],
    ['two stops', [FIRST, SECOND, STOP, { ...STOP, attachAlgoClOrdId: 'more' }], '51084'],
    ['the cost of one target', [{ ...FIRST, sz: '5' }, STOP], '51085'],
    ['the cost without targets', [{ ...BOTH, amendPxOnTriggerType: '1' }], '51085'],
    ['a target without a size', [FIRST, { ...SECOND, sz: '' }], '51089'],
    ['one name twice', [FIRST, { ...SECOND, attachAlgoClOrdId: 'first' }], '51065'],
    ['a stop with a size', [FIRST, SECOND, { ...STOP, sz: '5' }], '51000'],
    ['a target that moves', [FIRST, { ...SECOND, amendPxOnTriggerType: '1' }], '51000'],
    [
      'a target in the book beside one that waits',
      [FIRST, { tpOrdPx: '62000', tpOrdKind: 'limit', sz: '3' }],
      '51091',
    ],
    ['a target by a share and a price', [FIRST, { ...SECOND, tpTriggerRatio: '0.1' }], '51000'],
    ['no whole lots', [FIRST, { ...SECOND, sz: '3.001' }], '51121'],
    ['a target on the wrong side', [FIRST, { ...SECOND, tpTriggerPx: '59900' }], '51046'],
  ])('%s', async (_, attached, code) => {
    expect(codeOf(await buy(attached))).toBe(code);
    expect(await member.ask('GET trade/orders-pending', { instType: 'SWAP' })).toEqual([]);
  });
});

describe('what comes with a trigger order', () => {
  beforeEach(begin);
  afterEach(end);
  const TRIGGER = {
    ...{ instId: SWAP, tdMode: 'cross', side: 'buy', sz: '5', ordType: 'trigger', triggerPxType: 'mark' },
    ...{ triggerPx: '59500', orderPx: '59400' },
  };
  const place = async (attached: unknown, more: Params = {}) =>
    (await member.call('POST trade/order-algo', { ...TRIGGER, attachAlgoOrds: attached as never, ...more }))
      .body;
  const legs = { ...BOTH, slTriggerPx: '58000' };

  test('is in its row, can be changed, goes with what it sends, and comes alive with that one’s fills', async () => {
    const { data } = await place([legs]);
    const { algoId } = data[0];
    const find = async () => (await member.ask('GET trade/order-algo', { algoId }))[0];
    expect((await find()).attachAlgoOrds).toEqual([legs]);
    const change = { instId: SWAP, algoId, attachAlgoOrds: [{ newTpTriggerPx: '61500' }] as never };
    expect(codeOf((await member.call('POST trade/amend-algos', change)).body)).toBe('0');
    const wrong = { instId: SWAP, algoId, attachAlgoOrds: [{ newTpTriggerPx: '59000' }] as never };
    expect(codeOf((await member.call('POST trade/amend-algos', wrong)).body)).toBe('51046');
    rig.core.mark(SWAP, 59_500);
    const { ordId, state, attachAlgoOrds } = await find();
    expect([state, attachAlgoOrds]).toEqual(['effective', [{ ...legs, tpTriggerPx: '61500' }]]);
    expect(await attachedTo(ordId)).toMatchObject([{ ...legs, tpTriggerPx: '61500', sz: '' }]);
    expect(await waiting()).toEqual([]);
    rig.core.house(SWAP, 'SELL', 59_400, 500 as Lots);
    expect(await waiting()).toEqual(['both 6150058000 5']);
  });

  test.each<[string, unknown, Params, string]>([
    ['several', [FIRST, SECOND], {}, '51000'],
    ['a text', '[]', {}, '51000'],
    ['a take profit below its price', [{ ...legs, tpTriggerPx: '59300' }], {}, '51046'],
    ['a stop loss above its trigger', [{ ...legs, slTriggerPx: '59600' }], { orderPx: '-1' }, '51047'],
    ['one of a stop', [legs], { ordType: 'conditional', slTriggerPx: '59000', slOrdPx: '-1' }, '51000'],
  ])('%s is refused', async (_, attached, more, code) => {
    expect(codeOf(await place(attached, more))).toBe(code);
    expect(await member.ask('GET trade/orders-algo-pending', { ordType: 'trigger,conditional' })).toEqual([]);
  });
});
