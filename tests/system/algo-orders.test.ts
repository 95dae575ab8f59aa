import {
  type Amount,
  amount,
  type Instrument,
  type PlatformSlug,
  platformFacts,
  type SymbolType,
  stepsToAmount,
} from '@crossbook/domain';
import { VENUE_PROFILES, type VenuePublic } from '@crossbook/venues';
import { afterAll, beforeAll, describe, vi } from 'vitest';
import { type AlgoRig, type AlgoWords, claimAlgos } from './algo-claims.ts';
import { claimTargetsOfParts } from './attached-claims.ts';
import { TRADING_VENUES } from './connector-venues.ts';
import { ContractRig, REDUCES } from './contract-rig.ts';
import { CONTRACT_VENUES } from './contract-venues.ts';
import { claimIcebergs } from './iceberg-claims.ts';
import { PUBLIC_HALVES } from './public-halves.ts';
import { must } from './simulator-venue.ts';
import { TradingRig } from './trading-rig.ts';
import { claimAppOrders, claimLegsBehind, claimTrailingOfPosition } from './venue-own-claims.ts';

/** Algo orders by the connectors against the simulator in its own process, whose markets move here. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** What the claims must know of a venue besides. */
const WORDS: Readonly<Record<PlatformSlug, Readonly<Partial<Record<SymbolType, AlgoWords>>>>> = {
  binance: {
    SPOT: { place: 'order.place', placeOco: 'orderList.place.oco', cancel: 'order.cancel', sided: true },
    SWAP: { place: 'fapi.algoOrder.place', cancel: 'fapi.algoOrder.cancel', sided: true },
  },
  okx: {
    SPOT: { place: 'order.algo.place', amend: 'order.algo.amend', cancel: 'order.algo.cancel', sided: true },
    SWAP: { place: 'order.algo.place', amend: 'order.algo.amend', cancel: 'order.algo.cancel', sided: true },
  },
  bybit: {
    SPOT: { place: 'order.create', amend: 'order.amend', cancel: 'order.cancel', sided: false },
    SWAP: {
      ...{ place: 'order.create', amend: 'order.amend', cancel: 'order.cancel', sided: true },
      placeTrailing: 'position.tradingStop',
    },
  },
};

/** Who makes orders of one bit by bit. */
const ICEBERGS: ReadonlySet<PlatformSlug> = new Set(['okx']);

const VENUES = TRADING_VENUES.map((venue) => {
  const contracts = CONTRACT_VENUES.find(({ name }) => name === venue.name);
  const profile = Object.values(VENUE_PROFILES).find(
    ({ platform }) => platformFacts(platform).slug === venue.slug,
  );
  if (contracts === undefined || profile === undefined) throw new Error(`${venue.name} trades no contracts`);
  return { name: venue.name, venue, words: WORDS[venue.slug], contracts, profile };
});

describe.concurrent.each(VENUES)('$name', ({ venue, words, contracts, profile }) => {
  let trading: TradingRig;
  beforeAll(async () => {
    trading = await TradingRig.start(venue);
    await trading.simulator.pause(false);
  });
  afterAll(() => trading?.close());

  const priceOf = async (rest: VenuePublic['rest'], instrument: Instrument): Promise<Amount> => {
    const { bids, asks } = must(await rest.depth(instrument, 5));
    const middle = Math.floor(((bids[0]?.[0] ?? 0) + (asks[0]?.[0] ?? 0)) / 2);
    return stepsToAmount(middle, instrument.tickSize);
  };

  async function rigOfPairs(): Promise<AlgoRig> {
    const connector = trading.connector('over its socket');
    const holder = () => trading.member({ USDT: '100000', BTC: '2' });
    return {
      ...{ market: 'spot', offer: profile.trading.algos.SPOT, connector, holder },
      ...{ simulator: trading.simulator, instrument: trading.market.btc, size: amount('0.01') },
      flat: () => trading.member({ USDT: '10' }),
      price: () => priceOf(trading.publicHalf.rest, trading.market.btc),
    };
  }

  async function rigOfContracts(): Promise<AlgoRig> {
    const rig = await ContractRig.open(contracts, trading);
    const { rest } = PUBLIC_HALVES[venue.slug].perps(trading.simulator);
    return {
      ...{ market: 'perps', offer: profile.trading.algos.SWAP, contract: REDUCES },
      ...{ simulator: trading.simulator, instrument: rig.btc, size: rig.size, connector: rig.connector },
      flat: () => rig.member(),
      async holder() {
        const member = await rig.member();
        await rig.filled(member);
        return member;
      },
      price: () => priceOf(rest, rig.btc),
    };
  }

  const { SPOT, SWAP } = words;
  const { algos } = profile.trading;
  if (SPOT !== undefined)
    describe('on pairs', { concurrent: false }, () => {
      claimAlgos(rigOfPairs, algos.SPOT, SPOT);
      const { attached } = algos.SPOT;
      if (attached === 'list' || attached === 'fills') claimLegsBehind(rigOfPairs, attached);
    });
  if (SWAP !== undefined)
    describe('on contracts', { concurrent: false }, () => {
      claimAlgos(rigOfContracts, algos.SWAP, SWAP);
      if (SWAP.placeTrailing !== undefined) claimTrailingOfPosition(rigOfContracts, SWAP.placeTrailing);
      if (algos.SWAP.targetsMax !== undefined) claimTargetsOfParts(rigOfContracts);
    });
  if (venue.slug === 'okx')
    describe('of the app, on contracts', { concurrent: false }, () => claimAppOrders(rigOfContracts));
  if (ICEBERGS.has(venue.slug)) {
    describe('icebergs on pairs', { concurrent: false }, () => claimIcebergs(rigOfPairs));
    describe('icebergs on contracts', { concurrent: false }, () => claimIcebergs(rigOfContracts));
  }
});
