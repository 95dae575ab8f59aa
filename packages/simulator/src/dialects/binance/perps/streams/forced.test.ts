import { beforeEach, expect, test } from 'vitest';
import { openedForEach } from '../../../../../../../tests/opened.ts';
import { type Member, MemberRig } from '../member-rig.fixture.ts';

/** What the venue does by itself, as its streams and lists tell it. */

const rig = openedForEach(() => MemberRig.open());
let member: Member;

beforeEach(async () => {
  member = await rig.member('alice', '5000');
});

const SYMBOL = 'BTCUSDT';

test('a liquidation: orders expire, the venue’s order is calculated, then the account, then the insurance', async () => {
  await member.ask('POST /fapi/v1/marginType', { symbol: SYMBOL, marginType: 'ISOLATED' });
  await member.trade('BUY', '0.5', 60_000);
  await member.order('SELL', '0.1', { at: '61000', reduceOnly: 'true' });
  rig.core.house(SYMBOL, 'BUY', 57_200, 2_000);
  const socket = await member.listen();
  const tape = await rig.socket('/market/ws/btcusdt@forceOrder');
  rig.core.mark(SYMBOL, 57_228);
  await tape.hear(({ e }) => e === 'forceOrder');
  await socket.hear(({ a }) => a?.m === 'INSURANCE_CLEAR');
  const heard = socket.heard.filter(({ e }) => e !== 'MARGIN_CALL');
  expect(heard.map(({ o, a, e }) => (o === undefined ? (a?.m ?? e) : `${o.x} ${o.X} ${o.er}`))).toEqual([
    'EXPIRED EXPIRED 5',
    'NEW NEW 0',
    'CALCULATED FILLED 0',
    'ORDER',
    'INSURANCE_CLEAR',
  ]);
  expect(heard[2].o).toMatchObject({
    c: `autoclose-${heard[2].o.i}`,
    S: 'SELL',
    l: '0.500',
    rp: '-1400.00000000',
  });
  expect(heard[3].a.P).toMatchObject([{ pa: '0', mt: 'isolated' }]);
  expect(heard[4].a.B).toMatchObject([{ wb: '3485.00000000', bc: '-100.00000000' }]);
  expect(tape.heard[0].o).toMatchObject({ s: SYMBOL, S: 'SELL', q: '0.500' });
  const [forced] = await member.ask('GET /fapi/v1/forceOrders', { autoCloseType: 'LIQUIDATION' });
  expect(forced).toMatchObject({ clientOrderId: heard[2].o.c, status: 'FILLED', avgPrice: '57200.00000' });
  expect(await member.ask('GET /fapi/v1/forceOrders', { autoCloseType: 'ADL' })).toEqual([]);
  const cleared = await member.ask('GET /fapi/v1/income', { incomeType: 'INSURANCE_CLEAR' });
  expect(cleared).toMatchObject([{ income: '-100.00000000', symbol: SYMBOL }]);
  socket.close();
  tape.close();
});

test('funding: cross tells of money alone, isolated of its position; the income list has its number', async () => {
  const other = await rig.member('bob', '5000');
  await other.ask('POST /fapi/v1/marginType', { symbol: SYMBOL, marginType: 'ISOLATED' });
  await member.trade('BUY', '0.25', 60_000);
  await other.trade('SELL', '0.25', 60_000);
  const sockets = [await member.listen(), await other.listen()] as const;
  rig.core.perps.fundNow(SYMBOL);
  const [paid, received] = await Promise.all(
    sockets.map((socket) => socket.hear(({ a }) => a?.m === 'FUNDING_FEE')),
  );
  expect(paid.a).toMatchObject({ B: [{ a: 'USDT', bc: '-1.50000000' }], P: [] });
  expect(received.a).toMatchObject({
    B: [{ bc: '1.50000000' }],
    P: [{ pa: '-0.250', mt: 'isolated', ps: 'BOTH' }],
  });
  const [entry] = await member.ask('GET /fapi/v1/income', { incomeType: 'FUNDING_FEE' });
  expect(entry).toMatchObject({ symbol: SYMBOL, income: '-1.50000000', info: 'FUNDING_FEE', tradeId: '' });
  expect(entry.tranId).toBeGreaterThan(0);
  for (const socket of sockets) socket.close();
});

test('a transfer between the wallets has one number in all lists, and is told as a withdrawal or deposit', async () => {
  const socket = await member.listen();
  const move = { type: 'UMFUTURE_MAIN', asset: 'USDT', amount: '12.5' };
  const { tranId } = await member.ask('POST /sapi/v1/asset/transfer', move);
  const rows = await member.ask('GET /fapi/v1/income', { incomeType: 'TRANSFER' });
  expect(rows[1]).toMatchObject({ tranId, income: '-12.50000000' });
  const history = await member.ask('GET /sapi/v1/asset/transfer', { type: move.type });
  expect(history.rows).toMatchObject([{ tranId, amount: '12.50000000' }]);
  await member.ask('POST /sapi/v1/asset/transfer', { ...move, type: 'MAIN_UMFUTURE' });
  await socket.hear(({ a }) => a?.m === 'DEPOSIT');
  expect(socket.heard.map(({ a }) => [a.m, a.B[0].bc, a.P])).toEqual([
    ['WITHDRAW', '-12.50000000', []],
    ['DEPOSIT', '12.50000000', []],
  ]);
  socket.close();
});
