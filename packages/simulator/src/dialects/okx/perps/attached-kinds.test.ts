import type { Lots } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { type Member, MemberRig, SWAP } from './member-rig.fixture.ts';

/**
 * What comes with an order besides legs that wait at a price: targets that rest in the book, legs by a share of the fill's price, a
 * trailing stop (OKX v5 guide, "Place order", `attachAlgoOrds`, 2026).
 */

interface Story {
  readonly rig: MemberRig;
  readonly member: Member;
}

/** A member who may trade, at a mark of 60000, until a claim is over; complaints are faults. */
async function played(claim: (story: Story) => Promise<void>): Promise<void> {
  const rig = await MemberRig.open();
  try {
    rig.core.marks.set(SWAP, 60_000);
    await claim({ rig, member: await rig.member('kinds', '5000') });
    expect(rig.complaints).toEqual([]);
  } finally {
    await rig.close();
  }
}

const STOP = { attachAlgoClOrdId: 'guard', slTriggerPx: '59000', slOrdPx: '-1', slTriggerPxType: 'mark' };
const rests = (tpOrdPx: string, more: object = {}) => ({ tpOrdKind: 'limit', tpOrdPx, ...more });
type Row = Readonly<Record<string, string>>;

const asked = async ({ member }: Story, attached: readonly object[], more: object = {}) => {
  const order = { instId: SWAP, tdMode: 'cross', side: 'buy', ordType: 'limit', sz: '5', px: '60000' };
  return (await member.call('POST trade/order', { ...order, attachAlgoOrds: attached as never, ...more }))
    .body;
};
const bought = async (story: Story, attached: readonly object[], more: object = {}): Promise<string> => {
  const body = await asked(story, attached, more);
  if (body.code !== '0') throw new Error(JSON.stringify(body));
  return body.data[0].ordId;
};
/** The house trades so many contracts at a price, and what follows from it happens. */
const house = async ({ rig }: Story, side: 'BUY' | 'SELL', price: number, contracts: number) => {
  rig.core.house(SWAP, side, price, (contracts * 100) as Lots);
  await Promise.resolve();
};
const resting = async ({ member }: Story): Promise<readonly string[]> => {
  const rows: readonly Row[] = await member.ask('GET trade/orders-pending', { instType: 'SWAP' });
  return rows.map((row) => `${row.side} ${row.sz}@${row.px} ${row.isTpLimit}`).sort();
};
const waiting = async ({ member }: Story, ordType = 'conditional,oco'): Promise<readonly Row[]> =>
  member.ask('GET trade/orders-algo-pending', { ordType });
const stops = async (story: Story) => (await waiting(story)).map((row) => `${row.slTriggerPx} ${row.sz}`);

