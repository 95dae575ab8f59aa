import type { CallAnswer, CallRequest, CallResponse, MarginRow, MemberCaller } from '@crossbook/contract';
import {
  type Amount,
  formatAmount,
  type Instrument,
  largestContractOrder,
  type MarginMode,
  minus,
  PLATFORMS,
  type Platform,
  type PlatformType,
  POSITION_SIDE,
  platformOfType,
  plus,
  SIDE,
  ZERO,
} from '@crossbook/domain';
import type { AccountOwner, PageRequest } from '../account-pages.ts';
import { positionName, type Whose } from '../contract-store.ts';
import { refusal } from '../ports.ts';
import { away } from './contract-accounts.ts';
import { sceneOf } from './contract-scene.ts';
import type { ContractPlacing } from './place-contract.ts';
import {
  closedRow,
  fundingRow,
  MODE_OF_SEVERAL,
  marginRow,
  positionNamed,
  positionRow,
  withProtection,
} from './position-rows.ts';
import { contractShown } from './setting-calls.ts';
import { ledgerAvailable } from './stated-stats.ts';

/** Open positions at the platforms asked for, as the exchanges stated them last, and the money behind them. */
export async function currentPositions(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/CurPositionList'>,
): Promise<CallAnswer<CallResponse<'connextrade/CurPositionList'>>> {
  const { deps } = contracts.placing;
  const asked = PLATFORMS.filter(
    ({ platformType }) => request.platformType === undefined || platformType === request.platformType,
  );
  const positions = [];
  const margin: MarginRow[] = [];
  for (const { platform } of asked) {
    const owner = { user: caller.user, platform };
    const account = await contracts.accounts.find(owner);
    if (account === undefined) continue;
    // Who has not been asked after since the start is read once; from then on streams and the rotation tell.
    if (contracts.stated.pool(owner) === undefined) await contracts.stated.read(account, 'lookup');
    const booked = await deps.contracts.booked(owner);
    const byName = new Map(booked.map((position) => [positionName(position), position]));
    const unprotected = await deps.algos.targets.unprotected(owner);
    for (const position of await contracts.stated.positions(owner)) {
      if (request.symbol !== undefined && position.symbol !== request.symbol) continue;
      positions.push(withProtection(positionRow(position, byName.get(positionName(position))), unprotected));
    }
    const pool = contracts.stated.pool(owner);
    if (pool === undefined) continue;
    const free = await ledgerAvailable(deps, { ...owner, asset: pool.asset });
    margin.push(marginRow(platform, pool, free));
  }
  return { ok: true, value: { positions, margin } };
}

function whoseOf(
  caller: MemberCaller,
  request: { readonly platformType?: PlatformType | undefined; readonly symbol?: string | undefined },
): Whose {
  const { platformType, symbol } = request;
  const platform = platformType === undefined ? undefined : platformOfType(platformType)?.platform;
  return {
    user: caller.user,
    ...(platform === undefined ? {} : { platform }),
    ...(symbol === undefined ? {} : { symbol }),
  };
}

function pageOf({
  limit,
  cursor,
}: {
  readonly limit: number;
  readonly cursor?: string | undefined;
}): PageRequest {
  return cursor === undefined ? { limit } : { limit, cursor };
}

/** Positions from opening to flat, newest first. */
export async function positionHistory(
  { placing }: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/PositionHistory'>,
): Promise<CallAnswer<CallResponse<'connextrade/PositionHistory'>>> {
  const page = await placing.deps.contracts.closed(whoseOf(caller, request), pageOf(request));
  const rows = page.rows.map(closedRow);
  return { ok: true, value: page.next === undefined ? { rows } : { rows, next: page.next } };
}

/** Payments of funding, newest first. */
export async function fundingHistory(
  { placing }: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'x/trade/FundingHistory'>,
): Promise<CallAnswer<CallResponse<'x/trade/FundingHistory'>>> {
  const page = await placing.deps.contracts.funding(whoseOf(caller, request), pageOf(request));
  const rows = page.rows.map(fundingRow);
  return { ok: true, value: page.next === undefined ? { rows } : { rows, next: page.next } };
}

