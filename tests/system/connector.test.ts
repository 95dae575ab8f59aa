import { randomBytes } from 'node:crypto';
import {
  type Amount,
  amount,
  type Millis,
  minus,
  ORDER_STATUS,
  ORDER_TYPE,
  plus,
  SIDE,
  stepsToAmount,
  TIME_IN_FORCE,
  uuidV7,
  type VenueFill,
  ZERO,
} from '@crossbook/domain';
import type { VenueCredentials, VenueTrading } from '@crossbook/venues/trading';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { claimAmendments } from './amend-claims.ts';
import { TRADING_VENUES } from './connector-venues.ts';
import { claimContracts } from './contract-claims.ts';
import { ContractRig } from './contract-rig.ts';
import { CONTRACT_VENUES } from './contract-venues.ts';
import { CONTRACT_WORDS } from './contract-words.ts';
import { askUntil, must, now, until } from './simulator-venue.ts';
import { follow, freeOf, nextId, stateOf, TradingRig, total, type Way } from './trading-rig.ts';

/** The trading connectors against the simulator in its own process: both were written apart, from the same documents. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const byTrade = (fills: readonly VenueFill[]) =>
  [...fills].sort((left, right) => (left.tradeId < right.tradeId ? -1 : 1));

// Venues have simulators of their own and stand side by side; the tests of one follow each other.
describe.concurrent.each(TRADING_VENUES)('$name', (venue) => {
  let rig: TradingRig;
  beforeAll(async () => {
    rig = await TradingRig.start(venue);
  });
  afterAll(() => rig?.close());

  describe('trading', { concurrent: false }, () => {
    let overSocket: VenueTrading;
    beforeAll(() => {
      overSocket = rig.connector('over its socket');
    });

    describe.each(['over its socket', 'by REST'] satisfies Way[])('orders %s', (way) => {
      let connector: VenueTrading;
      let trader: VenueCredentials;
      const none = { status: ORDER_STATUS.CANCELLED, cumulativeQuantity: ZERO };
      beforeAll(async () => {
        connector = way === 'by REST' ? rig.connector(way) : overSocket;
        trader = await rig.memberBy(way, connector, { USDT: '100000', BTC: '2' });
      });

      test("a market buy fills at once; the venue's list of fills explains the balances to the unit", async () => {
        const { btc } = rig.market;
        const asked = rig.requests.length;
        const before = {
          usdt: await freeOf(connector, trader, 'USDT'),
          btc: await freeOf(connector, trader, 'BTC'),
        };
        const order = rig.order({ type: ORDER_TYPE.MARKET, quoteQuantity: amount('500') });
        const placed = await connector.place(trader, order);
        if (placed.outcome !== 'accepted') throw new Error(JSON.stringify(placed));
        const state = await stateOf(connector, trader, order);
        expect(state.status).toBe(ORDER_STATUS.FILLED);
        const fills = must(await connector.fillsOfOrder(trader, btc, state.venueOrderId));
        if (venue.answersTell) {
          expect(placed.fills).toEqual(fills);
          expect(placed.state).toMatchObject({ status: ORDER_STATUS.FILLED });
          expect(placed.state.cumulativeQuantity).toBe(state.cumulativeQuantity);
        }
        expect(placed.state.venueOrderId).toBe(state.venueOrderId);
        expect(total(fills, 'quantity')).toBe(state.cumulativeQuantity);
        // OKX says an average price, which is rounded where there are several.
        const rounding = total(fills, 'quoteQuantity') - state.cumulativeQuote;
        expect(venue.slug === 'okx' ? [0n, 1n] : [0n]).toContain(rounding);
        expect(fills.map(({ feeAsset, maker }) => [feeAsset, maker])).toEqual(
          fills.map(() => ['BTC', false]),
        );
        expect(fills.map(({ fee }) => fee > ZERO)).toEqual(fills.map(() => !venue.free));
        const gained = minus(total(fills, 'quantity'), total(fills, 'fee'));
        expect(await freeOf(connector, trader, 'USDT')).toBe(
          minus(before.usdt, total(fills, 'quoteQuantity')),
        );
        expect(await freeOf(connector, trader, 'BTC')).toBe(plus(before.btc, gained));
        const requests = rig.requests.slice(asked);
        expect(requests.filter((one) => one === venue.placing)).toHaveLength(way === 'by REST' ? 1 : 0);
        const { neverByRest } = venue.socket;
        if (way !== 'by REST' && neverByRest !== undefined)
          expect(requests.filter((one) => neverByRest.test(one))).toEqual([]);
      });

      test('a resting order is found and listed, cancelled once, and gone afterwards', async () => {
        const { btc } = rig.market;
        const order = rig.resting();
        const { clientId } = order;
        const placed = await connector.place(trader, order);
        expect(placed).toMatchObject({ outcome: 'accepted', fills: [] });
        const open = { status: ORDER_STATUS.OPEN };
        if (venue.answersTell) expect(placed).toMatchObject({ state: open });
        const rests = await stateOf(connector, trader, order);
        expect(rests).toMatchObject(open);
        const byVenueId = await connector.findByVenueId(trader, btc, rests.venueOrderId);
        expect(byVenueId).toEqual({ outcome: 'found', value: rests });
        expect(must(await connector.openOrders(trader, [btc]))).toMatchObject([{ clientId }]);
        const state = { ...none, clientId };
        expect(await connector.cancel(trader, btc, clientId)).toMatchObject({ outcome: 'cancelled', state });
        expect(await connector.cancel(trader, btc, clientId)).toEqual({ outcome: 'gone' });
        expect(await stateOf(connector, trader, order)).toMatchObject(state);
        expect(await connector.openOrders(trader, [btc])).toEqual({ ok: true, value: [] });
      });

      test("is cancelled by the venue's own id as well", async () => {
        const { btc } = rig.market;
        const order = rig.resting();
        expect(await connector.place(trader, order)).toMatchObject({ outcome: 'accepted' });
        const { venueOrderId } = await stateOf(connector, trader, order);
        const state = { ...none, clientId: order.clientId };
        const cancel = () => connector.cancelByVenueId(trader, btc, venueOrderId);
        expect(await cancel()).toMatchObject({ outcome: 'cancelled', state });
        expect(await cancel()).toEqual({ outcome: 'gone' });
      });

      test('an order that never was is not found, nor its cancel', async () => {
        const stranger = nextId();
        expect(await connector.find(trader, rig.market.btc, stranger)).toEqual({ outcome: 'not-found' });
        expect(await connector.cancel(trader, rig.market.btc, stranger)).toEqual({ outcome: 'gone' });
      });

      test("definitive refusals carry the venue's own code", async () => {
        const refusals = venue.refusals(rig.market);
        for (const [part, venueCode] of refusals) {
          expect(await connector.place(trader, rig.order(part))).toMatchObject({
            outcome: 'refused',
            venueCode,
          });
        }
      });

      test('a wrong part of a key is refused by its own code, and tells no secret', async () => {
        const order = rig.resting();
        for (const [wrong, venueCode] of venue.wrongKeys) {
          const asked = venue.socket.signsEachRequest ? connector : rig.connector('by REST');
          const refused = await asked.place({ ...trader, ...wrong }, order);
          expect(refused).toMatchObject({ outcome: 'refused', venueCode });
          expect(JSON.stringify(refused)).not.toContain(trader.secret);
        }
      });

      test('orders that may not rest end cancelled without a fill: IOC, FOK, and post-only that would take', async () => {
        const far = [TIME_IN_FORCE.IOC, TIME_IN_FORCE.FOK].map((timeInForce) => rig.resting({ timeInForce }));
        const taking = rig.resting({ price: rig.market.taking, timeInForce: TIME_IN_FORCE.POST_ONLY });
        // Where an answer tells what became of an order, taking is a refusal: among the refusals above.
        for (const order of venue.answersTell ? far : [...far, taking]) {
          const placed = await connector.place(trader, order);
          expect(placed).toMatchObject({ outcome: 'accepted', fills: [] });
          if (venue.answersTell) expect(placed).toMatchObject({ state: none });
          expect(await stateOf(connector, trader, order)).toMatchObject(none);
        }
      });

      test('an IOC larger than the best level keeps what it executed and gives up the rest', async () => {
        const { bid, btc } = rig.market;
        const maker = await rig.member({ BTC: '1' });
        // The level may hold the market's own offers as well, however large they are today.
        const taker = await rig.memberBy(way, connector, { USDT: '100000000' });
        // With our own offer a tick above the best bid, that is the best level; the order asks for more than all of it.
        const price = plus(bid, btc.tickSize);
        const offer = rig.resting({ side: SIDE.SELL, price, timeInForce: TIME_IN_FORCE.POST_ONLY });
        expect(await connector.place(maker, offer)).toMatchObject({ outcome: 'accepted', fills: [] });
        const { asks } = must(await rig.publicHalf.rest.depth(btc, 50));
        const there = asks.filter(([ticks]) => stepsToAmount(ticks, btc.tickSize) <= price);
        const lots = there.reduce((sum, [, size]) => sum + size, 0);
        expect(lots).toBeGreaterThan(0);
        const offered = stepsToAmount(lots, btc.lotSize);
        const quantity = plus(offered, amount('0.02'));
        const order = rig.order({ price, quantity, timeInForce: TIME_IN_FORCE.IOC });
        const placed = await connector.place(taker, order);
        expect(placed).toMatchObject({ outcome: 'accepted' });
        const state = await stateOf(connector, taker, order);
        const executed = { status: ORDER_STATUS.CANCELLED, cumulativeQuantity: offered };
        expect(state).toMatchObject(executed);
        const fills = must(await connector.fillsOfOrder(taker, btc, state.venueOrderId));
        expect(total(fills, 'quantity')).toBe(offered);
        if (venue.answersTell) expect(placed).toMatchObject({ fills, state: executed });
        const sold = await stateOf(connector, maker, offer);
        const made = must(await connector.fillsOfOrder(maker, btc, sold.venueOrderId));
        expect(made.map((fill) => [fill.maker, fill.feeAsset])).toEqual([[true, 'USDT']]);
      });

      test.each([
        ['timeout-after', true],
        ['reset-after', true],
        ['silence-after', true],
        ['timeout-before', false],
        ['reset-before', false],
      ])(
        '%s leaves the outcome unknown with a deadline; a lookup tells, and nothing was sent twice',
        async (kind, carriedOut) => {
          const { btc } = rig.market;
          // Some venues count calls by account: each fault meets a fresh one.
          const member = await rig.memberBy(way, connector);
          const order = rig.resting();
          const { clientId } = order;
          await rig.simulator.plantFault(kind, venue.calls.place);
          const sent = await connector.place(member, order);
          await rig.simulator.clearFaults();
          if (sent.outcome !== 'unknown') throw new Error(sent.outcome);
          expect(sent.deadlineAt).toBeGreaterThan(now() - 60_000);
          const found = await askUntil(
            (outcome) => outcome !== 'unknown',
            () => connector.find(member, btc, clientId),
          );
          expect(found.outcome).toBe(carriedOut ? 'found' : 'not-found');
          const open = must(await connector.openOrders(member, [btc]));
          expect(open.map((one) => one.clientId)).toEqual(carriedOut ? [clientId] : []);
          const cancelled = await connector.cancel(member, btc, clientId);
          expect(cancelled.outcome).toBe(carriedOut ? 'cancelled' : 'gone');
        },
      );
    });

    describe('changes', () =>
      claimAmendments(async () => ({
        ...{ connector: overSocket, simulator: rig.simulator, instrument: rig.market.btc },
        ...{ call: venue.calls.amend, replaces: venue.replaces, bid: () => rig.bidBelowRoom() },
        member: () => rig.memberBy('over its socket', overSocket, { USDT: '12000', BTC: '1' }),
        resting: (part) => rig.resting({ quantity: amount('0.02'), ...part }),
      })));

    test('the private stream tells orders, fills and balances as the answers do, and comes back after the venue drops it', async () => {
      const { btc } = rig.market;
      const member = await rig.member();
      const { seen, malformed, close } = await follow(overSocket, member);
      const eventsOf = (clientId: string) => seen.orders.filter((event) => event.state.clientId === clientId);
      const order = rig.order({ type: ORDER_TYPE.MARKET, quantity: amount('0.02') });
      const placed = await overSocket.place(member, order);
      if (placed.outcome !== 'accepted') throw new Error(JSON.stringify(placed));
      const fills = must(await overSocket.fillsOfOrder(member, btc, placed.state.venueOrderId));
      const own = () => eventsOf(order.clientId);
      const streamed = () => own().flatMap((event) => event.fill ?? []);
      await until('every fill was told', () => streamed().length === fills.length);
      // Fills of one moment are listed in no particular order; an answer that tells them has them as the stream.
      expect(byTrade(streamed())).toEqual(byTrade(fills));
      if (venue.answersTell) expect(streamed()).toEqual(placed.fills);
      const reported = () => own().filter((event) => venue.fillsTellState || !event.fill);
      await until('the end was told', () => reported().at(-1)?.state.status === ORDER_STATUS.FILLED);
      expect(reported().at(-1)?.state).toEqual(
        venue.answersTell ? placed.state : await stateOf(overSocket, member, order),
      );
      const free = await freeOf(overSocket, member, 'USDT');
      await until('balances were told', () =>
        seen.balances.some((one) => one.asset === 'USDT' && one.free === free),
      );
      await rig.simulator.dropSockets();
      await until('the stream is open again', () => seen.open === 2);
      expect(seen.closed).toBeGreaterThanOrEqual(1);
      const second = rig.resting();
      await overSocket.place(member, second);
      await overSocket.cancel(member, btc, second.clientId);
      const states = () => eventsOf(second.clientId).map((event) => event.state.status);
      await until("the cancel was told under the order's own id", () =>
        states().includes(ORDER_STATUS.CANCELLED),
      );
      expect(states()).toEqual([ORDER_STATUS.OPEN, ORDER_STATUS.CANCELLED]);
      expect(malformed).toEqual([]);
      close();
    });

    test('a refused key is told each time and does not end the attempts', async () => {
      const { apiKey, ...rest } = await rig.member();
      const closed: string[] = [];
      const ignore = () => undefined;
      const stream = overSocket.userStream(
        { ...rest, apiKey: apiKey.replaceAll(/./g, 'y') },
        {
          ...{ onOpen: ignore, onOrder: ignore, onBalances: ignore, onMalformed: ignore },
          onClosed: (why) => closed.push(why),
        },
      );
      const { refusedStreams } = venue;
      await until('two attempts of each stream were refused', () =>
        refusedStreams.every((why) => closed.filter((one) => one === why).length >= 2),
      );
      stream.close();
      expect(new Set(closed)).toEqual(new Set(refusedStreams));
    });

    test('fills since a moment are those of every order of the instrument, however many pages', async () => {
      const { btc } = rig.market;
      const member = await rig.member({ USDT: '100000', BTC: '1' });
      const since = now();
      const orders = [];
      for (const side of [SIDE.BUY, SIDE.SELL, SIDE.BUY, SIDE.SELL]) {
        const order = rig.order({ type: ORDER_TYPE.MARKET, quantity: amount('0.3'), side });
        const placed = await overSocket.place(member, order);
        if (placed.outcome === 'accepted') orders.push(placed.state.venueOrderId);
      }
      const fills = must(await overSocket.fillsSince(member, btc, since));
      expect(new Set(fills.map((fill) => fill.venueOrderId))).toEqual(new Set(orders));
      expect(orders.length).toBe(4);
      expect(total(fills, 'quantity')).toBe(amount('1.2'));
      const later = (now() + 3_600_000) as Millis;
      expect(await overSocket.fillsSince(member, btc, later)).toEqual({ ok: true, value: [] });
    });

    test('a member’s account is made once, funded once, trades, and lost transfers are found', async () => {
      const { btc } = rig.market;
      const master = await rig.simulator.member('master', { USDT: '50000' });
      const connector = rig.connector('by REST');
      const funds = must(await connector.operatorFunds(master));
      expect(funds.filter(({ free }) => free !== ZERO)).toMatchObject([
        { asset: 'USDT', free: amount('50000') },
      ]);
      const open = async () => {
        const opened = await askUntil(
          (outcome) => outcome === 'found',
          () => connector.openMemberAccount(master, 'm-17'),
        );
        if (opened.outcome !== 'found') throw new Error(opened.outcome);
        return opened.value;
      };
      const first = await open();
      const { credentials, accountId } = await open();
      expect(accountId).toBe(first.accountId);
      expect(credentials.apiKey).not.toBe(first.credentials.apiKey);

      const move = (usdt: string) => ({
        clientId: uuidV7(now(), randomBytes(10)).replaceAll('-', ''),
        ...{ to: accountId, asset: 'USDT', amount: amount(usdt) },
      });
      const transfer = (request: Parameters<VenueTrading['transfer']>[1]) =>
        askUntil(
          (outcome) => outcome !== 'not-now',
          () => connector.transfer(master, request),
        );
      const find = (clientId: string, wanted: string) =>
        askUntil(
          (outcome) => outcome === wanted,
          () => connector.findTransfer(master, clientId),
        );
      const one = move('1000.5');
      await find(one.clientId, 'not-found');
      const done = await transfer(one);
      if (done.outcome !== 'done') throw new Error(JSON.stringify(done));
      const { venueId } = done;
      expect(venueId).toBe(venue.transfers.idOf?.(one.clientId) ?? venueId);
      expect(await find(one.clientId, 'found')).toEqual({ outcome: 'found', value: { venueId } });
      expect(await freeOf(connector, first.credentials, 'USDT')).toBe(amount('1000.5'));
      const again = await transfer(one);
      if (venue.transfers.again === 'done') expect(again).toEqual(done);
      else expect(again.outcome).toBe(venue.transfers.again);
      expect(await freeOf(connector, credentials, 'USDT')).toBe(amount('1000.5'));

      const tooMuch = move('1000000');
      const { overdrawnCode } = venue.transfers;
      const refused = await transfer(tooMuch);
      expect(refused.outcome).not.toBe('done');
      if (overdrawnCode !== undefined)
        expect(refused).toMatchObject({ outcome: 'refused', venueCode: overdrawnCode });
      await find(tooMuch.clientId, 'not-found');
      for (const kind of ['silence-after', 'reset-after']) {
        const lost = move('125');
        await rig.simulator.plantFault(kind, venue.calls.transfer);
        expect(await transfer(lost)).toMatchObject({ outcome: 'unknown' });
        await find(lost.clientId, 'found');
      }
      expect(await freeOf(connector, credentials, 'USDT')).toBe(amount('1250.5'));
      const { to: _, ...home } = { ...move('50.5'), from: accountId };
      expect(await transfer(home)).toMatchObject({ outcome: 'done' });
      expect(await freeOf(connector, credentials, 'USDT')).toBe(amount('1200'));

      const order = rig.resting({ quantity: amount('0.001') });
      expect(await connector.place(credentials, order)).toMatchObject({ outcome: 'accepted' });
      const { clientId } = order;
      expect(await connector.cancel(credentials, btc, clientId)).toMatchObject({ outcome: 'cancelled' });
      // A member's key may not make accounts.
      expect((await connector.openMemberAccount(credentials, 'm-18')).outcome).toBe('unknown');
    });
  });

  const contracts = CONTRACT_VENUES.find(({ name }) => name === venue.name);
  if (contracts === undefined) throw new Error(`${venue.name} trades no contracts`);
  describe('contracts', { concurrent: false }, () => {
    claimContracts(() => ContractRig.open(contracts, rig), CONTRACT_WORDS[venue.slug]);

    describe('changes', () =>
      claimAmendments(async () => {
        const of = await ContractRig.open(contracts, rig);
        return {
          ...{
            connector: of.connector,
            simulator: rig.simulator,
            instrument: of.btc,
            bid: () => of.bidBelowRoom(),
          },
          ...{ call: contracts.calls.amend, replaces: false },
          member: () => of.member('2000'),
          resting: (part) => of.resting({ quantity: (of.size * 2n) as Amount, ...part }),
        };
      }));
  });
});