describe('targets that rest', () => {
  test('are orders from the fill on, linked to the stop, which is for what they have not sold', () =>
    played(async (story) => {
      const { member } = story;
      const legs = [
        rests('61000', { attachAlgoClOrdId: 'first', sz: '2' }),
        rests('62000', { sz: '3' }),
        STOP,
      ];
      const ordId = await bought(story, legs);
      const [{ attachAlgoOrds }] = await member.ask('GET trade/order', { instId: SWAP, ordId });
      expect(attachAlgoOrds).toMatchObject([
        { tpOrdKind: 'limit', tpOrdPx: '61000', tpTriggerPx: '', sz: '2' },
        { tpOrdKind: 'limit', tpOrdPx: '62000', tpTriggerPx: '', sz: '3' },
        { slTriggerPx: '59000' },
      ]);
      await house(story, 'SELL', 60_000, 5);
      expect(await resting(story)).toEqual(['sell 2@61000 true', 'sell 3@62000 true']);
      expect(await stops(story)).toEqual(['59000 5']);
      const [guard] = await waiting(story);
      const [named] = await member.ask('GET trade/order', { instId: SWAP, clOrdId: 'first' });
      expect(named).toMatchObject({
        linkedAlgoOrd: { algoId: guard?.algoId },
        reduceOnly: 'true',
        algoId: '',
      });
      await house(story, 'BUY', 61_000, 1);
      expect([await resting(story), await stops(story)]).toEqual([
        ['sell 2@61000 true', 'sell 3@62000 true'],
        ['59000 4'],
      ]);
      await house(story, 'BUY', 61_000, 1);
      await house(story, 'BUY', 62_000, 3);
      expect([await resting(story), await stops(story), await member.held()]).toEqual([[], [], []]);
    }));

  test('end with the stop that fires, which closes what they have not sold', () =>
    played(async (story) => {
      await bought(story, [rests('61000', { sz: '2' }), rests('62000', { sz: '3' }), STOP]);
      await house(story, 'SELL', 60_000, 5);
      await house(story, 'BUY', 61_000, 1);
      await house(story, 'BUY', 58_900, 100);
      story.rig.core.mark(SWAP, 59_000);
      expect([await resting(story), await stops(story), await story.member.held()]).toEqual([[], [], []]);
      const sold = await story.member.ask('GET trade/fills', { instType: 'SWAP' });
      const size = sold
        .filter((row: Row) => row.side === 'sell')
        .reduce((sum: number, row: Row) => sum + Number(row.fillSz), 0);
      expect(size).toBe(5);
    }));

  test('one for all of it, with its stop in one entry, comes with the end of its order', () =>
    played(async (story) => {
      await bought(story, [{ ...STOP, ...rests('61000') }]);
      await house(story, 'SELL', 60_000, 2);
      expect([await resting(story), await stops(story)]).toEqual([['buy 5@60000 false'], []]);
      await house(story, 'SELL', 60_000, 3);
      expect([await resting(story), await stops(story)]).toEqual([['sell 5@61000 true'], ['59000 5']]);
      await house(story, 'BUY', 61_000, 5);
      expect([await resting(story), await stops(story), await story.member.held()]).toEqual([[], [], []]);
    }));

  test('are there after a restart, and take from the stop as before', () =>
    played(async (story) => {
      await bought(story, [rests('61000', { sz: '2' }), rests('62000', { sz: '3' }), STOP]);
      await house(story, 'SELL', 60_000, 5);
      await story.rig.restarted(() => undefined);
      expect(await resting(story)).toEqual(['sell 2@61000 true', 'sell 3@62000 true']);
      await house(story, 'BUY', 61_000, 2);
      expect([await resting(story), await stops(story)]).toEqual([['sell 3@62000 true'], ['59000 3']]);
    }));

  test('with the stop at the cost: it goes there with the first that is filled', () =>
    played(async (story) => {
      await bought(story, [
        rests('61000', { sz: '2' }),
        rests('62000', { sz: '3' }),
        { ...STOP, amendPxOnTriggerType: '1' },
      ]);
      await house(story, 'SELL', 60_000, 5);
      await house(story, 'BUY', 61_000, 2);
      expect(await stops(story)).toEqual(['60000 3']);
    }));
});

test('legs by a share lie beyond the price of the fill, on either side', () =>
  played(async (story) => {
    const shares = { tpTriggerRatio: '0.05', tpOrdPx: '-1', slTriggerRatio: '0.1', slOrdPx: '-1' };
    const ordId = await bought(story, [shares]);
    const [{ attachAlgoOrds }] = await story.member.ask('GET trade/order', { instId: SWAP, ordId });
    expect(attachAlgoOrds).toMatchObject([{ ...shares, tpTriggerPx: '', slTriggerPx: '' }]);
    await house(story, 'SELL', 60_000, 5);
    expect(await waiting(story)).toMatchObject([{ tpTriggerPx: '63000', slTriggerPx: '54000', sz: '5' }]);
    await bought(story, [{ ...shares, tpTriggerRatio: '-0.05' }], { side: 'sell', px: '61000', sz: '10' });
    await house(story, 'BUY', 61_000, 10);
    const [short] = await waiting(story);
    expect(short).toMatchObject({ tpTriggerPx: '57950', slTriggerPx: '67100', side: 'buy' });
  }));

