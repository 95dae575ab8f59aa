import { amount, type OrderId } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { openedForEach } from '../../../../../tests/opened.ts';
import { CALLER } from '../trading-world.fixture.ts';
import { openAlgoWorld, placeStop } from './algo-world.fixture.ts';

/** Orders of every kind are changed value by value: what a change does not name stays. */

const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
const algo = openedForEach(openAlgoWorld);

const amounts = (part: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(part).map(([name, text]) => [name, amount(text)]));
const at = (trigger: string, limit?: string) => ({
  trigger: { price: amount(trigger), by: 'last' },
  ...(limit === undefined ? {} : { limit: amount(limit) }),
});
const replace = (part: Readonly<Record<string, string>>) =>
  algo.world.desk.handlers['connextrade/ReplaceAlgoOrder']({ ...CALLER, now: algo.world.time.clock() }, {
    ...{ platformType: 43, algoId: ID, ...amounts(part) },
  } as never);
const waits = () =>
  [...algo.venue.kept.values()].flatMap(({ request, state }) =>
    state.status === 'waiting' ? [{ plan: request.plan, quantity: request.quantity }] : [],
  );

const STOP = { algoType: 'stop', ...amounts({ triggerPrice: '90', price: '89' }) };
const TARGET = { algoType: 'take-profit', ...amounts({ triggerPrice: '110' }) };
const PAIR = { algoType: 'oco', triggerPrice: undefined, ...amounts({ takeProfit: '110', stopLoss: '90' }) };
const TRAILING = {
  ...{ algoType: 'trailing', triggerPrice: undefined },
  ...amounts({ trailingRatio: '0.01', activation: '105' }),
};

test.each<[string, object, Readonly<Record<string, string>>, object]>([
  ['the trigger of a stop', STOP, { triggerPrice: '91' }, { kind: 'stop', leg: at('91', '89') }],
  ['the limit of a stop', STOP, { price: '88' }, { kind: 'stop', leg: at('90', '88') }],
  ['a take-profit', TARGET, { triggerPrice: '112' }, { kind: 'take-profit', leg: at('112') }],
  [
    'the stop of a pair',
    PAIR,
    { stopLoss: '85', stopLossPrice: '84' },
    { kind: 'oco', takeProfit: at('110'), stopLoss: at('85', '84') },
  ],
  [
    'the target of a pair',
    PAIR,
    { takeProfit: '120' },
    { kind: 'oco', takeProfit: at('120'), stopLoss: at('90') },
  ],
  [
    'how far a trailing stop stays',
    TRAILING,
    { trailingRatio: '0.02' },
    { kind: 'trailing', trailing: { ratio: amount('0.02'), activation: amount('105'), by: 'last' } },
  ],
  [
    'where a trailing stop begins',
    TRAILING,
    { activation: '108' },
    { kind: 'trailing', trailing: { ratio: amount('0.01'), activation: amount('108'), by: 'last' } },
  ],
])('%s is changed, and nothing else of it, and then its size alone', async (_, placed, change, plan) => {
  expect(await placeStop(algo, { clientId: ID, ...placed })).toMatchObject({ ok: true });
  expect(await replace(change)).toMatchObject({ ok: true, value: { algoId: ID, quantity: '1' } });
  expect(waits()).toEqual([{ plan, quantity: amount('1') }]);
  expect(await replace({ quantity: '0.5' })).toMatchObject({ ok: true, value: { state: 'waiting' } });
  expect(waits()).toEqual([{ plan, quantity: amount('0.5') }]);
  expect((await algo.world.deps.algos.byId(ID))?.plan).toEqual(plan);
  expect(await algo.world.wallet()).toEqual({ BTC: '2 (0.5 held)', USDT: '300' });
});
