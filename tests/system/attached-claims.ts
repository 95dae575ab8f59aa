import {
  type Amount,
  amount,
  formatAmount,
  type Millis,
  minus,
  ORDER_STATUS,
  ORDER_TYPE,
  type OrderTargets,
  type PartTarget,
  POSITION_SIDE,
  plus,
  refused,
  SIDE,
  TIME_IN_FORCE,
  type VenueAlgoState,
  ZERO,
} from '@crossbook/domain';
import type { ContractOrderTerms, VenueCredentials, VenueOrderRequest } from '@crossbook/venues/trading';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AlgoRig, part } from './algo-claims.ts';
import { expectDone, OPENS } from './contract-rig.ts';
import { PUBLIC_HALVES } from './public-halves.ts';
import { bidBelowRoom, must, until } from './simulator-venue.ts';
import { follow, nextId, total } from './trading-rig.ts';

/**
 * Several take-profits with a stop, and a trailing stop, that come with an order on a contract (OKX): the venue makes each once the
 * order has filled wholly, under a name that tells order and part.
 */

const LONG: ContractOrderTerms = { ...OPENS, positionMode: 'hedge', side: POSITION_SIDE.LONG };
const SHORT: ContractOrderTerms = { ...LONG, side: POSITION_SIDE.SHORT };

/** How a leg stands, in words. */
const shown = ({ leg, part: number = 0, quantity = ZERO, status }: VenueAlgoState): string =>
  `${leg ?? 'all'} ${number}: ${formatAmount(quantity)} ${status}`;