/** GetPositionTiers: `sym` is the tinstFamily (`BTC-USDT` at every venue), or the contract's own name. */
export async function positionTiers(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/GetPositionTiers'>,
): Promise<CallAnswer<CallResponse<'connextrade/GetPositionTiers'>>> {
  const platform = platformOfType(request.platformType)?.platform as Platform;
  const { market } = contracts.placing.deps;
  const names = [request.sym, `${request.sym}-SWAP`, request.sym.replaceAll('-', '')];
  const instrument = names
    .map((symbol) => market.instrument(platform, 'SWAP', symbol))
    .find((found) => found !== undefined);
  if (instrument === undefined) return refusal({ error: 'symbol-unknown', field: 'sym', given: request.sym });
  const standing = await contracts.accounts.standing({ user: caller.user, platform });
  if (standing.state === 'away') return refusal(away(platform));
  const reader = standing.state === 'ready' ? standing.account : standing;
  const tiers = await contracts.accounts.tiers(reader, instrument);
  if (!tiers.ok) return refusal(away(platform, tiers));
  const rows = tiers.value.map(({ tier, unit, floor, cap, maintenanceRate, maxLeverage, deduction }) => ({
    ...{ tier, unit, maxLeverage, floor: formatAmount(floor), cap: formatAmount(cap) },
    ...{ maintenanceRate: formatAmount(maintenanceRate), deduction: formatAmount(deduction) },
  }));
  return { ok: true, value: rows };
}

/** What no order is checked by may be of a setting this old; an order reads it again. */
const SHOWN_MILLIS_MAX = 300_000;

const NOTHING_OPENS = { quantity: '0', bound: 'none' } as const;

/** The largest quantity that would be taken now, and what bounds it: by the rules that hub, pages and ticket share. */
export async function availableOpen(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/AvailableOpen'>,
): Promise<CallAnswer<CallResponse<'connextrade/AvailableOpen'>>> {
  const found = await contractShown(contracts, caller, request);
  if (!found.ok) return found;
  if (found.state === 'none') return { ok: true, value: NOTHING_OPENS };
  const { account, instrument } = found;
  const { placing, accounts, stated } = contracts;
  const { deps } = placing;
  const { owner } = account;
  const setting = await accounts.setting(account, instrument, request.marginMode, SHOWN_MILLIS_MAX);
  if (!setting.ok) return refusal(away(owner.platform, setting));
  const now = await stated.now(account);
  if (!now.ok) return refusal(away(owner.platform, now));
  const table = await accounts.tiers(account, instrument);
  if (!table.ok) return refusal(away(owner.platform, table));
  const { side, effect, price, marginMode = setting.value.marginMode } = request;
  const opens = effect === POSITION_SIDE.NET || (effect === POSITION_SIDE.LONG) === (side === SIDE.BUY);
  if (!opens) return { ok: true, value: NOTHING_OPENS };
  const best = await deps.market.best(owner.platform, 'SWAP', instrument.symbol);
  const scene = await sceneOf(
    { deps, stated },
    { owner, instrument, marginMode, tiers: table.value, best, leverage: setting.value },
  );
  if (scene === undefined || (price === undefined && best === undefined))
    return refusal({ error: 'price-stale' });
  const like = { buys: side === SIDE.BUY, side: effect, reduceOnly: false };
  const { quantity, bound } = largestContractOrder(price === undefined ? like : { ...like, price }, scene);
  const binds = quantity === 0n || bound === 'position' ? 'none' : bound;
  return { ok: true, value: { quantity: formatAmount(quantity), bound: binds } };
}

/** What of a position may be closed, and how much of that resting orders would close already. */
export async function availableClose(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/AvailableClose'>,
): Promise<CallAnswer<CallResponse<'connextrade/AvailableClose'>>> {
  const found = await contractShown(contracts, caller, request);
  if (!found.ok) return found;
  if (found.state === 'none') return { ok: true, value: { quantity: '0', inClosingOrders: '0' } };
  const { account, instrument } = found;
  const now = await contracts.stated.now(account);
  if (!now.ok) return refusal(away(account.owner.platform, now));
  const position = positionNamed(now.value.positions, { ...request, symbol: instrument.symbol });
  if (position === 'several') return refusal(MODE_OF_SEVERAL);
  const signed = position?.quantity ?? ZERO;
  const quantity = signed < 0n ? minus(ZERO, signed) : signed;
  const inClosingOrders = await closingOrders(contracts, account.owner, {
    ...{ instrument, effect: request.effect },
    marginMode: position?.marginMode ?? request.marginMode,
  });
  return {
    ok: true,
    value: { quantity: formatAmount(quantity), inClosingOrders: formatAmount(inClosingOrders) },
  };
}

async function closingOrders(
  { placing }: ContractPlacing,
  { user, platform }: AccountOwner,
  {
    instrument,
    effect,
    marginMode,
  }: {
    readonly instrument: Instrument;
    readonly effect: 0 | 1 | 2;
    readonly marginMode: MarginMode | undefined;
  },
): Promise<Amount> {
  const { symbol } = instrument;
  const open = await placing.deps.orders.openOf(user, platform, { symbol, symbolType: 'SWAP' });
  return open
    .filter(({ contract }) => contract?.reduceOnly === true && contract.side === effect)
    .filter(({ contract }) => marginMode === undefined || contract?.marginMode === marginMode)
    .reduce((sum, { quantity = ZERO, cumQuantity }) => plus(sum, minus(quantity, cumQuantity)), ZERO);
}
