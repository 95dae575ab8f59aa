import type { Millis } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { TestSocket, unique } from '../../wire/rig.fixture.ts';
import { BTC, type Member, MemberRig } from '../perps/member-rig.fixture.ts';

const rig = openedOnce(() => MemberRig.open());
let member: Member;
let socket: TestSocket;
beforeEach(async () => {
  rig.core.marks.set('BTCUSDT', 60_000);
  member = await rig.member(unique('listener'));
  socket = await member.listen('order', 'execution', 'position', 'wallet');
});
afterEach(() => {
  socket.close();
  rig.core.clearHouse('BTCUSDT');
});

/** All that was reported, in order; a pong proves that nothing is on its way. */
async function reported(listening = socket) {
  await rig.core.quiet();
  listening.send({ req_id: `ping-${listening.heard.length}`, op: 'ping' });
  await listening.hear((message) => message.op === 'pong');
  // biome-ignore lint/suspicious/noExplicitAny: messages are what is under test
  const messages: any[] = listening.heard.splice(0).filter(({ topic }) => topic !== undefined);
  return messages.flatMap(({ topic, data }) => data.map((row: object) => ({ topic, ...row })));
}
// biome-ignore lint/suspicious/noExplicitAny: see above
const short = (row: any) =>
  ({
    order: () => `order ${row.orderStatus} ${row.cancelType}`,
    execution: () => `execution ${row.execType} ${row.execQty}`,
    position: () => `position ${row.positionStatus} ${row.side}${row.size}`,
    wallet: () => `wallet ${row.coin[0].walletBalance}`,
  })[row.topic as 'order' | 'execution' | 'position' | 'wallet']();
const lines = async () => (await reported()).map(short);

