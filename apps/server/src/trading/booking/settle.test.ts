import { type Amount, amount, formatAmount, SIDE, ZERO } from '@crossbook/domain';
import { type AccountKey, accountKey, type LedgerCommand } from '@crossbook/ledger';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredOrder } from '../order.ts';
import { fillOf, openTradingWorld, type TradingWorld } from '../trading-world.fixture.ts';
import {
  costOf,
  endOfHold,
  fillCommands,
  type Payment,
  paymentByRule,
  paymentsToTry,
  restOfHold,
} from './settle.ts';

let world: TradingWorld;
let buy: StoredOrder;
let sell: StoredOrder;
beforeAll(async () => {
  world = await openTradingWorld();
  await world.fund('USDT', '1000');
  await world.fund('BTC', '1');
  buy = await world.reserved();
  sell = await world.reserved({ side: SIDE.SELL });
});
afterAll(() => world.close());

/** Movements as text: which leg, from, to, how much. */
function reported(commands: readonly LedgerCommand[]): readonly string[] {
  return commands.map((command) => {
    if (command.do === 'post-held') return `hold > ${accountKey(command.to)} ${formatAmount(command.amount)}`;
    if (command.do !== 'post') return command.do;
    return `${accountKey(command.from)} > ${accountKey(command.to)} ${formatAmount(command.amount)}`;
  });
}

const HELD: Payment = { held: amount('50'), available: ZERO, debt: ZERO, feeFromDebt: false };

describe('the movements of one fill', () => {
  test('a buy pays quote out of its hold, receives base, pays the fee out of it', () => {
    expect(reported(fillCommands(buy, fillOf(1, '0.5'), HELD))).toEqual([
      'hold > EXTERNAL/venue:1/USDT 50',
      'EXTERNAL/venue:1/BTC > TRADING/7/1/BTC 0.5',
      'TRADING/7/1/BTC > EXTERNAL/venue:1/BTC 0.0005',
    ]);
  });

  test('a sell pays base out of its hold, receives quote', () => {
    const fill = fillOf(1, '0.5', { fee: amount('0.05'), feeAsset: 'USDT' });
    const payment = { ...HELD, held: amount('0.5') };
    expect(reported(fillCommands(sell, fill, payment))).toEqual([
      'hold > EXTERNAL/venue:1/BTC 0.5',
      'EXTERNAL/venue:1/USDT > TRADING/7/1/USDT 50',
      'TRADING/7/1/USDT > EXTERNAL/venue:1/USDT 0.05',
    ]);
  });

  test('a fill without fee has two legs; what the hold lacks is paid from the wallet, then stands as a debt', () => {
    const payment = { ...HELD, available: amount('3'), debt: amount('2') };
    expect(reported(fillCommands(buy, fillOf(1, '0.55', { fee: ZERO }), payment))).toEqual([
      'hold > EXTERNAL/venue:1/USDT 50',
      'TRADING/7/1/USDT > EXTERNAL/venue:1/USDT 3',
      'EXTERNAL/debt:1/USDT > EXTERNAL/venue:1/USDT 2',
      'EXTERNAL/venue:1/BTC > TRADING/7/1/BTC 0.55',
    ]);
  });

  test('a fee in a third asset leaves that wallet, or stands as a debt; the price is paid from the hold all the same', () => {
    const fill = fillOf(1, '0.5', { fee: amount('0.01'), feeAsset: 'BNB' });
    expect(reported(fillCommands(buy, fill, HELD)).at(-1)).toBe(
      'TRADING/7/1/BNB > EXTERNAL/venue:1/BNB 0.01',
    );
    const owed = reported(fillCommands(buy, fill, { ...HELD, feeFromDebt: true }));
    expect(owed[0]).toBe('hold > EXTERNAL/venue:1/USDT 50');
    expect(owed.at(-1)).toBe('EXTERNAL/debt:1/BNB > EXTERNAL/venue:1/BNB 0.01');
  });

  test('ids come from the trade, the order and the leg: the same fill gives the same ids, anything else others', () => {
    const ids = (order: StoredOrder, trade: number) =>
      fillCommands(order, fillOf(trade, '0.5'), { ...HELD, available: amount('1'), debt: amount('1') }).map(
        (command) => (command.do === 'post' || command.do === 'post-held' ? command.id : ''),
      );
    expect(ids(buy, 1)).toEqual(ids(buy, 1));
    const all = [...ids(buy, 1), ...ids(buy, 2), ...ids(sell, 1)];
    expect(new Set(all).size).toBe(all.length);
  });

  test('whatever it is paid from, an asset loses exactly what another side gains, and the cost is paid once', () => {
    const quantity = fc.bigInt({ min: 1n, max: 10n ** 21n }).map((units) => units as Amount);
    const request = fc.record({
      quantity,
      quoteQuantity: quantity,
      fee: quantity,
      held: quantity,
      free: quantity,
    });
    fc.assert(
      fc.property(request, fc.boolean(), fc.nat(6), (values, buys, choice) => {
        const order = buys ? buy : sell;
        const fill = fillOf(1, '1', { ...values, feeAsset: 'BNB' });
        const payment = paymentsToTry(costOf(order, fill), values.held, values.free)[choice] as Payment;
        expect(payment.held + payment.available + payment.debt).toBe(costOf(order, fill));
        const venue = new Map<AccountKey, bigint>();
        for (const command of fillCommands(order, fill, payment)) {
          if (command.do !== 'post' && command.do !== 'post-held') continue;
          const to = accountKey(command.to);
          venue.set(to, (venue.get(to) ?? 0n) + command.amount);
          if (command.do === 'post') {
            const from = accountKey(command.from);
            venue.set(from, (venue.get(from) ?? 0n) - command.amount);
          }
        }
        const [paid, got] = buys ? ['USDT', 'BTC'] : ['BTC', 'USDT'];
        expect(venue.get(`EXTERNAL/venue:1/${paid}` as AccountKey)).toBe(costOf(order, fill));
        expect(venue.get(`EXTERNAL/venue:1/${got}` as AccountKey)).toBe(
          -(buys ? values.quantity : values.quoteQuantity),
        );
        expect(venue.get('EXTERNAL/venue:1/BNB' as AccountKey)).toBe(values.fee);
      }),
    );
  });
});

