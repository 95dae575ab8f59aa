import { gzipSync } from 'node:zlib';
import { CALLS, type CallName } from '@crossbook/contract';
import { CALL_SCHEMAS } from '@crossbook/contract/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHub, TEST_PASSWORD, type TestBrowser, type TestHub } from '../main/testing.ts';

let hub: TestHub;
let member: TestBrowser;
let before: string;
beforeAll(async () => {
  hub = await startTestHub();
  member = await hub.member();
  // The empty wallet that a transfer asks for stands from then on; this one has nothing to move.
  const asked = await member.form('/api/connexfunding/UniversalTransfer', {
    ...{ ...TRANSFER, sosflag: '3', stoken: member.stoken ?? '' },
  });
  expect(asked.envelope.code).toBe(4003);
  before = await everything();
});
afterAll(() => hub.close());

const TABLES = [
  ...['members', 'sessions', 'verification_codes', 'ledger_accounts', 'ledger_transfers', 'ledger_holds'],
  ...[
    'orders',
    'order_targets',
    'algo_orders',
    'fills',
    'setting_changes',
    'universal_transfers',
    'test_funds',
  ],
  ...['contract_accounts', 'contract_positions', 'contract_income', 'contract_runs', 'closed_positions'],
];
const EVERYTHING = `select ${TABLES.map(
  (table) => `(select json_agg(row order by row::text) from ${table} row) as ${table}`,
)}`;

/** All that a member owns or is, as text: bad input must leave it as it is. */
async function everything(): Promise<string> {
  const [row] = await hub.database.owner.query<Readonly<Record<string, unknown>>>(EVERYTHING);
  expect(Object.keys(row ?? {})).toEqual(TABLES);
  return JSON.stringify(row);
}

async function ask(name: CallName, fields: Readonly<Record<string, string>>) {
  const answer = await member.form(`/api/${name}`, { sosflag: '3', stoken: member.stoken ?? '', ...fields });
  expect(answer.status).toBe(200);
  expect(await everything()).toBe(before);
  return answer.envelope;
}

const ORDER = { platformType: '43', tinstType: '1', symbol: 'BTCUSDT', side: '1', orderType: '1' };
const LIMIT = { ...ORDER, price: '1', quantity: '1' };
const TRANSFER = { platformType: '43', direction: '1', asset: 'USDT', amount: '1' };
const HISTORY = { platformType: '43' };
const LOGIN = { account: 'a@example.org', password: TEST_PASSWORD, captcha: 'x' };

