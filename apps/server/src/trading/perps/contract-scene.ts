import {
  type Amount,
  type ContractOrderRequest,
  type ContractScene,
  type ContractSetting,
  type Instrument,
  type LeverageTier,
  lesser,
  type MarginMode,
  type MarginPool,
  minus,
  type OrderId,
  SIDE,
  ZERO,
} from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type { AccountOwner } from '../account-pages.ts';
import type { StoredOrder } from '../order.ts';
import type { TradingDeps } from '../ports.ts';
import { ledgerAvailable, type StatedStats } from './stated-stats.ts';

/** What a scene is made for. */
export interface SceneOf {
  readonly owner: AccountOwner;
  readonly instrument: Instrument;
  readonly marginMode: MarginMode;
  readonly leverage: Pick<ContractSetting, 'leverageLong' | 'leverageShort'>;
  /** Without them nothing is known of room; cost needs none. */
  readonly tiers?: readonly LeverageTier[];
  readonly best: { readonly bid: Amount; readonly ask: Amount } | undefined;
  /** An order that is left out: its own terms are about to be others. */
  readonly except?: OrderId;
}

/**
 * What stands around an order, for the rules that hub and pages share: what the venue stated last, and orders that it has
 * acknowledged. `undefined` while no price is known.
 */
export async function sceneOf(
  { deps, stated }: { readonly deps: TradingDeps; readonly stated: StatedStats },
  { owner, instrument, marginMode, leverage, tiers = [], best, except }: SceneOf,
): Promise<ContractScene | undefined> {
  const { platform, user } = owner;
  const { symbol } = instrument;
  const mark = (await deps.market.mark(platform, symbol)) ?? middleOf(best);
  if (mark === undefined) return undefined;
  const { fees } = venueProfile(platform).markets.SWAP;
  const open = await deps.orders.openOf(user, platform, { symbol, symbolType: 'SWAP' });
  const pool = stated.pool(owner);
  return {
    ...{ instrument, tiers, mark, takerFee: fees.taker, makerFee: fees.maker },
    terms: venueProfile(platform).trading.contracts.margin,
    setting: { marginMode, ...leverage },
    ...(best === undefined ? {} : { bestBid: best.bid, bestAsk: best.ask }),
    pool: await meansOf(deps, owner, pool),
    positions: await stated.positions(owner),
    orders: open
      .filter(
        ({ id, venueOrderId, contract }) =>
          id !== except && venueOrderId !== undefined && contract?.marginMode === marginMode,
      )
      .map(restingOf),
  };
}

/** What an order may take: the lesser of ledger and venue. */
async function meansOf(
  deps: TradingDeps,
  owner: AccountOwner,
  pool: MarginPool | undefined,
): Promise<ContractScene['pool']> {
  if (pool === undefined) return { wallet: ZERO, available: ZERO };
  const free = await ledgerAvailable(deps, { ...owner, asset: pool.asset });
  return { wallet: pool.wallet, available: lesser(free, pool.available) };
}

function restingOf({
  side,
  contract,
  quantity = ZERO,
  cumQuantity,
  price,
}: StoredOrder): ContractOrderRequest {
  return {
    buys: side === SIDE.BUY,
    side: contract?.side ?? 0,
    quantity: minus(quantity, cumQuantity),
    ...(price === undefined ? {} : { price }),
    reduceOnly: contract?.reduceOnly ?? false,
  };
}

function middleOf(best: SceneOf['best']): Amount | undefined {
  return best === undefined ? undefined : (((best.bid + best.ask) / 2n) as Amount);
}
