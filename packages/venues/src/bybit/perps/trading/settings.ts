import {
  type Amount,
  type ContractSetting,
  formatAmount,
  type Instrument,
  type MarginMode,
  ok,
  POSITION_SIDE,
  type PositionKey,
  type PositionMode,
  type PositionSide,
  refused,
  type VenuePosition,
  ZERO,
} from '@crossbook/domain';
import { failedRead, reasonOf } from '../../../trading/call-answers.ts';
import { notBegun } from '../../../trading/unsent.ts';
import type { VenueCredentials, VenueRead } from '../../../venue-answers.ts';
import type { ContractReadFor, SettingOutcome, VenueContracts } from '../../../venue-contracts.ts';
import { asArray, asObject, asText } from '../../../wire/guards.ts';
import { rowsOf } from '../../../wire/numbers.ts';
import { refusalOf } from '../../account/answers.ts';
import type { Call, Calls } from '../../account/calls.ts';
import { SET_ALREADY } from '../../account/errors.ts';
import { readPages } from '../../account/pages.ts';
import { ACCOUNT_CALLS } from '../../limits.ts';
import { readIncome } from './income.ts';
import type { MarginModes } from './margin-modes.ts';
import { normalisePool, normalisePosition, normaliseTiers } from './positions.ts';

/** Positions, margin and settings of linear contracts in a unified account. */

type Read<Value> = Promise<VenueRead<Value>>;
interface Venue {
  readonly calls: Calls;
  readonly modes: MarginModes;
}

const CATEGORY = 'linear';
/** Positions of one page. */
const POSITIONS_PER_PAGE = 200;
const MARGIN_MODES: Readonly<Record<MarginMode, string>> = {
  cross: 'REGULAR_MARGIN',
  isolated: 'ISOLATED_MARGIN',
};

/** What the venue's calls offer of contracts. */
export function bybitContracts(calls: Calls, modes: MarginModes): VenueContracts {
  const venue = { calls, modes };
  return {
    atFirst: { leverage: 10, marginMode: 'cross', positionMode: 'one-way' },
    prepare: (credentials) => prepare(venue, credentials),
    setting: (credentials, instrument) => readSetting(venue, credentials, instrument),
    setLeverage: (credentials, instrument, asked) => setLeverage(venue, credentials, instrument, asked),
    setMarginMode: (credentials, _instrument, marginMode) => setMarginMode(venue, credentials, marginMode),
    setPositionMode: (credentials, { symbol }, positionMode) =>
      change(calls, credentials, {
        path: '/v5/position/switch-mode',
        parameters: { category: CATEGORY, symbol, mode: positionMode === 'hedge' ? 3 : 0 },
      }),
    adjustMargin: (credentials, instrument, asked) => adjustMargin(calls, credentials, instrument, asked),
    positions: (credentials, instruments, askedFor) =>
      readPositions(venue, credentials, instruments, askedFor),
    pool: (credentials, requestClass = 'reconciliation') =>
      read(
        calls,
        credentials,
        { path: '/v5/account/wallet-balance', requestClass, parameters: { accountType: 'UNIFIED' } },
        (list) => {
          const account = asArray(list)?.[0];
          modes.hear(credentials, account);
          return normalisePool(account, calls.venueClock.now());
        },
      ),
    tiers: (credentials, { symbol }) =>
      read(
        calls,
        credentials,
        { path: '/v5/market/risk-limit', parameters: { category: CATEGORY, symbol } },
        normaliseTiers,
      ),
    income: (credentials, { since }) => readIncome(calls, credentials, since),
  };
}

/** Reads the list of an answer; a page is all there is of these. */
async function read<Value>(
  calls: Calls,
  credentials: VenueCredentials,
  facts: Pick<Call, 'path' | 'parameters'> & Partial<Pick<Call, 'requestClass'>>,
  readAnswer: (list: unknown, result: Readonly<Record<string, unknown>>) => Value | undefined,
): Read<Value> {
  const { answer } = await calls.send(credentials, {
    ...{ method: 'GET', limit: ACCOUNT_CALLS.read, requestClass: 'reconciliation' },
    ...facts,
  });
  if (answer.kind !== 'result') return failedRead(answer);
  const value = readAnswer(answer.value.list, answer.value);
  return value === undefined ? refused('malformed') : ok(value);
}

