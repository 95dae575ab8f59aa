import {
  type Amount,
  formatAmount,
  type Lots,
  minus,
  refused,
  toNumberForDisplay,
  ZERO,
} from '@crossbook/domain';
import type { PerpRefusal, PerpSetting, SimPositionSide } from '../../../perp-exchange.ts';
import { fields } from '../../wire/fields.ts';
import { openAccountType } from '../account-types.ts';
import type { Desk } from '../desk.ts';
import {
  type Answer,
  type Endpoint,
  rows,
  rowsUnlessRefused,
  type SignedCall,
  signedEndpoint,
} from '../endpoint.ts';
import { cannotBeEmpty, ERRORS, eitherRequired, type OkxError, parameterError } from '../errors.ts';
import type { Listed } from '../listing.ts';
import { contractOf } from '../market/instruments.ts';
import type { ParamReader } from '../params.ts';
import { perpError } from './errors.ts';
import { readPositionSide } from './order-draft.ts';
import { isTraded, marginModeOf, mgnModeOf, posSideOf, traderOf } from './words.ts';

/** How an account trades contracts: its mode, its positions' mode, leverage, isolated margin. */

const NAMED_MAX = 20;
/** The least that can be asked for. */
const LEVERAGE_MIN = '0.01';
const LEVERAGE = /^[0-9]{1,3}(\.[0-9]{1,2})?$/;

/** `acctLv` of an account: Spot mode until it is switched to Futures mode. The other two are not simulated. */
export function accountLevel(desk: Desk, call: Pick<SignedCall, 'account'>): '1' | '2' {
  return desk.venue.perps.tradesContracts(traderOf({ desk, ...call })) ? '2' : '1';
}

/** `posMode` of an account. */
export function positionModeOf(desk: Desk, call: Pick<SignedCall, 'account'>): string {
  const hedged = desk.venue.perps.setting(traderOf({ desk, ...call }), '').positionMode === 'HEDGE';
  return hedged ? 'long_short_mode' : 'net_mode';
}

async function setLevel({ desk, reader, account }: SignedCall): Promise<Answer> {
  const acctLv = reader.requiredChoice('acctLv', ['1', '2', '3', '4']);
  if (acctLv === '3' || acctLv === '4') reader.refuse(ERRORS.otherMode);
  if (reader.refusal !== undefined) return refused(reader.refusal);
  const trader = await openAccountType(desk, account, '18');
  const done = await desk.venue.perps.setTradesContracts(trader, acctLv === '2');
  if (!done.ok && done.code !== 'UNCHANGED') return refused(perpError(done.code));
  return rows([{ acctLv }]);
}

/** Nothing is lent here: it can only be switched off. */
function setAutoLoan({ reader }: SignedCall): Answer {
  const autoLoan = reader.choice('autoLoan', ['true', 'false']) ?? 'true';
  if (autoLoan === 'true') reader.refuse(ERRORS.accountMode);
  return rowsUnlessRefused(reader, () => [{ autoLoan: false }]);
}

/** How isolated margin comes and goes: by itself. The other way is gone from the exchange. */
function setIsolatedMode({ reader }: SignedCall): Answer {
  reader.requiredChoice('type', ['MARGIN', 'CONTRACTS']);
  const isoMode = reader.requiredChoice('isoMode', ['automatic', 'autonomy', 'quick_margin']);
  if (isoMode !== 'automatic') reader.refuse(parameterError('isoMode'));
  return rowsUnlessRefused(reader, () => [{ isoMode }]);
}

async function setPositionMode({ desk, reader, account }: SignedCall): Promise<Answer> {
  const posMode = reader.requiredChoice('posMode', ['net_mode', 'long_short_mode']);
  if (reader.refusal !== undefined) return refused(reader.refusal);
  const trader = await openAccountType(desk, account, '18');
  const mode = posMode === 'net_mode' ? 'ONE_WAY' : 'HEDGE';
  const done = await desk.venue.perps.setPositionMode(trader, undefined, mode);
  if (!done.ok && done.code !== 'UNCHANGED') return refused(perpError(done.code));
  return rows([{ posMode }]);
}

/** A contract that members can trade, named by `instId`. */
function readContract(desk: Desk, reader: ParamReader): Listed | undefined {
  const listed = contractOf(desk, reader);
  if (listed !== undefined && !isTraded(listed)) reader.refuse(ERRORS.accountMode);
  return listed !== undefined && isTraded(listed) ? listed : undefined;
}