describe('the order of events', () => {
  test('an order, its execution, its position, and the wallet behind them', async () => {
    await member.trade('Buy', '0.5', 60_000);
    const rows = await reported();
    expect(rows.map(short)).toEqual([
      'order Filled UNKNOWN',
      'execution Trade 0.5',
      'position Normal Buy0.5',
      'wallet 9983.5',
    ]);
    const [order, execution, position, wallet] = rows;
    expect(order).toMatchObject({
      category: 'linear',
      orderType: 'Market',
      closedPnl: '0',
      cumExecFee: '16.5',
    });
    expect(execution).toMatchObject({
      category: 'linear',
      orderId: order.orderId,
      execPnl: '0',
      seq: position.seq,
    });
    expect(position).toMatchObject({
      category: 'linear',
      entryPrice: '60000',
      positionIdx: 0,
      leverage: '10',
    });
    expect(position).not.toHaveProperty('avgPrice');
    expect(wallet.coin[0]).toMatchObject({ coin: 'USDT', totalPositionIM: '3014.85' });
  });

  test('a position is reported with every order that is made, changed or cancelled', async () => {
    await member.order('Buy', '0.01', { at: '59000', orderLinkId: 'mine' });
    await member.ask('POST order/amend', { ...BTC, orderLinkId: 'mine', qty: '0.02' });
    await member.ask('POST order/cancel', { ...BTC, orderLinkId: 'mine' });
    const each = (status: string) => [`order ${status}`, 'position Normal 0', 'wallet 10000'];
    expect(await lines()).toEqual(
      [each('New UNKNOWN'), each('New UNKNOWN'), each('Cancelled CancelByUser')].flat(),
    );
  });

  test('an order that waits, fires and is filled keeps its id', async () => {
    const stop = { triggerPrice: '61000', triggerDirection: 1, triggerBy: 'MarkPrice', orderLinkId: 'stop' };
    await member.order('Buy', '0.01', stop);
    await member.ask('POST order/amend', { ...BTC, orderLinkId: 'stop', triggerPrice: '60900' });
    rig.core.house('BTCUSDT', 'SELL', 61_000, 10);
    rig.core.mark('BTCUSDT', 60_950);
    await member.order('Buy', '0.01', { ...stop, orderLinkId: 'other' });
    await member.ask('POST order/cancel', { ...BTC, orderLinkId: 'other' });
    const rows = await reported();
    expect(rows.map(short).filter((line) => !line.startsWith('wallet'))).toEqual([
      ...['order Untriggered UNKNOWN', 'position Normal 0', 'order Untriggered UNKNOWN', 'position Normal 0'],
      ...[
        'order Triggered UNKNOWN',
        'order Filled UNKNOWN',
        'execution Trade 0.01',
        'position Normal Buy0.01',
      ],
      ...['order Untriggered UNKNOWN', 'position Normal Buy0.01'],
      ...['order Deactivated CancelByUser', 'position Normal Buy0.01'],
    ]);
    const named = rows.filter(({ orderLinkId }) => orderLinkId === 'stop').map(({ orderId }) => orderId);
    expect([named.length, new Set(named).size]).toEqual([5, 1]);
  });

  test('a leg of a position fires and closes it, and then the other one is told to be over', async () => {
    await member.trade('Buy', '0.01', 60_000);
    const legs = {
      takeProfit: '62000',
      stopLoss: '58000',
      tpTriggerBy: 'MarkPrice',
      slTriggerBy: 'MarkPrice',
    };
    const part = { tpslMode: 'Partial', tpSize: '0.01', slSize: '0.01', positionIdx: 0 };
    await member.ask('POST position/trading-stop', { ...BTC, ...part, ...legs });
    await reported();
    rig.core.house('BTCUSDT', 'BUY', 57_990, 10);
    rig.core.mark('BTCUSDT', 58_000);
    const rows = (await reported()).filter(({ topic }) => topic !== 'wallet');
    expect(rows.map((row) => `${row.stopOrderType ?? ''} ${short(row)}`.trim())).toEqual([
      'PartialStopLoss order Triggered UNKNOWN',
      'PartialStopLoss order Filled UNKNOWN',
      ...['PartialStopLoss execution Trade 0.01', 'position Normal 0'],
      'PartialTakeProfit order Deactivated CancelByOCOTpCanceledBySlTriggered',
      'position Normal 0',
    ]);
  });

  test('fills in parts, a flip, a close', async () => {
    rig.core.house('BTCUSDT', 'SELL', 60_000, 100);
    await member.trade('Buy', '0.3', 60_001);
    expect(await lines()).toEqual([
      'order PartiallyFilled UNKNOWN',
      'execution Trade 0.1',
      'position Normal Buy0.1',
      'order Filled UNKNOWN',
      'execution Trade 0.2',
      'position Normal Buy0.3',
      expect.stringMatching(/^wallet/),
    ]);
    rig.core.clearHouse('BTCUSDT');
    await member.trade('Sell', '0.5', 61_000);
    const rows = await reported();
    expect(rows.map(short).slice(0, 3)).toEqual([
      'order Filled UNKNOWN',
      'execution Trade 0.5',
      'position Normal Sell0.2',
    ]);
    expect(rows[1]).toMatchObject({ closedSize: '0.3' });
    expect(Number(rows[0].closedPnl)).toBeGreaterThan(200);
    await member.trade('Buy', '0.2', 61_000);
    expect((await lines()).slice(0, 3)).toEqual([
      'order Filled UNKNOWN',
      'execution Trade 0.2',
      'position Normal 0',
    ]);
  });

  test('in hedge mode both legs are reported, the empty one too', async () => {
    await member.ask('POST position/switch-mode', { ...BTC, mode: 3 });
    await member.trade('Sell', '0.1', 60_000, { positionIdx: 2 });
    const positions = (await reported()).filter(({ topic }) => topic === 'position');
    expect(positions).toMatchObject([
      { positionIdx: 1, side: '', size: '0' },
      { positionIdx: 2, side: 'Sell', size: '0.1' },
    ]);
  });

  test('funding is an execution, and the wallet', async () => {
    await member.trade('Buy', '0.5', 60_000);
    await reported();
    rig.core.perps.fundNow('BTCUSDT');
    expect(await lines()).toEqual(['execution Funding 0.5', 'wallet 9980.5']);
  });

  test('leverage is reported by the position, margin by position and wallet', async () => {
    await member.ask('POST account/set-margin-mode', { setMarginMode: 'ISOLATED_MARGIN' });
    await member.trade('Buy', '0.1', 60_000);
    await reported();
    await member.ask('POST position/set-leverage', { ...BTC, buyLeverage: '20', sellLeverage: '20' });
    expect((await reported())[0]).toMatchObject({ topic: 'position', leverage: '20' });
    await member.ask('POST position/add-margin', { ...BTC, margin: '10' });
    expect(await lines()).toEqual(['position Normal Buy0.1', expect.stringMatching(/^wallet/)]);
  });
});

