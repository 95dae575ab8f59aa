import { parseAmount, stepsToAmount } from '@crossbook/domain';
import { useCallback, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { ContractFacts } from '../../../calculators/contracts/contract-summary.ts';
import { heldBackByOrders } from '../../../calculators/contracts/held-back.ts';
import { bootPlatform } from '../../../stores/app/boot.ts';
import {
  findInstrument,
  instrumentsStore,
  type ListedInstrument,
} from '../../../stores/market/instruments.ts';
import { liveStore } from '../../../stores/market/live.ts';
import { contractOffer, marketKey } from '../../../stores/market/market.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import {
  contractSettingsStore,
  loadSetting,
  loadTiers,
  settingKey,
} from '../../../stores/trading/contracts/contract-settings.ts';
import { positionsStore } from '../../../stores/trading/contracts/positions.ts';
import { ordersStore } from '../../../stores/trading/orders.ts';
import { useMarketSample } from '../live/live-hooks.ts';
import { freshness, isKnown, type LiveMarket } from '../live/live-market.ts';
import { type MarketWalk, useMarketWalk } from '../live/use-market-walk.ts';
import { tiersOf } from '../tiers.ts';

/** How often the ticket's estimates follow the market: they are read, not traded on. */
const BEST_EVERY_MILLIS = 500;

interface Prices {
  readonly bid: number | undefined;
  readonly ask: number | undefined;
  readonly mark: string | undefined;
  readonly stale: boolean;
  readonly known: boolean;
}

const NOTHING: Prices = { bid: undefined, ask: undefined, mark: undefined, stale: true, known: false };

function pricesOf(market: LiveMarket, { platform, symbolType }: ListedInstrument): Prices {
  const { book } = market.book;
  return {
    ...{ bid: book.bestBid(), ask: book.bestAsk(), mark: market.ticker.stats()?.mark },
    stale: freshness(market, liveStore.getState()[platform], symbolType, performance.now()).unpriced,
    known: isKnown(market, symbolType),
  };
}

function samePrices(left: Prices, right: Prices): boolean {
  return (Object.keys(NOTHING) as (keyof Prices)[]).every((name) => left[name] === right[name]);
}

/** Facts of a contract's ticket: `shown` for rendering, twice a second; `read` for the moment of a click. */
export interface ContractTicketWorld {
  readonly shown: ContractFacts;
  readonly read: () => ContractFacts;
  /** Whether the market's first prices are here; nothing is opened before that. */
  readonly known: boolean;
  /** Whether leverage and modes were read; the ticket opens with them. */
  readonly settingStatus: 'loading' | 'ready' | 'failed';
  /** What a market order of a size would get from the book now. */
  readonly walk: MarketWalk;
}

/** What of the facts the stores know; it changes with them, not with prices. */
function useStoredFacts(instrument: ListedInstrument) {
  const { platform, symbol } = instrument;
  const key = settingKey(platform, symbol);
  const known = useStore(contractSettingsStore, ({ settings }) => settings[key]);
  const tierRows = useStore(contractSettingsStore, ({ tiers }) => tiers[key]);
  const open = useStore(positionsStore, (state) => state.open);
  const margin = useStore(positionsStore, (state) => state.margin[platform]);
  const orders = useStore(ordersStore, (state) => state.open);
  const member = useStore(sessionStore, isMember);
  const instruments = useStore(instrumentsStore);
  const unread = known === undefined;
  useEffect(() => {
    if (member && unread) void loadSetting(instrument);
  }, [member, instrument, unread]);
  // Without an account there may be no table either: once there is a setting it is asked for again.
  const set = known?.row !== undefined;
  useEffect(() => {
    if (member || set) void loadTiers(instrument);
  }, [member, instrument, set]);
  const { margin: terms } = contractOffer(platform);
  const facts = useMemo(
    () => ({
      ...{ instrument, setting: known?.row, tiers: tiersOf(tierRows), margin },
      positions: [...open.values()].filter((row) => row.exchange === platform),
      orders: [...orders.values()].filter(
        (row) => row.exchange === platform && row.symbolType === 'SWAP' && row.symbol === symbol,
      ),
      ...{ makerFee: instrument.makerFee, takerFee: instrument.takerFee },
      terms,
      ...(terms.ordersHoldBack === true
        ? {
            heldBack: heldBackByOrders(
              [...orders.values()].filter((row) => row.exchange === platform),
              (type, name) => findInstrument(instruments, platform, type, name),
            ),
          }
        : {}),
      platformOpen: bootPlatform(platform)?.state === 'live',
    }),
    [instrument, known, tierRows, margin, open, orders, instruments, terms, platform, symbol],
  );
  return { facts, settingStatus: known?.status ?? ('loading' as const) };
}

/** Gathers what a contract's ticket must know from the stores. */
export function useContractFacts(market: LiveMarket, instrument: ListedInstrument): ContractTicketWorld {
  const { facts: fixed, settingStatus } = useStoredFacts(instrument);
  const prices =
    useMarketSample(
      marketKey(instrument),
      () => pricesOf(market, instrument),
      BEST_EVERY_MILLIS,
      samePrices,
    ) ?? NOTHING;
  const facts = useCallback(
    ({ bid, ask, mark, stale }: Prices): ContractFacts => ({
      ...fixed,
      bestBid: bid === undefined ? undefined : stepsToAmount(bid, instrument.tickSize),
      bestAsk: ask === undefined ? undefined : stepsToAmount(ask, instrument.tickSize),
      mark: mark === undefined ? undefined : parseAmount(mark),
      priceStale: stale,
    }),
    [fixed, instrument],
  );
  const read = useCallback(() => facts(pricesOf(market, instrument)), [facts, market, instrument]);
  const shown = useMemo(() => facts(prices), [facts, prices]);
  const walk = useMarketWalk(market, instrument);
  return { shown, read, known: prices.known, settingStatus, walk };
}
