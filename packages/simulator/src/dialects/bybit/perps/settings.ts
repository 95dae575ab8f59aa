import { type Amount, minus, refused, ZERO } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import type { PerpRefusal, PerpSetting, SimMarginMode } from '../../../perp-exchange.ts';
import type { PerpFacts } from '../../../venue.ts';
import {
  type Answer,
  accountOf,
  type Desk,
  type Endpoint,
  type Run,
  reply,
  signedCall,
} from '../endpoint.ts';
import { type BybitError, ERRORS, invalid, missing } from '../errors.ts';
import { linearContracts } from '../market/instruments.ts';
import { ParamReader, paramsOf } from '../params.ts';
import { readPositionSide } from './order-draft.ts';
import { positionRow, sidesOf } from './positions.ts';
import { LEVERAGE_REFUSALS, LINEAR, ORDER_REFUSALS } from './refusals.ts';
import { readLinear, readTraded, tradedContracts } from './traded.ts';

/** (rate-limit, 2026-07-24). */
const CHANGES_PER_SECOND_MAX = 10;
const MODES_PER_SECOND_MAX = 5;
/** "Support up to 4 decimal" (position/manual-add-margin). */
const MARGIN_DECIMALS = 4;
/** Coins that one call may switch. */
const COINS_MAX = 100;
const LEVERAGE = /^[0-9]{1,4}(\.[0-9]{1,2})?$/;

function readLeverage(reader: ParamReader, name: string): number {
  const text = reader.requiredText(name);
  const leverage = LEVERAGE.test(text) ? Number(text) : 0;
  if (leverage < 1) reader.refuse(invalid(name));
  return leverage;
}

/** Both directions have one leverage, except the legs of isolated hedge mode (position/leverage). */
function setLeverage(reader: ParamReader, desk: Desk): Run {
  readLinear(reader);
  const contract = readTraded(reader, desk);
  const long = readLeverage(reader, 'buyLeverage');
  const short = readLeverage(reader, 'sellLeverage');
  return async (caller) => {
    if (contract === undefined) return refused(ERRORS.badSymbol);
    const { symbol } = contract;
    const account = accountOf(caller);
    const { perps } = desk.venue;
    const before = perps.setting(account, symbol);
    const apart = before.positionMode === 'HEDGE' && before.marginMode === 'ISOLATED';
    if (!apart && long !== short) return refused(LINEAR.unequalLeverage);
    if (before.leverageLong === long && before.leverageShort === short)
      return refused(LINEAR.leverageUnchanged);
    if (long === short)
      return changed(await perps.setLeverage(account, symbol, { leverage: long, side: 'BOTH' }));
    return await setLegs(desk, account, before, { long, short });
  };
}

function changed(
  answer: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly code: PerpRefusal },
): Answer {
  return answer.ok ? reply({}) : refused(LEVERAGE_REFUSALS[answer.code]);
}

/** Each leg its own: where the second is refused, the first is put back. */
async function setLegs(
  desk: Desk,
  account: AccountNumber,
  before: PerpSetting,
  to: { readonly long: number; readonly short: number },
): Promise<Answer> {
  const { perps } = desk.venue;
  const { symbol } = before;
  const first = await perps.setLeverage(account, symbol, { leverage: to.long, side: 'LONG' });
  if (!first.ok) return changed(first);
  const second = await perps.setLeverage(account, symbol, { leverage: to.short, side: 'SHORT' });
  if (!second.ok) await perps.setLeverage(account, symbol, { leverage: before.leverageLong, side: 'LONG' });
  return changed(second);
}

/** Of one contract, or of all of a coin that have neither positions nor orders (position/position-mode). */
function switchMode(reader: ParamReader, desk: Desk): Run {
  readLinear(reader);
  const named = reader.has('symbol');
  const contract = named ? reader.market(linearContracts(desk), ERRORS.badSymbol) : undefined;
  const coin = reader.text('coin');
  if (!named && coin === undefined) reader.refuse(missing('symbol or coin'));
  const mode = reader.integer('mode');
  if (mode === undefined) reader.refuse(missing('mode'));
  if (mode !== 0 && mode !== 3) reader.refuse(invalid('mode'));
  const positionMode = mode === 3 ? 'HEDGE' : 'ONE_WAY';
  return async (caller) => {
    const account = accountOf(caller);
    const { perps } = desk.venue;
    if (contract !== undefined) {
      if (!tradedContracts(desk).some(({ symbol }) => symbol === contract.symbol))
        return refused(LINEAR.noHedge);
      const set = await perps.setPositionMode(account, contract.symbol, positionMode);
      return set.ok ? reply({}) : refused(ORDER_REFUSALS[set.code]);
    }
    if (coin !== 'USDT') return refused(invalid('coin'));
    for (const { symbol } of tradedContracts(desk))
      await perps.setPositionMode(account, symbol, positionMode);
    return reply({});
  };
}