test('another margin mode is reported by every position that goes along, and then by the wallet', async () => {
  await member.trade('Buy', '0.1', 60_000);
  await reported();
  await member.ask('POST account/set-margin-mode', { setMarginMode: 'ISOLATED_MARGIN' });
  const [moved, wallet, ...others] = await reported();
  expect(moved).toMatchObject({ topic: 'position', size: '0.1', positionBalance: '602.97' });
  expect(wallet).toMatchObject({ topic: 'wallet', accountIMRate: '', totalAvailableBalance: '' });
  await member.ask('POST account/set-margin-mode', { setMarginMode: 'REGULAR_MARGIN' });
  expect([...others, ...(await lines())]).toEqual([
    'position Normal Buy0.1',
    expect.stringMatching(/^wallet/),
  ]);
});

describe('what the venue does by force', () => {
  test('a liquidation: orders first, the position as it stands, its order, its execution, the wallet', async () => {
    await member.ask('POST account/set-margin-mode', { setMarginMode: 'ISOLATED_MARGIN' });
    await member.trade('Buy', '0.5', 60_000);
    await member.order('Buy', '0.001', { at: '50000' });
    await reported();
    rig.core.clearHouse('BTCUSDT');
    rig.core.mark('BTCUSDT', 54_000);
    const rows = await reported();
    expect(rows.map(short)).toEqual([
      'order Cancelled CancelByPrepareLiq',
      expect.stringMatching(/^position/),
      'position Liq Buy0.5',
      'order Filled UNKNOWN',
      'execution BustTrade 0.5',
      'position Normal 0',
      expect.stringMatching(/^wallet/),
    ]);
    expect(rows[3]).toMatchObject({ createType: 'CreateByLiq', orderLinkId: '', reduceOnly: true });
    expect(rows[4]).toMatchObject({
      ...{ createType: 'CreateByTakeOver_PassThrough', execPrice: '54000', execFee: '0', execPnl: '-3000' },
    });
    const { list } = await member.ask('GET account/transaction-log', { type: 'LIQUIDATION' });
    expect(list.at(-1)).toMatchObject({ cashFlow: '-3000', tradeId: rows[4].execId });
  });

  test('a winner who is deleveraged, without a fee', async () => {
    const loser = await rig.member(unique('loser'), '3400');
    const poor = -rig.core.perps.insuranceFund() as never;
    await loser.trade('Buy', '0.5', 60_000);
    await member.trade('Sell', '0.5', 60_000);
    await reported();
    rig.core.perps.moveFund(poor);
    rig.core.clearHouse('BTCUSDT');
    rig.core.mark('BTCUSDT', 50_000);
    const rows = await reported();
    expect(rows.map(short)).toEqual([
      'order Filled UNKNOWN',
      'execution AdlTrade 0.5',
      'position Normal 0',
      expect.stringMatching(/^wallet/),
    ]);
    expect(rows[0]).toMatchObject({ createType: 'CreateByAdl_PassThrough', side: 'Buy' });
    expect(rows[1]).toMatchObject({ execFee: '0', closedSize: '0.5' });
    rig.core.perps.moveFund(1_000_000n as never);
  });
});

