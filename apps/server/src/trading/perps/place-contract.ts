import type { CallAnswer, OrderRow, Refusal } from '@crossbook/contract';
import {
  type Instrument,
  type MarginMode,
  ORDER_STATUS,
  type Platform,
  POSITION_SIDE,
  type PositionSide,
  platformOfType,
  type Side,
  type UserId,
} from '@crossbook/domain';
import type { AccountOwner } from '../account-pages.ts';
import type { ContractPart, StoredOrder } from '../order.ts';
import { orderAnswer } from '../order-rows.ts';
import { type Asked, carryOut, type Placing } from '../orders/place-order.ts';
import { targetsRefusal } from '../orders/target-checks.ts';
import { type Doubt, type Refused, refusal, tradeBar } from '../ports.ts';
import { away, type ContractAccount, type ContractAccounts, type ReadyAccount } from './contract-accounts.ts';
import { type ContractDraft, type ContractRiskFacts, contractChecked, isClosing } from './contract-checks.ts';
import { sceneOf } from './contract-scene.ts';
import { MODE_OF_SEVERAL, positionNamed } from './position-rows.ts';
import type { SettingChanges } from './setting-changes.ts';
import type { StatedStats } from './stated-stats.ts';

/** What trading contracts needs besides what all orders need. */
export interface ContractPlacing {
  readonly placing: Placing;
  readonly accounts: ContractAccounts;
  readonly stated: StatedStats;
  readonly settings: SettingChanges;
  readonly doubtful: (owner: AccountOwner) => Doubt | undefined;
  /** An order is at the venue: its hold ends when the venue's figures contain it. */
  readonly acknowledged: (order: StoredOrder) => void;
}

/** The order that a member asks for on a contract: read and checked, then carried out as every order is. */
export async function placeContract(
  contracts: ContractPlacing,
  { caller, request, orderRequest, ask }: Asked,
): Promise<CallAnswer<OrderRow>> {
  const { deps } = contracts.placing;
  const platform = platformOfType(request.platformType)?.platform as Platform;
  const instrument = deps.market.instrument(platform, 'SWAP', request.symbol);
  if (deps.venue(platform) === undefined || instrument === undefined)
    return refusal({ error: 'symbol-unknown', field: 'symbol', given: request.symbol });
  const owner: AccountOwner = { user: caller.user, platform };
  const terms = await contractTerms(contracts, owner, { ...request, instrument, side: orderRequest.side });
  if (!terms.ok) return terms;
  const { account, setting, contract } = terms;
  const draft: ContractDraft = { ...orderRequest, instrument, contract };
  const wrong = await targetsRefusal(deps, draft, terms.closes);
  if (wrong !== undefined) return refusal(wrong);
  const facts = await factsOf(contracts, { account, draft, setting });
  const checked = contractChecked(draft, facts);
  if (!checked.ok) return checked;
  const check = (openOrders: number) => contractChecked(draft, { ...facts, openOrders });
  const { desk, credentials } = account;
  const carried = await carryOut(contracts.placing, { caller, draft, desk, credentials, check, ask });
  if (!carried.ok) return carried;
  if (carried.order.status !== ORDER_STATUS.NEW) contracts.acknowledged(carried.order);
  return orderAnswer(carried.order);
}

/** What a member says about the position that an order is for. */
export interface AskedTerms {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly effect?: PositionSide | undefined;
  readonly reduceOnly?: boolean | undefined;
  readonly marginMode?: MarginMode | undefined;
  readonly leverage?: number | undefined;
}

/** The account that an order on a contract goes to, how the contract is set there, and the order's part about it. */
export interface ContractTerms {
  readonly ok: true;
  readonly account: ContractAccount;
  readonly setting: ContractRiskFacts['setting'];
  readonly contract: ContractPart;
  /** It can only make a position smaller. */
  readonly closes: boolean;
}