describe('out of what a fill is paid', () => {
  test('the rest of a hold is what its fills have not spent, and nothing once the order has settled', () => {
    expect(restOfHold(buy, [])).toBe(amount('100'));
    expect(restOfHold(buy, [fillOf(1, '0.4')])).toBe(amount('60'));
    expect(restOfHold(buy, [fillOf(1, '0.4'), fillOf(2, '0.7')])).toBe(ZERO);
    expect(restOfHold(sell, [fillOf(1, '0.4')])).toBe(amount('0.6'));
    expect(restOfHold({ ...buy, settled: true }, [])).toBe(ZERO);
  });

  test('a hold that others share goes on when an order has settled: what is heard late is paid out of it too', () => {
    const shares = { ...buy, settled: true, sharesHold: true } as const;
    expect(restOfHold(shares, [fillOf(1, '0.4')])).toBe(amount('60'));
  });

  test.each<[string, Partial<StoredOrder>, boolean]>([
    ['of its own is ended with it', {}, true],
    ['shared with others is not', { sharesHold: true }, false],
    ['of nothing is none', { holdAmount: ZERO }, false],
  ])('an order: a hold %s', (_name, part, ends) => {
    expect(endOfHold({ ...buy, ...part })).toEqual(ends ? [{ do: 'release', hold: buy.holdId }] : []);
  });

  test.each([
    ['40', '100', '40', '0'],
    ['100', '100', '100', '0'],
    ['101', '100', '100', '1'],
    ['5', '0', '0', '5'],
  ])('a cost of %s with %s held: %s from the hold, %s from the wallet', (cost, held, fromHold, rest) => {
    expect(paymentByRule(amount(cost), amount(held))).toEqual({
      held: amount(fromHold),
      available: amount(rest),
      debt: ZERO,
      feeFromDebt: false,
    });
  });

  test('only what the wallet lacks becomes a debt, and the last resort asks nothing of hold or wallet', () => {
    const tries = paymentsToTry(amount('110'), amount('100'), amount('4'));
    expect(tries[2]).toEqual({
      held: amount('100'),
      available: amount('4'),
      debt: amount('6'),
      feeFromDebt: false,
    });
    expect(tries[4]).toEqual({ held: ZERO, available: amount('4'), debt: amount('106'), feeFromDebt: false });
    expect(tries.at(-1)).toEqual({ held: ZERO, available: ZERO, debt: amount('110'), feeFromDebt: true });
  });
});