/** A signed decimal: above 0 adds. */
function readMargin(reader: ParamReader): Amount {
  const text = reader.requiredText('margin');
  const below = text.startsWith('-');
  const size = reader.amountIn(below ? text.slice(1) : text, MARGIN_DECIMALS);
  if (size === undefined) reader.refuse(invalid('margin'));
  return below ? minus(ZERO, size ?? ZERO) : (size ?? ZERO);
}

function addMargin(reader: ParamReader, desk: Desk): Run {
  readLinear(reader);
  const contract = readTraded(reader, desk);
  const margin = readMargin(reader);
  const side = readPositionSide(reader);
  return async (caller) => {
    if (contract === undefined) return refused(ERRORS.badSymbol);
    const account = accountOf(caller);
    const { symbol } = contract;
    const { marginMode } = desk.venue.perps.setting(account, symbol);
    if (!sidesOf(desk, account, symbol).includes(side)) return refused(LINEAR.positionIdx);
    const moved = await desk.venue.perps.moveMargin({ account, symbol, side, marginMode }, margin);
    if (!moved.ok) return refused(marginRefusal(moved.code, margin));
    const row = positionRow(desk, { account, symbol, side, held: moved.value }, 'avgPrice');
    return reply({ category: 'linear', ...row });
  };
}

function marginRefusal(refusal: PerpRefusal, margin: Amount): BybitError {
  if (refusal !== 'INSUFFICIENT_MARGIN') return ORDER_REFUSALS[refusal];
  return margin > ZERO ? LINEAR.marginToAdd : LINEAR.marginToTake;
}

/** Of the position of a side, whether there is one or not; what is so already is answered like a change. */
function autoAddMargin(reader: ParamReader, desk: Desk): Run {
  readLinear(reader);
  const contract = readTraded(reader, desk);
  const wanted = reader.integer('autoAddMargin');
  if (wanted === undefined) reader.refuse(missing('autoAddMargin'));
  if (wanted !== undefined && wanted > 1) reader.refuse(invalid('autoAddMargin'));
  const side = readPositionSide(reader);
  return async (caller) => {
    if (contract === undefined) return refused(ERRORS.badSymbol);
    const key = { account: accountOf(caller), symbol: contract.symbol, side };
    const set = await desk.venue.perps.setAutoMargin(key, wanted === 1);
    if (set.ok) return reply({});
    return refused(set.code === 'NOT_ISOLATED' ? LINEAR.onlyIsolated : LINEAR.positionIdx);
  };
}

const MODES: Readonly<Record<string, SimMarginMode>> = {
  ISOLATED_MARGIN: 'ISOLATED',
  REGULAR_MARGIN: 'CROSS',
};

/** Reasons stand beside the code (account/set-margin-mode). */
function modeRefusal(reasonCode: string, reasonMsg: string): BybitError {
  const result = { reasons: [{ reasonCode, reasonMsg }] };
  return { code: 3_400_045, message: 'Set margin mode failed', result };
}

const MODE_REFUSALS: Partial<Record<PerpRefusal, BybitError>> = {
  HAS_ORDERS: modeRefusal('3400054', 'You have uncancelled USDT perpetual orders'),
  // Positions go along. The list of errors has these two for an account that cannot carry them; that they are reasons
  // of this call is a choice.
  INSUFFICIENT_MARGIN: modeRefusal('3400071', 'The net asset is not satisfied'),
  WOULD_LIQUIDATE: modeRefusal('140005', 'Risk level after switching modes exceeds threshold'),
};

/** Any contract: the mode is that of the whole account. */
function anyContract(desk: Desk): PerpFacts {
  const [first] = tradedContracts(desk);
  if (first === undefined) throw new Error('invariant broken: a contract is traded');
  return first;
}

function setMarginMode(reader: ParamReader, desk: Desk): Run {
  const word = reader.requiredText('setMarginMode');
  const portfolio = word === 'PORTFOLIO_MARGIN';
  const mode = Object.hasOwn(MODES, word) ? MODES[word] : undefined;
  if (mode === undefined && !portfolio) reader.refuse(invalid('setMarginMode'));
  return async (caller) => {
    if (mode === undefined)
      return refused(modeRefusal('3400000', 'Equity needs to be equal to or greater than 1000 USDC'));
    const account = accountOf(caller);
    const set = await desk.venue.perps.setMarginMode(account, anyContract(desk).symbol, mode);
    if (set.ok || set.code === 'UNCHANGED') return reply({ reasons: [] });
    return refused(MODE_REFUSALS[set.code] ?? ORDER_REFUSALS[set.code]);
  };
}