/** Only isolated legs have a leverage each and must be named. */
function readLeg(reader: ParamReader, setting: PerpSetting): SimPositionSide {
  const legs = setting.marginMode === 'ISOLATED' && setting.positionMode === 'HEDGE';
  const named = reader.choice('posSide', ['net', 'long', 'short']);
  if (!legs) return 'BOTH';
  if (named !== 'long' && named !== 'short') reader.refuse(parameterError('posSide'));
  return named === 'short' ? 'SHORT' : 'LONG';
}

function leverageRefusal(refusal: PerpRefusal, mode: 'cross' | 'isolated'): OkxError {
  if (refusal === 'HAS_ORDERS') return mode === 'cross' ? ERRORS.crossOrders : ERRORS.isolatedOrders;
  if (refusal === 'INSUFFICIENT_MARGIN') return ERRORS.leverageTooLow;
  return refusal === 'TIER_EXCEEDED' ? ERRORS.leverageTier : perpError(refusal);
}

async function setLeverage({ desk, reader, account }: SignedCall): Promise<Answer> {
  const mode = reader.requiredChoice('mgnMode', ['cross', 'isolated']);
  const lever = reader.pattern('lever', LEVERAGE);
  if (!reader.has('lever')) reader.refuse(cannotBeEmpty('lever'));
  if (!reader.has('instId')) reader.refuse(eitherRequired('instId', 'ccy'));
  const listed = reader.refusal === undefined ? readContract(desk, reader) : undefined;
  if (listed === undefined) return refused(reader.refusal ?? ERRORS.noInstrument);
  const trader = await openAccountType(desk, account, '18');
  const marginMode = marginModeOf(mode);
  const side = readLeg(reader, desk.venue.perps.setting(trader, listed.instId, marginMode));
  if (reader.refusal !== undefined) return refused(reader.refusal);
  const change = { leverage: Number(lever), side, marginMode };
  const done = await desk.venue.perps.setLeverage(trader, listed.instId, change);
  if (!done.ok) return refused(leverageRefusal(done.code, mode));
  const posSide = side === 'BOTH' ? (reader.text('posSide') ?? 'net') : posSideOf(side);
  return rows([{ instId: listed.instId, lever: lever ?? '', mgnMode: mode, posSide }]);
}

/** One row in net mode, one of each leg in long/short mode. */
function leverageRows(listed: Listed, setting: PerpSetting): readonly object[] {
  const row = (side: SimPositionSide, leverage: number) => ({
    ccy: '',
    instId: listed.instId,
    lever: String(leverage),
    mgnMode: mgnModeOf(setting.marginMode),
    posSide: posSideOf(side),
  });
  if (setting.positionMode === 'ONE_WAY') return [row('BOTH', setting.leverageLong)];
  return [row('LONG', setting.leverageLong), row('SHORT', setting.leverageShort)];
}

function leverageInfo(call: SignedCall): Answer {
  const { desk, reader } = call;
  const names = reader.list('instId', NAMED_MAX) ?? [];
  if (names.length === 0) reader.refuse(cannotBeEmpty('instId'));
  const mode = reader.requiredChoice('mgnMode', ['cross', 'isolated']);
  const found = names.map((name) => desk.listing.find(name)).filter((listed) => listed !== undefined);
  if (found.length !== names.length) reader.refuse(ERRORS.noInstrument);
  if (!found.every(isTraded)) reader.refuse(ERRORS.accountMode);
  return rowsUnlessRefused(reader, () =>
    found.flatMap((listed) =>
      leverageRows(listed, desk.venue.perps.setting(traderOf(call), listed.instId, marginModeOf(mode))),
    ),
  );
}

/** Which position: without a leg the one of net mode, or all of the contract. */
function readSide(reader: ParamReader, setting: PerpSetting): SimPositionSide {
  const named = reader.choice('posSide', ['net', 'long', 'short']) ?? 'net';
  if (named === 'net') return 'BOTH';
  if (setting.positionMode === 'ONE_WAY') reader.refuse(parameterError('posSide'));
  return named === 'long' ? 'LONG' : 'SHORT';
}