test('the public hears of a liquidation, and what the fund holds', async () => {
  const open = rig.url.replace('http', 'ws');
  const heard = await new TestSocket(`${open}/v5/public/linear`).whenOpen();
  const topics = ['allLiquidation.BTCUSDT', 'insurance.USDT'];
  heard.send({ req_id: 'l', op: 'subscribe', args: topics });
  expect(await heard.hear((message) => message.req_id === 'l')).toMatchObject({ success: true });
  await member.ask('POST account/set-margin-mode', { setMarginMode: 'ISOLATED_MARGIN' });
  await member.trade('Buy', '0.5', 60_000);
  rig.core.clearHouse('BTCUSDT');
  rig.core.mark('BTCUSDT', 54_000);
  await rig.core.quiet();
  rig.core.now = (rig.core.now + 1_000) as Millis;
  expect(await heard.hear(({ topic }) => topic === 'allLiquidation.BTCUSDT')).toMatchObject({
    type: 'snapshot',
    data: [{ s: 'BTCUSDT', S: 'Buy', v: '0.500', p: '54000' }],
  });
  heard.close();
  const { list } = await member.ask('GET market/insurance', { coin: 'USDT' });
  expect(list).toMatchObject([
    { coin: 'USDT', symbols: 'BTCUSDT,ETHUSDT', balance: expect.stringMatching(/^[0-9]/) },
  ]);
  expect(await member.ask('GET market/insurance', { coin: 'BTC' })).toMatchObject({ list: [] });
  const [alert] = (await member.ask('GET market/adlAlert', { symbol: 'BTCUSDT' })).list;
  expect(alert).toMatchObject({ symbol: 'BTCUSDT', balance: list[0].balance });
  expect(await member.ask('GET market/price-limit', { symbol: 'BTCUSDT' })).toMatchObject({
    ...{ buyLmt: '270000.0', sellLmt: '10800.0' },
  });
});

describe('topics', () => {
  test('of contracts alone, of pairs alone, and the fast ones', async () => {
    const topics = [
      'order.linear',
      'order.spot',
      'execution.fast',
      'execution.fast.linear',
      'position.linear',
    ];
    const other = await member.listen(...topics);
    await member.trade('Buy', '0.1', 60_000, { orderLinkId: 'fast' });
    const rows = await reported(other);
    expect(rows.map(({ topic }) => topic).toSorted()).toEqual(
      ['execution.fast', 'execution.fast.linear', 'order.linear', 'position.linear'].toSorted(),
    );
    const [fast] = rows.filter(({ topic }) => topic === 'execution.fast');
    expect(Object.keys(fast).toSorted()).toEqual(
      'category execId execPrice execQty execTime isMaker orderId orderLinkId seq side symbol topic'.split(
        ' ',
      ),
    );
    expect(fast).toMatchObject({ orderLinkId: 'fast', execQty: '0.1', isMaker: false });
    other.close();
  });
});

describe('the trade socket', () => {
  test('places, amends and cancels contracts, alone and in batches, with the answers of REST', async () => {
    const trade = await member.socket('/v5/trade');
    let asked = 0;
    const ask = async (op: string, parameters: object) => {
      asked += 1;
      const header = { 'X-BAPI-TIMESTAMP': String(rig.core.now) };
      trade.send({ reqId: `r-${asked}`, header, op, args: [parameters] });
      return await trade.hear((message) => message.reqId === `r-${asked}`);
    };
    const order = { ...BTC, side: 'Buy', orderType: 'Limit', qty: '0.01', price: '59000' };
    const placed = await ask('order.create', { ...order, orderLinkId: 's-1' });
    expect(placed).toMatchObject({ retCode: 0, data: { orderLinkId: 's-1' } });
    const { orderId } = placed.data;
    expect(await ask('order.amend', { ...BTC, orderId, price: '58000' })).toMatchObject({ retCode: 0 });
    expect(await ask('order.cancel', { ...BTC, orderId })).toMatchObject({ retCode: 0, data: { orderId } });
    expect(await ask('order.create', { ...order, qty: '10' })).toMatchObject({ retCode: 110_007 });
    const batch = { category: 'linear', request: [order, { ...order, side: 'Sell', reduceOnly: true }] };
    const several = await ask('order.create-batch', batch);
    expect(several.retExtInfo.list.map((one: { code: number }) => one.code)).toEqual([0, 110_017]);
    trade.close();
  });
});