/** Calls of accounts as they were before they were unified. */
function ofClassicAccounts(): Run {
  return () => refused(LINEAR.unifiedAccount);
}

/** Nobody is ever marked as one who may only reduce, so that there is nothing to confirm (position/confirm-mmr). */
function confirmRiskLimit(reader: ParamReader, desk: Desk): Run {
  readLinear(reader);
  readTraded(reader, desk);
  return () => reply({});
}

interface CollateralSwitch {
  readonly coin: string;
  readonly collateralSwitch: 'ON' | 'OFF' | undefined;
}

function readSwitch(reader: ParamReader): CollateralSwitch {
  const coin = reader.requiredText('coin');
  if (!reader.has('collateralSwitch')) reader.refuse(missing('collateralSwitch'));
  return { coin, collateralSwitch: reader.choice('collateralSwitch', ['ON', 'OFF']) };
}

/** USDT alone stands behind contracts: other coins are taken out of the collateral and never in. */
function maySwitch(desk: Desk, { coin, collateralSwitch }: CollateralSwitch): boolean {
  const listed = [...desk.venue.spot.markets.values()].some(({ base, quote }) =>
    [base, quote].includes(coin),
  );
  return listed && coin !== 'USDT' && coin !== 'USDC' && collateralSwitch === 'OFF';
}

function switchCollateral(reader: ParamReader, desk: Desk): Run {
  const wanted = readSwitch(reader);
  return () => (maySwitch(desk, wanted) ? reply({}) : refused(LINEAR.noCollateral));
}

/** Several coins with one call, all or none. */
function switchSeveral(reader: ParamReader, desk: Desk): Run {
  const wanted = readItems(reader).map((item) => {
    const one = new ParamReader(paramsOf(item));
    const read = readSwitch(one);
    if (one.refusal !== undefined) reader.refuse(one.refusal);
    return read;
  });
  return () =>
    wanted.every((one) => maySwitch(desk, one)) ? reply({ list: wanted }) : refused(LINEAR.noCollateral);
}

/** The `request` of a batch that is none of orders. */
function readItems(reader: ParamReader): readonly object[] {
  const request = reader.raw('request');
  const items = Array.isArray(request) ? (request as readonly unknown[]) : [];
  const sound = items.every((item) => typeof item === 'object' && item !== null);
  if (items.length === 0 || items.length > COINS_MAX || !sound) reader.refuse(invalid('request'));
  return sound ? (items as readonly object[]) : [];
}

/** What members set about contracts. */
export const SETTING_ENDPOINTS: readonly Endpoint[] = [
  signedCall('position.leverage POST /v5/position/set-leverage', CHANGES_PER_SECOND_MAX, setLeverage),
  signedCall('position.mode POST /v5/position/switch-mode', CHANGES_PER_SECOND_MAX, switchMode),
  signedCall('position.margin POST /v5/position/add-margin', CHANGES_PER_SECOND_MAX, addMargin),
  signedCall(
    'position.autoMargin POST /v5/position/set-auto-add-margin',
    CHANGES_PER_SECOND_MAX,
    autoAddMargin,
  ),
  signedCall(
    'position.isolated POST /v5/position/switch-isolated',
    CHANGES_PER_SECOND_MAX,
    ofClassicAccounts,
  ),
  // Risk limits follow positions by themselves since 2024-03-12, and each order says how its legs work: both are gone.
  signedCall(
    'position.riskLimit POST /v5/position/set-risk-limit',
    CHANGES_PER_SECOND_MAX,
    ofClassicAccounts,
  ),
  signedCall('position.stopMode POST /v5/position/set-tpsl-mode', CHANGES_PER_SECOND_MAX, ofClassicAccounts),
  signedCall(
    'position.confirm POST /v5/position/confirm-pending-mmr',
    CHANGES_PER_SECOND_MAX,
    confirmRiskLimit,
  ),
  signedCall('account.marginMode POST /v5/account/set-margin-mode', MODES_PER_SECOND_MAX, setMarginMode),
  signedCall(
    'account.collateral POST /v5/account/set-collateral-switch',
    MODES_PER_SECOND_MAX,
    switchCollateral,
  ),
  signedCall(
    'account.collateral.batch POST /v5/account/set-collateral-switch-batch',
    MODES_PER_SECOND_MAX,
    switchSeveral,
  ),
];