/** Reads what an order on a contract needs; opening asks the money gate and an account in order, closing always goes. */
export async function contractTerms(
  contracts: ContractPlacing,
  owner: AccountOwner,
  { instrument, side, effect = 0, reduceOnly = false, marginMode, leverage }: AskedTerms,
): Promise<ContractTerms | Refused> {
  const asked: AskedPart = {
    ...{ side: effect, reduceOnly },
    ...(marginMode === undefined ? {} : { marginMode }),
    ...(leverage === undefined ? {} : { leverage }),
  };
  const closes = isClosing({ side, contract: { ...asked, ...NOTHING_SEEN } });
  if (!closes && (marginMode === undefined || leverage === undefined))
    return refusal({
      ...{ error: 'field-invalid', field: marginMode === undefined ? 'marginMode' : 'leverage' },
      allowed: 'what was seen, needed to open a position',
    });
  const barred = closes ? undefined : await openingBar(contracts, owner.user);
  if (barred !== undefined) return refusal(barred);
  const ready = await accountFor(contracts, owner, closes);
  if (!ready.ok) return ready;
  if (!closes && contracts.settings.pending(owner)) return refusal({ error: 'setting-pending' });
  const { account } = ready;
  const held = marginMode ?? (await modeOfPosition(contracts, owner, { instrument, effect }));
  if (held === 'several') return refusal(MODE_OF_SEVERAL);
  const mode = held ?? 'cross';
  const setting = await contracts.accounts.setting(account, instrument, mode);
  const contract: ContractPart = {
    ...{ side: effect, reduceOnly: reduceOnly || (closes && effect !== POSITION_SIDE.NET) },
    marginMode: mode,
    leverage: leverage ?? (setting.ok ? setting.value.leverageLong : 1),
  };
  return { ok: true, account, setting, contract, closes };
}

/** What keeps a member from opening anywhere: no money moves at the moment, or contracts need a higher tier. */
export async function openingBar(
  { placing: { deps } }: ContractPlacing,
  user: UserId,
): Promise<Refusal | undefined> {
  const barred = await tradeBar(deps, user, true);
  if (barred !== undefined) return barred;
  return (await deps.mayOpenContracts(user)) ? undefined : { error: 'kyc-required' };
}

const NOTHING_SEEN = { marginMode: 'cross', leverage: 1 } as const;

type AskedPart = Pick<ContractPart, 'side' | 'reduceOnly'> & Partial<ContractPart>;

/** Opening needs an account in order; closing goes on whatever it is like. Without one there is nothing to do either with. */
async function accountFor(
  { accounts }: ContractPlacing,
  owner: AccountOwner,
  closes: boolean,
): Promise<ReadyAccount> {
  const standing = await accounts.standing(owner);
  if (standing.state === 'away') return refusal(away(owner.platform));
  if (standing.state === 'none') {
    const { name, state } = standing.desk;
    if (closes) return refusal({ error: 'position-none' });
    return refusal(
      state === 'live' ? { error: 'balance-insufficient' } : { error: 'platform-coming-soon', given: name },
    );
  }
  return closes ? { ok: true, account: standing.account } : accounts.prepared(owner);
}

async function modeOfPosition(
  { stated }: ContractPlacing,
  owner: AccountOwner,
  { instrument, effect }: { readonly instrument: Instrument; readonly effect: ContractPart['side'] },
): Promise<ContractPart['marginMode'] | 'several' | undefined> {
  const position = positionNamed(await stated.positions(owner), { symbol: instrument.symbol, effect });
  return position === 'several' ? position : position?.marginMode;
}

async function factsOf(
  { placing, stated, doubtful }: ContractPlacing,
  {
    account,
    draft,
    setting,
  }: {
    readonly account: ContractAccount;
    readonly draft: ContractDraft;
    readonly setting: ContractRiskFacts['setting'];
  },
): Promise<ContractRiskFacts> {
  const { deps } = placing;
  const { owner, desk } = account;
  const { instrument, contract } = draft;
  const best = await deps.market.best(owner.platform, 'SWAP', instrument.symbol);
  const { marginMode } = contract;
  const asSeen = { leverageLong: contract.leverage, leverageShort: contract.leverage };
  const leverage = setting.ok ? setting.value : asSeen;
  const of = { owner, instrument, marginMode, leverage, best };
  const scene = isClosing(draft) ? undefined : await sceneOf({ deps, stated }, of);
  return {
    platformName: desk.name,
    platformState: desk.state,
    doubt: placing.doubtful(owner) ?? doubtful(owner),
    now: deps.clock(),
    best,
    ...{ setting, scene },
    openOrders: 0,
  };
}