describe('a field that is missing, wrong or unknown is named', () => {
  test.each<[CallName, Record<string, string>, string, string]>([
    ['connextrade/PlaceOrder', {}, 'platformType', 'required'],
    ['connextrade/PlaceOrder', { ...LIMIT, platformType: '44' }, 'platformType', 'one of 43, 41, 42'],
    ['connextrade/PlaceOrder', { ...LIMIT, platformType: 'binance' }, 'platformType', 'one of 43, 41, 42'],
    ['connextrade/PlaceOrder', { ...LIMIT, platformType: '4.3e1' }, 'platformType', 'one of 43, 41, 42'],
    ['connextrade/PlaceOrder', { ...LIMIT, side: '3' }, 'side', 'one of 1, 2'],
    ['connextrade/PlaceOrder', { ...LIMIT, side: '' }, 'side', 'one of 1, 2'],
    ['connextrade/PlaceOrder', { ...LIMIT, side: '-1' }, 'side', 'one of 1, 2'],
    ['connextrade/PlaceOrder', { ...LIMIT, symbol: 'btcusdt' }, 'symbol', 'BTCUSDT'],
    ['connextrade/PlaceOrder', { ...LIMIT, symbol: "BTC' OR 1=1" }, 'symbol', 'BTCUSDT'],
    ['connextrade/PlaceOrder', { ...LIMIT, symbol: 'X'.repeat(41) }, 'symbol', 'BTCUSDT'],
    ['connextrade/PlaceOrder', { ...LIMIT, quantity: '-1' }, 'quantity', 'plain decimal'],
    ['connextrade/PlaceOrder', { ...LIMIT, quantity: '0' }, 'quantity', 'plain decimal'],
    ['connextrade/PlaceOrder', { ...LIMIT, quantity: '1e5' }, 'quantity', 'plain decimal'],
    ['connextrade/PlaceOrder', { ...LIMIT, quantity: '1E-5' }, 'quantity', 'plain decimal'],
    ['connextrade/PlaceOrder', { ...LIMIT, quantity: '0x10' }, 'quantity', 'plain decimal'],
    ['connextrade/PlaceOrder', { ...LIMIT, quantity: 'NaN' }, 'quantity', 'plain decimal'],
    ['connextrade/PlaceOrder', { ...LIMIT, quantity: 'Infinity' }, 'quantity', 'plain decimal'],
    ['connextrade/PlaceOrder', { ...LIMIT, quantity: ' 1' }, 'quantity', 'plain decimal'],
    ['connextrade/PlaceOrder', { ...LIMIT, quantity: '1,5' }, 'quantity', 'plain decimal'],
    ['connextrade/PlaceOrder', { ...LIMIT, quantity: '١' }, 'quantity', 'plain decimal'],
    ['connextrade/PlaceOrder', { ...LIMIT, quantity: '1'.repeat(61) }, 'quantity', 'at most 60'],
    ['connextrade/PlaceOrder', { ...LIMIT, quantity: '9'.repeat(59) }, 'quantity', 'plain decimal'],
    ['connextrade/PlaceOrder', { ...LIMIT, quantity: '0.0000000000000000001' }, 'quantity', 'plain decimal'],
    ['connextrade/PlaceOrder', { ...LIMIT, clientId: 'mine' }, 'clientId', 'UUID'],
    ['connextrade/PlaceOrder', { ...LIMIT, balance: '1000000' }, 'balance', 'not a field'],
    ['connextrade/PlaceOrder', { ...LIMIT, tid: '100001' }, 'tid', 'not a field'],
    ['connextrade/PlaceOrder', { ...LIMIT, constructor: 'x' }, 'constructor', 'not a field'],
    ['connextrade/PlaceOrder', { ...LIMIT, 'quantity[]': '1' }, 'quantity[]', 'a field'],
    ['connextrade/PlaceOrder', { ...LIMIT, __proto_: 'x' }, '__proto_', 'a field'],
    ['connextrade/CancelOrder', { platformType: '43' }, 'orderId', 'required'],
    ['connextrade/CancelOrder', { platformType: '43', orderId: '1 or 1=1' }, 'orderId', 'UUID'],
    ['connextrade/OrderHistory', { ...HISTORY, limit: '0' }, 'limit', 'at least 1'],
    ['connextrade/OrderHistory', { ...HISTORY, limit: '201' }, 'limit', 'at most 200'],
    ['connextrade/OrderHistory', { ...HISTORY, limit: '10.5' }, 'limit', 'whole number'],
    ['connextrade/OrderHistory', { ...HISTORY, limit: '9'.repeat(400) }, 'limit', 'whole number'],
    ['connextrade/OrderHistory', { ...HISTORY, cursor: '../../etc' }, 'cursor', '"next"'],
    ['connexfunding/UniversalTransfer', { ...TRANSFER, amount: '-5' }, 'amount', 'plain decimal'],
    ['connexfunding/UniversalTransfer', { ...TRANSFER, amount: '1e18' }, 'amount', 'plain decimal'],
    ['connexfunding/UniversalTransfer', { ...TRANSFER, direction: '0' }, 'direction', 'one of 1, 2'],
    ['connexfunding/UniversalTransfer', { ...TRANSFER, asset: 'usdt' }, 'asset', 'USDT'],
    ['x/paper/TestFunds', { tradingAmount: '1e9' }, 'tradingAmount', 'plain decimal'],
    ['user/login', { ...LOGIN, account: '' }, 'account', 'e-mail'],
    ['user/login', { ...LOGIN, account: 'a'.repeat(255) }, 'account', 'at most 254'],
    ['user/login', { ...LOGIN, password: 'a'.repeat(129) }, 'password', 'at most 128'],
    ['user/login', { ...LOGIN, captcha: 'a'.repeat(4_001) }, 'captcha', 'at most 4000'],
    ['user/login', { ...LOGIN, kycStatus: 'done' }, 'kycStatus', 'not a field'],
    ['sms/sms', { target: 'a@example.org', captcha: 'x', purpose: 'reset' }, 'purpose', 'register'],
    ['user/checkcode', { target: 'a@example.org', purpose: 'register', code: '12345' }, 'code', '4 digits'],
    ['user/checkcode', { target: 'a@example.org', purpose: 'register', code: '١٢٣٤' }, 'code', '4 digits'],
    ['user/usernew', { email: 'a@b.co', flow: 'x', password: 'x', agree: 'yes' }, 'agree', 'true, false'],
    ['security/userinfo', { tkropen: 'true' }, 'tkropen', 'not a field'],
    ['security/userinfo', { tid: '1' }, 'tid', 'not a field'],
  ])('%s %j', async (name, fields, field, allowed) => {
    const envelope = await ask(name, fields);
    expect(envelope.code).toBe(1001);
    expect(envelope.msg).toContain(`"${field}"`);
    expect(envelope.msg).toContain(allowed);
    expect(envelope.data).toBeNull();
  });
});