/** Changes a setting. Codes that say that it is so already are a success. */
async function change(
  calls: Calls,
  credentials: VenueCredentials,
  facts: Pick<Call, 'path' | 'parameters'> & Partial<Pick<Call, 'requestClass'>>,
): Promise<SettingOutcome> {
  const { answer } = await calls.send(credentials, {
    ...{ method: 'POST', limit: ACCOUNT_CALLS.settings, requestClass: 'order' },
    ...facts,
  });
  if (answer.kind === 'error' && answer.error.status < 500 && SET_ALREADY.has(answer.error.code))
    return { outcome: 'done' };
  if (answer.kind !== 'result') return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) };
  // Switching the margin mode tells its refusals as reasons beside a good code.
  const [reason] = rowsOf(answer.value.reasons ?? [], asObject) ?? [];
  if (reason === undefined) return { outcome: 'done' };
  const message = (asText(reason.reasonMsg) ?? '').slice(0, MESSAGE_LENGTH_MAX);
  return { outcome: 'refused', venueCode: String(reason.reasonCode).slice(0, 10), message };
}

/** Venue texts are shown to members and logged: bounded. */
const MESSAGE_LENGTH_MAX = 200;

/** USDT alone stands behind contracts, and no order gets another price than the one it names. */
async function prepare({ calls }: Venue, credentials: VenueCredentials): Promise<SettingOutcome> {
  const prices = await keepPrices(calls, credentials);
  return prices.outcome === 'done' ? await onlyUsdt(calls, credentials) : prices;
}

/** A limit price beyond the band is refused: the venue would move it to the band's edge (account/set-price-limit). */
async function keepPrices(calls: Calls, credentials: VenueCredentials): Promise<SettingOutcome> {
  const before = await refusesPrices(calls, credentials);
  if (!before.ok) return notBegun('prices beyond the band', before);
  if (before.value) return { outcome: 'done' };
  const parameters = { category: CATEGORY, modifyEnable: false };
  const set = await change(calls, credentials, { path: '/v5/account/set-limit-px-action', parameters });
  if (set.outcome !== 'done') return set;
  const after = await refusesPrices(calls, credentials);
  return after.ok && after.value
    ? { outcome: 'done' }
    : { outcome: 'unknown', why: 'prices beyond the band are not refused as was set' };
}

/** `lpaPerp` of what an account has set about futures: true refuses, false moves. */
function refusesPrices(calls: Calls, credentials: VenueCredentials): Read<boolean> {
  const facts = { path: '/v5/account/user-setting-config', parameters: {} };
  return read(calls, credentials, facts, (_, { lpaPerp }) =>
    typeof lpaPerp === 'boolean' ? lpaPerp : undefined,
  );
}

/** Other coins that the account holds are taken out of the collateral. */
async function onlyUsdt(calls: Calls, credentials: VenueCredentials): Promise<SettingOutcome> {
  const before = await collateral(calls, credentials);
  if (!before.ok) return notBegun('collateral', before);
  for (const coin of before.value) {
    const parameters = { coin, collateralSwitch: 'OFF' };
    const set = await change(calls, credentials, { path: '/v5/account/set-collateral-switch', parameters });
    if (set.outcome !== 'done') return set;
  }
  if (before.value.length === 0) return { outcome: 'done' };
  const after = await collateral(calls, credentials);
  return after.ok && after.value.length === 0
    ? { outcome: 'done' }
    : { outcome: 'unknown', why: 'collateral is not what was set' };
}

/** Coins besides USDT that count as collateral. */
function collateral(calls: Calls, credentials: VenueCredentials): Read<readonly string[]> {
  const facts = { path: '/v5/account/wallet-balance', parameters: { accountType: 'UNIFIED' } };
  return read(calls, credentials, facts, (list) =>
    rowsOf(asObject(asArray(list)?.[0])?.coin, asObject)
      ?.filter((row) => row.marginCollateral === true && row.collateralSwitch === true)
      .map((row) => String(row.coin))
      .filter((coin) => coin !== 'USDT'),
  );
}

