import type { Millis } from '@crossbook/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type TestSocket, unique } from '../../wire/rig.fixture.ts';
import { BTC, type Member, MemberRig } from '../perps/member-rig.fixture.ts';

/** Orders that are cancelled when their owner's connections are gone (order/dcp). */

const rig = openedOnce(() => MemberRig.open());
let member: Member;
let watcher: TestSocket;
beforeEach(async () => {
  member = await rig.member(unique('guarded'));
  watcher = await member.listen('order');
});

const set = (params: object) => member.refusal('POST order/disconnected-cancel-all', params);
const pass = (seconds: number) => {
  rig.core.now = (rig.core.now + seconds * 1_000) as Millis;
};
/** The venue hears of the end of a connection a moment after its owner. */
const passing = () => pass(1);
const stop = { triggerPrice: '70000', triggerDirection: 1 };
const PAIR = { category: 'spot', symbol: 'AAAUSDT', side: 'Buy', orderType: 'Limit', qty: '1', price: '99' };
const ended = () =>
  watcher.heard
    .filter(({ topic }) => topic === 'order')
    .flatMap(({ data }) => data)
    .filter(({ orderStatus }) => orderStatus === 'Cancelled')
    .map(({ category, cancelType }) => `${category} ${cancelType}`);

describe('a window', () => {
  test('is set for each product, and listed', async () => {
    expect(await member.ask('GET account/query-dcp-info')).toEqual({ dcpInfos: [] });
    expect(await member.ask('GET account/info')).toMatchObject({ dcpStatus: 'OFF', timeWindow: 10 });
    expect(await set({ timeWindow: 40 })).toEqual([0, 'OK']);
    expect(await set({ product: 'SPOT', timeWindow: 3 })).toEqual([0, 'OK']);
    const of = (product: string, timeWindow: string) => ({ product, dcpStatus: 'ON', timeWindow });
    expect(await member.ask('GET account/query-dcp-info')).toEqual({
      dcpInfos: [of('OPTIONS', '40'), of('SPOT', '3')],
    });
    expect(await member.ask('GET account/info')).toMatchObject({ dcpStatus: 'ON', timeWindow: 40 });
    for (const wrong of [{ timeWindow: 2 }, { timeWindow: 301 }, {}, { product: 'ALL', timeWindow: 10 }])
      expect((await set(wrong))[0]).toBe(10_001);
  });

  test('passes once the last connection with the topic is gone, and cancels what is in the market', async () => {
    await set({ product: 'DERIVATIVES', timeWindow: 10 });
    await set({ product: 'SPOT', timeWindow: 10 });
    const first = await member.listen('dcp.future', 'dcp.spot');
    const second = await member.listen('dcp.future');
    await member.order('Buy', '0.01', { at: '59000' });
    await member.order('Buy', '0.01', stop);
    await member.ask('POST order/create', PAIR);
    first.close();
    await first.closed;
    await watcher.hear(() => ended().length === 1, passing);
    expect(ended()).toEqual(['spot CancelByDCP']);
    second.close();
    await second.closed;
    await watcher.hear(() => ended().length === 2, passing);
    expect(ended()[1]).toBe('linear CancelByDCP');
    // What waits for a price is not in the market.
    expect((await member.ask('GET order/realtime', BTC)).list).toMatchObject([
      { orderStatus: 'Untriggered' },
    ]);
    const history = (await member.ask('GET order/history', BTC)).list;
    expect(history).toMatchObject([{ orderStatus: 'Cancelled', cancelType: 'CancelByDCP' }]);
  });

  test('begins anew when its owner comes back, and counts for nothing once he wants it no more', async () => {
    await set({ product: 'DERIVATIVES', timeWindow: 10 });
    await member.order('Buy', '0.01', { at: '59000' });
    const gone = await member.listen('dcp.future');
    gone.close();
    await gone.closed;
    const back = await member.listen('dcp.future');
    pass(60);
    await member.order('Buy', '0.01', { at: '58000', orderLinkId: 'later' });
    await member.ask('POST order/cancel', { ...BTC, orderLinkId: 'later' });
    await watcher.hear(() => ended().length === 1);
    expect(ended()).toEqual(['linear CancelByUser']);
    back.send({ req_id: 'off', op: 'unsubscribe', args: ['dcp.future'] });
    await back.hear(({ req_id }) => req_id === 'off');
    back.close();
    await back.closed;
    pass(60);
    await member.order('Buy', '0.01', { at: '58000', orderLinkId: 'last' });
    await member.ask('POST order/cancel', { ...BTC, orderLinkId: 'last' });
    await watcher.hear(() => ended().length === 2, passing);
    expect(ended()).toEqual(['linear CancelByUser', 'linear CancelByUser']);
  });
});