test('a trailing stop follows from the end of its order on, and closes what has filled', () =>
  played(async (story) => {
    const trailing = { attachAlgoClOrdId: 'trail', callbackRatio: '0.01', activePx: '60500' };
    const advanced = await story.member.listenAt('business', { channel: 'algo-advance', instType: 'SWAP' });
    const ordinary = await story.member.listenAt('business', { channel: 'orders-algo', instType: 'SWAP' });
    await bought(story, [trailing]);
    await house(story, 'SELL', 60_000, 2);
    await house(story, 'SELL', 60_000, 3);
    const [row] = await waiting(story, 'move_order_stop');
    expect(row).toMatchObject({
      ...{ algoClOrdId: 'trail', ordType: 'move_order_stop', sz: '5', side: 'sell', reduceOnly: 'true' },
      ...{ callbackRatio: '0.01', activePx: '60500' },
    });
    const trades = async (price: number) => {
      await story.member.trade('buy', '1', price);
      await Promise.resolve();
    };
    await trades(61_000);
    await house(story, 'BUY', 60_300, 100);
    await trades(60_350);
    expect(await waiting(story, 'move_order_stop')).toEqual([]);
    expect(await story.member.held()).toEqual([`${SWAP} cross net 2`]);
    await advanced.hear(({ data }) => data?.[0]?.algoClOrdId === 'trail' && data[0].state === 'effective');
    expect(ordinary.pushes('orders-algo')).toEqual([]);
  }));

describe('is refused by name, and nothing rests', () => {
  test.each([
    ['a target in the book at market', [rests('-1', { sz: '2' }), rests('62000', { sz: '3' })], '51093'],
    [
      'two targets in the book at one price',
      [rests('61000', { sz: '2' }), rests('61000', { sz: '3' })],
      '51092',
    ],
    ['a target in the book without a price', [{ tpOrdKind: 'limit' }], '50014'],
    ['a target in the book on the wrong side', [rests('59000')], '51046'],
    ['a share of nothing', [{ tpTriggerRatio: '0', tpOrdPx: '-1' }], '51000'],
    ['a share on the wrong side', [{ tpTriggerRatio: '-0.1', tpOrdPx: '-1' }], '51000'],
    ['a stop of all of the price', [{ slTriggerRatio: '1', slOrdPx: '-1' }], '51000'],
    ['a share and a price', [{ tpTriggerRatio: '0.1', tpTriggerPx: '61000', tpOrdPx: '-1' }], '51000'],
    [
      'a trailing stop beside a target',
      [{ callbackRatio: '0.01', tpTriggerPx: '61000', tpOrdPx: '-1' }],
      '51000',
    ],
    ['a trailing stop by nothing', [{ activePx: '61000' }], '50015'],
    ['a trailing stop by too little', [{ callbackRatio: '0.0001' }], '51257'],
    ['a trailing stop among several', [{ callbackRatio: '0.01' }, STOP], '51000'],
  ])('%s', (_, attached, code) =>
    played(async (story) => {
      const body = await asked(story, attached);
      expect(body.data?.[0]?.sCode ?? body.code).toBe(code);
      expect(await resting(story)).toEqual([]);
    }),
  );

  test.each([
    ['a target in the book', { tpTriggerPx: '61000', tpOrdPx: '61000', tpOrdKind: 'limit' }],
    ['a share of the price', { tpTriggerRatio: '0.1', tpOrdPx: '-1' }],
  ])('%s as an algo order of its own', (_, legs) =>
    played(async ({ member }) => {
      const algo = { instId: SWAP, tdMode: 'cross', side: 'sell', sz: '5', ordType: 'conditional', ...legs };
      const { body } = await member.call('POST trade/order-algo', algo as never);
      expect(body.data?.[0]?.sCode ?? body.code).toBe('51000');
    }),
  );
});