export function claimTargetsOfParts(rigOf: () => Promise<AlgoRig>): void {
  let rig: AlgoRig;
  beforeAll(async () => {
    rig = await rigOf();
  });
  const move = (factor: number) => rig.simulator.shock(rig.market, rig.instrument.symbol, factor);

  /** A new account in the mode of an order's position. */
  async function memberIn({ positionMode }: ContractOrderTerms): Promise<VenueCredentials> {
    const member = await rig.flat();
    const { contracts } = rig.connector;
    if (contracts === undefined) throw new Error('trades no contracts');
    if (positionMode === 'hedge')
      expectDone(await contracts.setPositionMode(member, rig.instrument, 'hedge'));
    return member;
  }

  /** An order at market, or at a limit. */
  function orderOf(attached: OrderTargets, more: Partial<VenueOrderRequest> = {}): VenueOrderRequest {
    const { instrument, size: quantity } = rig;
    const type = more.price === undefined ? ORDER_TYPE.MARKET : ORDER_TYPE.LIMIT;
    const timeInForce = more.price === undefined ? TIME_IN_FORCE.IOC : TIME_IN_FORCE.GTC;
    return {
      ...{ clientId: nextId(), instrument, side: SIDE.BUY, type, quantity, timeInForce },
      ...{ contract: OPENS, attached, ...more },
    };
  }

  async function place(member: VenueCredentials, order: VenueOrderRequest): Promise<void> {
    const sent = await rig.connector.place(member, order);
    expect(sent).toMatchObject({ outcome: 'accepted' });
  }

  async function made(
    member: VenueCredentials,
    order: VenueOrderRequest,
  ): Promise<readonly VenueAlgoState[]> {
    const { instrument, clientId, attached: targets = {} } = order;
    const parent = { instrument, clientId, targets, since: 0 as Millis };
    return must((await rig.connector.algos?.attached?.(member, parent)) ?? refused('refused'));
  }

  const waiting = async (member: VenueCredentials) =>
    must((await rig.connector.algos?.waiting(member, [rig.instrument])) ?? refused('refused'));

  /** Waits until what was made stands so. */
  async function expectMade(
    member: VenueCredentials,
    order: VenueOrderRequest,
    expected: readonly string[],
  ): Promise<readonly VenueAlgoState[]> {
    const states: (readonly VenueAlgoState[])[] = [];
    await until(expected.join(', '), async () => {
      states.push(await made(member, order));
      return states.at(-1)?.map(shown).join(', ') === expected.join(', ');
    });
    return states.at(-1) ?? [];
  }

  /** What the orders of those that fired have filled, together. */
  async function filled(member: VenueCredentials, states: readonly VenueAlgoState[]): Promise<Amount> {
    let sum = ZERO;
    for (const { child } of states)
      if (child !== undefined) {
        const fills = must(await rig.connector.fillsOfOrder(member, rig.instrument, child.venueOrderId));
        sum = plus(sum, total(fills, 'quantity'));
      }
    return sum;
  }

  /** A quarter, a quarter and a half of the order at so many thousandths of the price, and a stop. */
  async function threeAt(thousandths: readonly [number, number, number], stop: number) {
    const now = await rig.price();
    const quarter = (rig.size / 4n) as Amount;
    const sizes = [quarter, quarter, (rig.size / 2n) as Amount];
    const trigger = (at: number) => ({
      trigger: { price: part(now, at, rig.instrument), by: 'last' as const },
    });
    const takeProfits = thousandths.map((at, index): PartTarget => {
      return { ...trigger(at), quantity: sizes[index] ?? ZERO };
    });
    return { takeProfits, stopLoss: trigger(stop), quarter };
  }

  describe('several take-profits and a stop', () => {
    test.each([
      ['one-way', OPENS],
      ['a long leg', LONG],
    ])(
      '%s: each is made under its name and told; as one fires the stop is for the rest',
      async (_, contract) => {
        const member = await memberIn(contract);
        const { algos: heard, malformed, close } = await follow(rig.connector, member);
        const { quarter, ...targets } = await threeAt([1_025, 1_200, 1_210], 800);
        const order = orderOf(targets, { contract });
        await place(member, order);
        const { size } = rig;
        const [half, rest] = [(size / 2n) as Amount, minus(size, quarter)];
        const first = `take-profit 1: ${formatAmount(quarter)}`;
        const others = [
          `take-profit 2: ${formatAmount(quarter)} waiting`,
          `take-profit 3: ${formatAmount(half)} waiting`,
        ];
        const stand = [`${first} waiting`, ...others, `stop-loss 0: ${formatAmount(size)} waiting`];
        const states = await expectMade(member, order, stand);
        expect(states.map(({ parent }) => parent)).toEqual(states.map(() => order.clientId));
        expect(new Set(states.map(({ clientId }) => clientId)).size).toBe(4);
        const listed = await waiting(member);
        expect(listed.map(({ clientId }) => clientId).toSorted()).toEqual(
          states.map(({ clientId }) => clientId).toSorted(),
        );
        // The channel knows parts by their names; of the stop it says whose it is.
        const reported = (expected: string) => () =>
          heard.some((state) => state.parent === order.clientId && shown(state) === expected);
        for (const expected of [...stand.slice(0, 3), `all 0: ${formatAmount(size)} waiting`])
          await until(`${expected} is told`, reported(expected));
        await move(1.05);
        const after = await expectMade(member, order, [
          ...[`${first} fired`, ...others, `stop-loss 0: ${formatAmount(rest)} waiting`],
        ]);
        expect(await filled(member, after)).toBe(quarter);
        await until('the end of the first is told', reported(`${first} fired`));
        await until('the smaller stop is told', reported(`all 0: ${formatAmount(rest)} waiting`));
        expect(malformed).toEqual([]);
        close();
      },
    );

    test('all of which fire close all of it, and leave no stop behind', async () => {
      const member = await memberIn(OPENS);
      const { quarter: _, ...targets } = await threeAt([1_012, 1_015, 1_018], 800);
      const order = orderOf(targets);
      await place(member, order);
      await until('they wait', async () => (await made(member, order)).length === 4);
      await move(1.04);
      await until('none waits', async () => (await waiting(member)).length === 0);
      const states = await made(member, order);
      expect(states.map(({ leg, status }) => [leg, status])).toEqual([
        ...[1, 2, 3].map(() => ['take-profit', 'fired']),
        ['stop-loss', 'cancelled'],
      ]);
      await until('all is closed', async () => (await filled(member, states)) === rig.size);
    });

    test('of which the stop fires: it closes all of it, and the targets end', async () => {
      const member = await memberIn(OPENS);
      const { quarter: _, ...targets } = await threeAt([1_200, 1_210, 1_220], 985);
      const order = orderOf(targets);
      await place(member, order);
      await until('they wait', async () => (await made(member, order)).length === 4);
      await move(0.97);
      await until('none waits', async () => (await waiting(member)).length === 0);
      const states = await made(member, order);
      expect(states.map(({ leg, status }) => [leg, status])).toEqual([
        ...[1, 2, 3].map(() => ['take-profit', 'cancelled']),
        ['stop-loss', 'fired'],
      ]);
      await until('all is closed', async () => (await filled(member, states)) === rig.size);
    });

    test('of an order that ends with a part are none', async () => {
      const { simulator, instrument, size } = rig;
      const [member, other] = [await memberIn(OPENS), await memberIn(OPENS)];
      await simulator.pause(true);
      try {
        const rest = PUBLIC_HALVES.okx.perps(simulator).rest;
        const price = plus(await bidBelowRoom({ rest, simulator }, instrument), instrument.tickSize);
        const half = (size / 2n) as Amount;
        const { quarter: _, ...targets } = await threeAt([1_100, 1_110, 1_120], 900);
        const { attached: __, ...offer } = orderOf({}, { price, quantity: half, side: SIDE.SELL });
        await place(other, offer);
        const order = orderOf(targets, { price, timeInForce: TIME_IN_FORCE.IOC });
        await place(member, order);
        await until('it is over', async () => {
          const found = await rig.connector.find(member, instrument, order.clientId);
          return found.outcome === 'found' && found.value.status === ORDER_STATUS.CANCELLED;
        });
        expect(await rig.connector.find(member, instrument, order.clientId)).toMatchObject({
          ...{ outcome: 'found', value: { cumulativeQuantity: half } },
        });
        expect([await made(member, order), await waiting(member)]).toEqual([[], []]);
      } finally {
        await simulator.pause(false);
      }
    });

    test('that come to less, or lie at one price, or follow two, are refused by their codes', async () => {
      const member = await memberIn(OPENS);
      const { quarter: _, ...targets } = await threeAt([1_100, 1_110, 1_120], 900);
      const [one, two, three] = targets.takeProfits as [PartTarget, PartTarget, PartTarget];
      for (const [takeProfits, venueCode] of [
        [[one, two], '51083'],
        [[one, { ...two, trigger: one.trigger }, three], '51081'],
        [[one, { ...two, trigger: { ...two.trigger, by: 'mark' } }, three], '51080'],
        [[one, two, { ...three, trigger: targets.stopLoss.trigger }], '51046'],
      ] as const) {
        const order = orderOf({ ...targets, takeProfits });
        expect(await rig.connector.place(member, order)).toMatchObject({ outcome: 'refused', venueCode });
        const found = await rig.connector.find(member, rig.instrument, order.clientId);
        expect([found.outcome, await waiting(member)]).toEqual(['not-found', []]);
      }
    });

    test('stay with an order whose price is changed; its size alone is refused, and it rests as it was', async () => {
      const member = await memberIn(OPENS);
      const { instrument, size } = rig;
      const { quarter: _, ...targets } = await threeAt([1_100, 1_110, 1_120], 800);
      const now = await rig.price();
      const [price, lower] = [part(now, 900, instrument), part(now, 890, instrument)];
      const order = orderOf(targets, { price });
      await place(member, order);
      const amendment = {
        ...{ clientId: order.clientId, replacementId: nextId(), instrument, side: SIDE.BUY, executed: ZERO },
        ...{ timeInForce: TIME_IN_FORCE.GTC, price: lower, quantity: size, contract: OPENS },
      };
      expect(await rig.connector.amend(member, amendment)).toMatchObject({ outcome: 'amended' });
      const half = { ...amendment, quantity: (size / 2n) as Amount };
      expect(await rig.connector.amend(member, half)).toMatchObject({
        outcome: 'refused',
        venueCode: '51083',
      });
      expect(await rig.connector.findTerms(member, instrument, order.clientId)).toMatchObject({
        ...{
          outcome: 'found',
          value: { price: lower, quantity: size, state: { status: ORDER_STATUS.OPEN } },
        },
      });
      expect(await rig.connector.cancel(member, instrument, order.clientId)).toMatchObject({
        outcome: 'cancelled',
      });
      expect(await made(member, order)).toEqual([]);
    });
  });

  test.each([
    ['one-way', OPENS, SIDE.BUY, 0.95],
    ['a long leg', LONG, SIDE.BUY, 0.95],
    ['a short leg', SHORT, SIDE.SELL, 1.05],
  ])(
    'a trailing stop of %s is made under its name, told, and closes what has filled',
    async (_, contract, side, factor) => {
      const member = await memberIn(contract);
      const { algos: heard, malformed, close } = await follow(rig.connector, member);
      const order = orderOf({ trailing: { ratio: amount('0.02'), by: 'last' } }, { contract, side });
      await place(member, order);
      const own = () => heard.filter(({ parent }) => parent === order.clientId).map(({ status }) => status);
      const [state] = await expectMade(member, order, [`all 0: ${formatAmount(rig.size)} waiting`]);
      expect(state).toMatchObject({ parent: order.clientId });
      expect(await waiting(member)).toMatchObject([
        { venueAlgoId: state?.venueAlgoId, shown: { plan: { kind: 'trailing' }, reduces: true } },
      ]);
      await until('it is told', () => own().includes('waiting'));
      await move(factor);
      const states = await expectMade(member, order, [`all 0: ${formatAmount(rig.size)} fired`]);
      await until('it is closed', async () => (await filled(member, states)) === rig.size);
      await until('its end is told', () => own().includes('fired'));
      expect(malformed).toEqual([]);
      close();
    },
  );
}