/** What another leverage would mean ("Get leverage estimated info", 2026-07); nothing changes. */
function leverageEstimate(call: SignedCall): Answer {
  const { desk, reader } = call;
  const instType = reader.requiredChoice('instType', ['MARGIN', 'SWAP', 'FUTURES']);
  const mode = reader.requiredChoice('mgnMode', ['cross', 'isolated']);
  const lever = reader.pattern('lever', LEVERAGE);
  if (!reader.has('lever')) reader.refuse(cannotBeEmpty('lever'));
  if (reader.refusal === undefined && instType !== 'SWAP') reader.refuse(ERRORS.accountMode);
  const listed = reader.refusal === undefined ? readContract(desk, reader) : undefined;
  if (listed?.contract === undefined) return refused(reader.refusal ?? ERRORS.noInstrument);
  const account = traderOf(call);
  const { perps } = desk.venue;
  const marginMode = marginModeOf(mode);
  const setting = perps.setting(account, listed.instId, marginMode);
  const side = readSide(reader, setting);
  const leverage = Number(lever);
  const { maxLeverage } = listed.contract;
  if (!(leverage > 0) || leverage > maxLeverage) reader.refuse(ERRORS.leverageTooHigh);
  if (reader.refusal !== undefined) return refused(reader.refusal);
  const trial = perps.trials.leverage(account, listed.instId, { leverage, side, marginMode });
  const { buyLots, sellLots, liquidationPrice } = trial;
  const lots = side === 'BOTH' ? Math.min(buyLots, sellLots) : side === 'LONG' ? buyLots : sellLots;
  const raised = leverage > (side === 'SHORT' ? setting.leverageShort : setting.leverageLong);
  const isolated = marginMode === 'ISOLATED';
  return rows([
    {
      ...fields('estAvailQuoteTrans estQuoteMaxAmt estQuoteMgn', ''),
      // Of an isolated position it is told for a lower leverage alone.
      estAvailTrans: isolated && raised ? '' : formatAmount(isolated ? trial.spare : trial.withdrawable),
      estLiqPx: liquidationPrice === undefined ? '' : formatAmount(liquidationPrice),
      estMaxAmt: listed.format.quantity(lots as Lots),
      estMgn: formatAmount(trial.margin),
      existOrd: perps.openPerpOrders(account, listed.instId).some((order) => order.marginMode === marginMode),
      maxLever: String(maxLeverage),
      minLever: LEVERAGE_MIN,
    },
  ]);
}

/** Adds or takes margin of an isolated position. */
async function moveMargin({ desk, reader, account }: SignedCall): Promise<Answer> {
  const listed = readContract(desk, reader);
  if (!reader.has('posSide')) reader.refuse(cannotBeEmpty('posSide'));
  const type = reader.requiredChoice('type', ['add', 'reduce']);
  if (!reader.has('amt')) reader.refuse(cannotBeEmpty('amt'));
  const amount = reader.decimal('amt') ?? ZERO;
  if (amount === 0n) reader.refuse(parameterError('amt'));
  if (listed === undefined || reader.refusal !== undefined)
    return refused(reader.refusal ?? ERRORS.noInstrument);
  const trader = await openAccountType(desk, account, '18');
  const side = readPositionSide(reader, desk, { account: trader, listed });
  if (reader.refusal !== undefined) return refused(reader.refusal);
  const key = { account: trader, symbol: listed.instId, side, marginMode: 'ISOLATED' } as const;
  const change = (type === 'add' ? amount : minus(ZERO, amount)) as Amount;
  const done = await desk.venue.perps.moveMargin(key, change);
  if (!done.ok)
    return refused(done.code === 'INSUFFICIENT_MARGIN' ? ERRORS.marginLimit : perpError(done.code));
  return rows([
    {
      amt: formatAmount(amount),
      ccy: 'USDT',
      instId: listed.instId,
      leverage: leverageAfter(listed, toNumberForDisplay(done.value.isolatedWallet), done.value),
      posSide: posSideOf(side),
      type,
    },
  ]);
}

/** What the position's margin makes of its value at entry, as `leverage` tells it. */
function leverageAfter(
  { contract }: Listed,
  margin: number,
  held: { readonly notional: Amount; readonly entryPrice: Amount; readonly markPrice: Amount },
): string {
  const mark = toNumberForDisplay(held.markPrice);
  if (contract === undefined || margin <= 0 || mark === 0) return '';
  const value = (toNumberForDisplay(held.notional) / mark) * toNumberForDisplay(held.entryPrice);
  return (value / margin).toFixed(2);
}

/** Settings of contracts. */
export const SETTING_ENDPOINTS: readonly Endpoint[] = [
  signedEndpoint('account.level POST /api/v5/account/set-account-level', 5, setLevel),
  signedEndpoint('account.loan POST /api/v5/account/set-auto-loan', 5, setAutoLoan),
  signedEndpoint('account.isolated POST /api/v5/account/set-isolated-mode', 5, setIsolatedMode),
  signedEndpoint('account.positionMode POST /api/v5/account/set-position-mode', 5, setPositionMode),
  signedEndpoint('account.leverage POST /api/v5/account/set-leverage', 20, setLeverage),
  signedEndpoint('account.leverage.info GET /api/v5/account/leverage-info', 20, leverageInfo),
  signedEndpoint('account.leverage.estimate GET /api/v5/account/adjust-leverage-info', 5, leverageEstimate),
  signedEndpoint('account.margin POST /api/v5/account/position/margin-balance', 20, moveMargin),
];