const CONTRACT = { platformType: '43', symbol: 'BTCUSDT' };
const PAGE = { ...CONTRACT, limit: '50' };
const COUNTED = { ...PAGE, cursor: '7' };
const CLOSE = { ...CONTRACT, effect: '0', marginMode: 'cross' };
const NOTHING = '01890000-0000-7000-8000-00000000abcd';
const TIMED = { ...PAGE, cursor: `7_${NOTHING}` };
const TARGETS = { takeProfit: '2', takeProfitPrice: '2', stopLoss: '1', stopLossPrice: '1' };
const TRAILING = { trailingRatio: '0.01', trailingDistance: '5', activation: '3' };
/** Every call of trading and its money with every field that it takes. */
const TRADING_CALLS: readonly (readonly [CallName, Readonly<Record<string, string>>])[] = [
  [
    'connextrade/PlaceOrder',
    {
      ...LIMIT,
      ...{ tinstType: '2', timeInForce: '1', quoteQuantity: '5', visibleQuantity: '1', effect: '0' },
      ...{ reduceOnly: 'false', marginMode: 'cross', leverage: '5', ...TARGETS, takeProfitBy: 'mark' },
      ...{ stopLossBy: 'last', ...TRAILING, takeProfits: '[["3","0.4"],["4","0.6"]]', clientId: NOTHING },
    },
  ],
  [
    'connextrade/PlaceAlgoOrder',
    {
      ...{
        ...CLOSE,
        tinstType: '2',
        side: '2',
        algoType: 'oco',
        triggerPrice: '1',
        price: '1',
        triggerBy: 'mark',
      },
      ...{ ...TARGETS, takeProfitBy: 'mark', stopLossBy: 'index', ...TRAILING, timeInForce: '1' },
      ...{ visibleQuantity: '1', behindRatio: '0.01', behindDistance: '5' },
      ...{ quantity: '1', whole: 'false', reduceOnly: 'true', leverage: '5', clientId: NOTHING },
    },
  ],
  [
    'x/trade/PlaceScaled',
    {
      ...{ ...CONTRACT, tinstType: '2', side: '1', from: '100', to: '90', count: '5', skew: '0' },
      ...{ quantity: '1', timeInForce: '1', effect: '0', reduceOnly: 'true', marginMode: 'cross' },
      ...{ leverage: '5', clientId: NOTHING },
    },
  ],
  ['connextrade/CancelAlgoOrder', { platformType: '43', algoId: NOTHING }],
  [
    'connextrade/ReplaceAlgoOrder',
    {
      ...{ platformType: '43', algoId: NOTHING, triggerPrice: '1', price: '1', quantity: '1' },
      ...{ ...TARGETS, ...TRAILING },
    },
  ],
  ['connextrade/CurAlgoOrderList', { ...CONTRACT, tinstType: '2' }],
  ['connextrade/AlgoOrderHistory', { ...TIMED, tinstType: '2' }],
  [
    'connextrade/ReplaceOrder',
    { platformType: '43', orderId: NOTHING, price: '1', quantity: '1', clientId: NOTHING },
  ],
  ['connextrade/CancelAll', { ...CONTRACT, tinstType: '2', orderIds: `["${NOTHING}"]` }],
  ['connextrade/CancelOrder', { platformType: '43', orderId: NOTHING }],
  ['connextrade/CurOrderList', { ...CONTRACT, tinstType: '2' }],
  ['connextrade/OrderHistory', { ...TIMED, tinstType: '2' }],
  ['x/trade/Fills', { ...COUNTED, tinstType: '2', orderId: NOTHING }],
  ['connextrade/GetLeverage', { ...CONTRACT, marginMode: 'cross' }],
  ['connextrade/SetLeverage', { ...CLOSE, leverage: '5', clientId: NOTHING }],
  ['connextrade/ChangePositionMode', { ...CONTRACT, positionMode: 'hedge' }],
  ['x/trade/MarginMode', { ...CONTRACT, marginMode: 'isolated' }],
  ['x/trade/AdjustMargin', { ...CONTRACT, effect: '0', direction: '1', amount: '5', clientId: NOTHING }],
  ['connextrade/GetPositionTiers', { platformType: '43', sym: 'BTCUSDT' }],
  ['connextrade/CurPositionList', CONTRACT],
  ['connextrade/PositionHistory', COUNTED],
  ['connextrade/ClosePosition', { ...CLOSE, quantity: '1', price: '1', timeInForce: '1', clientId: NOTHING }],
  ['x/trade/ReversePosition', { ...CLOSE, side: '1', leverage: '5', clientId: NOTHING }],
  ['connextrade/ClosePositionAll', CONTRACT],
  ['connextrade/AvailableOpen', { ...CLOSE, side: '1', price: '1' }],
  ['connextrade/AvailableClose', CLOSE],
  ['connextrade/GetOrderRpnl', { platformType: '43', orderId: NOTHING }],
  ['connextrade/v2/OrderHistory', { ...TIMED, tinstType: '2', side: '1', status: '4', begin: '0', end: '9' }],
  [
    'connextrade/v2/OrderHistorySubTotal',
    { ...CONTRACT, tinstType: '2', side: '1', status: '4', begin: '0', end: '9' },
  ],
  ['x/trade/Opening', { platformType: '43', tinstType: '2' }],
  ['x/trade/Countdowns', {}],
  ['x/trade/SetCountdown', { platformType: '41', seconds: '60' }],
  ['x/trade/FundingHistory', COUNTED],
  ['connexfunding/GetRpnl', { begin: '0', end: '9' }],
  ['connexfunding/fundingbalance', { platformType: '43', asset: 'USDT' }],
  ['connexfunding/tradingbalance', { platformType: '43', asset: 'USDT' }],
  ['connexfunding/tradingbalancesum', { platformType: '43' }],
  ['connexfunding/UniversalTransfer', { ...TRANSFER, tinstType: '2', clientId: NOTHING }],
  ['connexfunding/UniversalTransferHistory', { platformType: '43', limit: '50', cursor: TIMED.cursor }],
];
const CODES = ['', '9', '-1', '1.0', ' 1', 'x', '1e0'];
const AMOUNTS = [
  '',
  '0',
  '-1',
  '1e5',
  'NaN',
  '1,5',
  ' 1',
  '9'.repeat(59),
  '1'.repeat(61),
  '0.0000000000000000001',
];
const SYMBOLS = ['', 'btcusdt', "BTC' OR 1=1", 'X'.repeat(41), '../x'];
const TIMES = ['', '-1', '1.5', '9'.repeat(15), 'now'];
const PRICES = ['', 'LAST', 'best'];
/** What a list of take-profits may not be: no such list, no such pairs, no such amounts, too many or too much text. */
const PAIRS = [
  ...['', 'x', 'null', '1', '"[]"', '{}', '{"0":["3","1"]}', '[null]', '["3","1"]', '[[]]', '[["3"]]'],
  ...['[["3","1","1"]]', '[[3,1]]', '[[["3"],"1"]]', '[[{"price":"3"},"1"]]', '[["3",null]]', '[["3","1"],]'],
  ...AMOUNTS.map((text) => `[["3","1"],["${text}","1"]]`),
  ...AMOUNTS.map((text) => `[["3","1"],["4","${text}"]]`),
  JSON.stringify(Array.from({ length: 11 }, (_pair, at) => [`${at + 3}`, '1'])),
  ...[`${'['.repeat(700)}${']'.repeat(700)}`, `[["3","1"],["4","1"]${' '.repeat(1_500)}]`, '[["3","1"]'],
];
/** What a field of each name must not take. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  orderIds: [
    '',
    '[]',
    NOTHING,
    '[""]',
    `["${NOTHING}",]`,
    '{"0":1}',
    JSON.stringify(Array.from({ length: 300 }, () => NOTHING)),
  ],
  ...{ platformType: ['', '44', '4.3e1', 'binance'], tinstType: CODES, side: CODES, effect: CODES },
  ...{ direction: CODES, orderType: CODES, status: CODES, symbol: SYMBOLS, sym: SYMBOLS },
  ...{ price: AMOUNTS, quantity: AMOUNTS, amount: AMOUNTS, begin: TIMES, end: TIMES },
  ...{
    leverage: ['', '0', '201', '-5', '1.5', 'x'],
    limit: ['', '0', '201', '10.5'],
    cursor: ['', '../../etc', 'x', '1_2', `1_${'0'.repeat(36)}`, '9'.repeat(100)],
  },
  ...{
    marginMode: ['', 'CROSS', 'crossed'],
    positionMode: ['', 'HEDGE', 'both'],
    reduceOnly: ['', '1', 'yes'],
  },
  ...{ clientId: ['', 'mine', NOTHING.toUpperCase()], orderId: ['', '1 or 1=1', 'x'.repeat(65)] },
  ...{ from: AMOUNTS, to: AMOUNTS, count: ['', '1', '21', '2.5'], skew: ['', '4', '-4', '0.5'] },
  ...{ takeProfit: AMOUNTS, takeProfitPrice: AMOUNTS, stopLoss: AMOUNTS, stopLossPrice: AMOUNTS },
  ...{ trailingRatio: AMOUNTS, trailingDistance: AMOUNTS, activation: AMOUNTS, triggerPrice: AMOUNTS },
  ...{ triggerBy: PRICES, takeProfitBy: PRICES, stopLossBy: PRICES, timeInForce: CODES },
  ...{ algoType: ['', 'OCO', 'Iceberg'], whole: ['', '1'], algoId: ['', 'mine', NOTHING.toUpperCase()] },
  ...{ behindRatio: AMOUNTS, behindDistance: AMOUNTS, takeProfits: PAIRS },
  ...{ quoteQuantity: AMOUNTS, visibleQuantity: AMOUNTS, asset: ['', 'usdt', 'U'.repeat(41)] },
  seconds: ['', '-1', '301', '1.5', '6e1', 'x'],
  mine: ['1'],
};

test('no call of trading and its money is left out, and none of its fields', () => {
  const fields = (name: CallName) => Object.keys(CALL_SCHEMAS[name].request.shape).sort();
  const names = (Object.keys(CALLS) as CallName[]).filter((name) =>
    /^(connextrade|connexfunding|x\/trade)\//.test(name),
  );
  expect(Object.fromEntries(TRADING_CALLS.map(([name, taken]) => [name, Object.keys(taken).sort()]))).toEqual(
    Object.fromEntries(names.map((name) => [name, fields(name)])),
  );
});

describe.each(TRADING_CALLS)('%s', (name, fields) => {
  test('takes its own fields', async () => {
    expect((await ask(name, fields)).code).not.toBe(1001);
  });

  test.each([...Object.keys(fields), 'mine'])(
    'refuses a wrong %s by its name, and nothing is changed',
    async (field) => {
      expect(WRONG[field]).toBeDefined();
      for (const value of WRONG[field] ?? []) {
        const envelope = await ask(name, { ...fields, [field]: value });
        expect([field, value, envelope.code]).toEqual([field, value, 1001]);
        expect(envelope.msg).toContain(`"${field}"`);
      }
    },
  );
});

test.each(TRADING_CALLS.filter(([, taken]) => 'begin' in taken).map(([name]) => [name] as const))(
  '%s refuses a beginning after its end by its name; of no time at all there is nothing',
  async (name) => {
    const refused = await ask(name, { begin: '10', end: '9' });
    expect([refused.code, refused.msg]).toEqual([1001, 'The value of "begin" is not valid: not after end.']);
    expect((await ask(name, { begin: '9', end: '9' })).code).toBe(1);
  },
);

describe('bodies that are no form', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
  const deep = `${'[['.repeat(10_000)}${']]'.repeat(10_000)}`;
  test.each<[string, string | Uint8Array<ArrayBuffer>, Record<string, string>, number]>([
    ['JSON', '{"sosflag":3}', { 'content-type': 'application/json' }, 1001],
    ['deep JSON', deep, { 'content-type': 'application/json' }, 1001],
    ['XML', '<x/>', { 'content-type': 'application/xml' }, 1001],
    ['no content type', 'sosflag=3', { 'content-type': '' }, 1001],
    ['nonsense content type', 'sosflag=3', { 'content-type': ';;;' }, 1001],
    ['a doubled field', 'sosflag=3&limit=1&limit=2', FORM, 1001],
    ['broken percent-encoding', 'sosflag=3&a=%', FORM, 1001],
    ['bytes that are not UTF-8', new Uint8Array([0x61, 0x3d, 0xff, 0xfe]), FORM, 1001],
    [
      'compressed bytes',
      new Uint8Array(gzipSync('sosflag=3')),
      { ...FORM, 'content-encoding': 'gzip' },
      1001,
    ],
    ['multipart without boundary', 'sosflag=3', { 'content-type': 'multipart/form-data' }, 1001],
    ['a thousand fields', Array.from({ length: 1_000 }, (_, n) => `a${n}=1`).join('&'), FORM, 1001],
    ['64 kB and one byte', `a=${'x'.repeat(65_535)}`, FORM, 1002],
    ['a megabyte', 'x'.repeat(1_000_000), FORM, 1002],
    [
      'a megabyte of multipart',
      'x'.repeat(1_000_000),
      { 'content-type': 'multipart/form-data; boundary=x' },
      1002,
    ],
    ['nothing at all', '', FORM, 1009],
  ])('%s', async (_claim, body, headers, code) => {
    const answer = await member.send('/api/connextrade/OrderHistory', body, headers);
    expect(answer.status).toBe(200);
    expect(answer.envelope.code).toBe(code);
    expect(await everything()).toBe(before);
  });

  test('nine megabytes are cut off, and the next request is served', async () => {
    await member.send('/api/connextrade/OrderHistory', 'x'.repeat(9_500_000), FORM).catch(() => undefined);
    expect((await member.call('security/userinfo', {})).code).toBe(1);
  });

  test('a query on a POST is refused instead of being mixed in', async () => {
    const fields = new URLSearchParams({ sosflag: '3', stoken: member.stoken ?? '' });
    const answer = await member.send('/api/security/userinfo?sosflag=3', fields);
    expect(answer.envelope).toMatchObject({ code: 1001 });
    expect(answer.envelope.msg).toContain('"query"');
  });
});

const NOT_ITS_OWN = ['tkropen', 'kycStatus', 'balance', 'tid', 'tier', 'password_hash', 'platformType'];
const CALL_NAMES = Object.keys(CALLS) as CallName[];

test.each(CALL_NAMES)('%s takes no field that is not its own', async (name) => {
  const own = Object.keys(CALL_SCHEMAS[name].request.shape);
  for (const field of NOT_ITS_OWN.filter((one) => !own.includes(one))) {
    const { error } = CALL_SCHEMAS[name].request.safeParse({ [field]: '1' });
    expect(error?.issues).toContainEqual(
      expect.objectContaining({ code: 'unrecognized_keys', keys: [field] }),
    );
    expect((await ask(name, { [field]: '1' })).code, field).not.toBe(1);
  }
});

test('tokens that are expired or of somebody else change nothing at any call', async () => {
  const other = await hub.member();
  before = await everything();
  for (const name of Object.keys(CALLS) as CallName[]) {
    if (CALLS[name].access !== 'member') continue;
    const mixed = await member.form(`/api/${name}`, { sosflag: '3', stoken: other.stoken ?? '' });
    expect(mixed.envelope.code, name).toBe(-2);
  }
  hub.advance(5 * 86_400_000);
  for (const name of Object.keys(CALLS) as CallName[]) {
    if (CALLS[name].access !== 'member') continue;
    expect((await ask(name, {})).code, name).toBe(-2);
  }
});