async function readPositions(
  { calls, modes }: Venue,
  credentials: VenueCredentials,
  instruments: readonly Instrument[],
  requestClass: ContractReadFor = 'reconciliation',
): Read<readonly VenuePosition[]> {
  const mode = await modes.of(credentials);
  if (!mode.ok) return mode;
  const [only] = instruments.length === 1 ? instruments : [];
  const which = only === undefined ? { settleCoin: 'USDT' } : { symbol: only.symbol };
  const found = await readPages(calls, credentials, {
    path: '/v5/position/list',
    requestClass,
    parameters: { category: CATEGORY, ...which, limit: POSITIONS_PER_PAGE },
    read: (list) => rowsOf(list, (row) => normalisePosition(row, mode.value)),
  });
  if (!found.ok) return found;
  // Of one symbol both legs are listed, the empty one too.
  return ok(found.value.filter(({ quantity }) => only !== undefined || quantity !== ZERO));
}

/**
 * The rows of a symbol say both its leverage and its mode: one row of index 0, or one of each leg. The margin mode is read
 * anew: what is asked for is often whether a change has arrived.
 */
async function readSetting(
  venue: Venue,
  credentials: VenueCredentials,
  instrument: Instrument,
): Read<ContractSetting> {
  venue.modes.forget(credentials);
  const found = await readPositions(venue, credentials, [instrument]);
  if (!found.ok) return found;
  const rows = found.value.filter(({ symbol }) => symbol === instrument.symbol);
  const of = (side: PositionSide): VenuePosition | undefined => rows.find((row) => row.side === side);
  const net = of(POSITION_SIDE.NET);
  const long = net ?? of(POSITION_SIDE.LONG);
  const short = net ?? of(POSITION_SIDE.SHORT);
  if (long === undefined || short === undefined) return refused('malformed');
  const { platform, symbol } = instrument;
  const positionMode: PositionMode = net === undefined ? 'hedge' : 'one-way';
  return ok({
    ...{ platform, symbol, marginMode: long.marginMode, positionMode },
    ...{ leverageLong: long.leverage, leverageShort: short.leverage },
  });
}

/** Both legs have one leverage, except isolated in hedge mode: there the other leg keeps its own. */
async function setLeverage(
  venue: Venue,
  credentials: VenueCredentials,
  instrument: Instrument,
  asked: Parameters<VenueContracts['setLeverage']>[2],
): Promise<SettingOutcome> {
  const { leverage, marginMode, side } = asked;
  let [long, short] = [leverage, leverage];
  if (marginMode === 'isolated' && side !== POSITION_SIDE.NET) {
    const now = await readSetting(venue, credentials, instrument);
    if (!now.ok) return notBegun('leverage', now);
    if (side === POSITION_SIDE.LONG) short = now.value.leverageShort;
    else long = now.value.leverageLong;
  }
  return change(venue.calls, credentials, {
    path: '/v5/position/set-leverage',
    parameters: {
      ...{ category: CATEGORY, symbol: instrument.symbol },
      ...{ buyLeverage: String(long), sellLeverage: String(short) },
    },
  });
}

/** It takes every position of the account along, so that it is set only where it differs. */
async function setMarginMode(
  { calls, modes }: Venue,
  credentials: VenueCredentials,
  marginMode: MarginMode,
): Promise<SettingOutcome> {
  modes.forget(credentials);
  const now = await modes.of(credentials);
  if (now.ok && now.value === marginMode) return { outcome: 'done' };
  // Positions are told before the answer comes.
  modes.forget(credentials);
  const outcome = await change(calls, credentials, {
    path: '/v5/account/set-margin-mode',
    parameters: { setMarginMode: MARGIN_MODES[marginMode] },
  });
  modes.forget(credentials);
  return outcome;
}

function adjustMargin(
  calls: Calls,
  credentials: VenueCredentials,
  { symbol }: Instrument,
  { position, amount }: { readonly position: PositionKey; readonly amount: Amount },
): Promise<SettingOutcome> {
  return change(calls, credentials, {
    path: '/v5/position/add-margin',
    // More margin protects a position, as a closing order does.
    requestClass: amount > ZERO ? 'close' : 'order',
    parameters: { category: CATEGORY, symbol, margin: formatAmount(amount), positionIdx: position.side },
  });
}
