import {
  type Amount,
  type ContractSetting,
  formatAmount,
  type Instrument,
  type MarginMode,
  minus,
  ok,
  POSITION_SIDE,
  type PositionKey,
  type PositionMode,
  type PositionSide,
  refused,
  ZERO,
} from '@crossbook/domain';
import { failedRead, reasonOf } from '../../../trading/call-answers.ts';
import { notBegun } from '../../../trading/unsent.ts';
import type { VenueCredentials, VenueRead } from '../../../venue-answers.ts';
import type { SettingOutcome, VenueContracts } from '../../../venue-contracts.ts';
import { asObject, asText, type WireObject } from '../../../wire/guards.ts';
import { rowsOf } from '../../../wire/numbers.ts';
import { onlyRow, refusalOf } from '../../account/answers.ts';
import type { Call, Calls } from '../../account/calls.ts';
import { ACCOUNT_CALLS } from '../../limits.ts';
import { indexOf } from '../../symbols.ts';
import { leverageOf } from '../../wire.ts';
import { readIncome } from './income.ts';
import { positionSideOf, SIDE_NAMES } from './normalise.ts';
import { normalisePositions, normaliseTiers, normaliseWholePool } from './positions.ts';

/** Positions, margin and settings of swaps. */

type Read<Value> = Promise<VenueRead<Value>>;
type Facts = Pick<Call, 'path' | 'limit' | 'parameters'> & Partial<Pick<Call, 'requestClass'>>;

const POSITION_MODES: Readonly<Record<PositionMode, string>> = {
  'one-way': 'net_mode',
  hedge: 'long_short_mode',
};
/** Futures mode: one currency's money behind its own swaps alone. */
const FUTURES_MODE = '2';

/** What the venue's calls offer of contracts. */
export function okxContracts(calls: Calls): VenueContracts {
  return {
    atFirst: { leverage: 3, marginMode: 'cross', positionMode: 'one-way' },
    prepare: (credentials) => prepare(calls, credentials),
    setting: (credentials, instrument, marginMode) =>
      readSetting(calls, credentials, instrument, marginMode ?? 'cross'),
    setLeverage: (credentials, { symbol }, { leverage, marginMode, side }) =>
      change(calls, credentials, {
        path: '/api/v5/account/set-leverage',
        limit: ACCOUNT_CALLS.leverage,
        parameters: {
          ...{ instId: symbol, lever: String(leverage), mgnMode: marginMode },
          // Only isolated legs have a leverage each.
          ...(marginMode === 'isolated' && side !== POSITION_SIDE.NET ? { posSide: SIDE_NAMES[side] } : {}),
        },
        proves: (row) => leverageOf(row.lever) === leverage,
      }),
    setMarginMode: async () => ({ outcome: 'done' }),
    setPositionMode: (credentials, _instrument, positionMode) =>
      setPositionMode(calls, credentials, positionMode),
    adjustMargin: (credentials, instrument, asked) => adjustMargin(calls, credentials, instrument, asked),
    positions(credentials, instruments, requestClass = 'reconciliation') {
      const [only] = instruments.length === 1 ? instruments : [];
      const parameters = { instType: 'SWAP', ...(only === undefined ? {} : { instId: only.symbol }) };
      return read(
        calls,
        credentials,
        { path: '/api/v5/account/positions', limit: ACCOUNT_CALLS.positions, requestClass, parameters },
        normalisePositions,
      );
    },
    pool: (credentials, requestClass = 'reconciliation') =>
      read(
        calls,
        credentials,
        {
          path: '/api/v5/account/balance',
          limit: ACCOUNT_CALLS.balance,
          requestClass,
          parameters: { ccy: 'USDT' },
        },
        (rows) => normaliseWholePool(onlyRow(rows)),
      ),
    tiers: (credentials, { symbol }) =>
      read(
        calls,
        credentials,
        {
          path: '/api/v5/public/position-tiers',
          limit: ACCOUNT_CALLS.tiers,
          requestClass: 'lookup',
          parameters: { instType: 'SWAP', tdMode: 'cross', instFamily: indexOf(symbol) },
        },
        normaliseTiers,
      ),
    income: (credentials, { since }) => readIncome(calls, credentials, since),
  };
}

async function read<Value>(
  calls: Calls,
  credentials: VenueCredentials,
  facts: Facts,
  readRows: (rows: readonly unknown[]) => Value | undefined,
): Read<Value> {
  const { answer } = await calls.send(credentials, {
    ...{ method: 'GET', requestClass: 'reconciliation' },
    ...facts,
  });
  if (answer.kind !== 'result') return failedRead(answer);
  const value = readRows(answer.rows);
  return value === undefined ? refused('malformed') : ok(value);
}

/** Changes a setting; the venue repeats what it has set. Setting the same again is a success here. */
async function change(
  calls: Calls,
  credentials: VenueCredentials,
  { proves, ...facts }: Facts & { readonly proves: (row: WireObject) => boolean },
): Promise<SettingOutcome> {
  const { answer } = await calls.send(credentials, {
    ...{ method: 'POST', requestClass: 'order' },
    ...facts,
  });
  if (answer.kind !== 'result') return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) };
  const rows = rowsOf(answer.rows, asObject);
  return rows?.some(proves) === true ? { outcome: 'done' } : { outcome: 'unknown', why: 'unreadable answer' };
}

function setPositionMode(
  calls: Calls,
  credentials: VenueCredentials,
  positionMode: PositionMode,
): Promise<SettingOutcome> {
  const posMode = POSITION_MODES[positionMode];
  return change(calls, credentials, {
    path: '/api/v5/account/set-position-mode',
    limit: ACCOUNT_CALLS.positionMode,
    parameters: { posMode },
    proves: (row) => row.posMode === posMode,
  });
}

function adjustMargin(
  calls: Calls,
  credentials: VenueCredentials,
  { symbol }: Instrument,
  { position, amount }: { readonly position: PositionKey; readonly amount: Amount },
): Promise<SettingOutcome> {
  const adds = amount > ZERO;
  const type = adds ? 'add' : 'reduce';
  return change(calls, credentials, {
    path: '/api/v5/account/position/margin-balance',
    limit: ACCOUNT_CALLS.margin,
    // More margin protects a position, as a closing order does.
    requestClass: adds ? 'close' : 'order',
    parameters: {
      ...{ instId: symbol, posSide: SIDE_NAMES[position.side], type },
      amt: formatAmount(adds ? amount : minus(ZERO, amount)),
    },
    proves: (row) => row.instId === symbol && row.type === type,
  });
}

interface Config {
  readonly level: string;
  readonly positionMode: PositionMode;
  readonly borrows: boolean;
}

function readConfig(calls: Calls, credentials: VenueCredentials): Read<Config> {
  const facts = { path: '/api/v5/account/config', limit: ACCOUNT_CALLS.config, parameters: {} };
  return read(calls, credentials, { ...facts, requestClass: 'lookup' }, (rows) => {
    const row = onlyRow(rows);
    const level = asText(row?.acctLv);
    const positionMode = (['one-way', 'hedge'] as const).find(
      (mode) => POSITION_MODES[mode] === row?.posMode,
    );
    if (level === undefined || positionMode === undefined || typeof row?.autoLoan !== 'boolean')
      return undefined;
    return { level, positionMode, borrows: row.autoLoan };
  });
}

/**
 * A new account is put into Futures mode, one-way and without borrowing. One that is in Futures mode already keeps the
 * position mode that its owner may have chosen.
 */
async function prepare(calls: Calls, credentials: VenueCredentials): Promise<SettingOutcome> {
  const before = await readConfig(calls, credentials);
  if (!before.ok) return notBegun('account', before);
  const { level, positionMode, borrows } = before.value;
  if (isPrepared(before.value)) return { outcome: 'done' };
  if (borrows) {
    const stopped = await change(calls, credentials, {
      path: '/api/v5/account/set-auto-loan',
      limit: ACCOUNT_CALLS.accountLevel,
      parameters: { autoLoan: false },
      proves: (row) => String(row.autoLoan) === 'false',
    });
    if (stopped.outcome !== 'done') return stopped;
  }
  if (level !== FUTURES_MODE) {
    if (positionMode !== 'one-way') {
      const set = await setPositionMode(calls, credentials, 'one-way');
      if (set.outcome !== 'done') return set;
    }
    const set = await change(calls, credentials, {
      path: '/api/v5/account/set-account-level',
      limit: ACCOUNT_CALLS.accountLevel,
      parameters: { acctLv: FUTURES_MODE },
      proves: () => true,
    });
    if (set.outcome !== 'done') return set;
  }
  const after = await readConfig(calls, credentials);
  return after.ok && isPrepared(after.value)
    ? { outcome: 'done' }
    : { outcome: 'unknown', why: 'account is not as it was set' };
}

function isPrepared({ level, borrows }: Config): boolean {
  return level === FUTURES_MODE && !borrows;
}

/** Leverage of one margin mode, which the order says; legs have one each where they are isolated. */
async function readSetting(
  calls: Calls,
  credentials: VenueCredentials,
  { platform, symbol }: Instrument,
  marginMode: MarginMode,
): Read<ContractSetting> {
  const config = await readConfig(calls, credentials);
  if (!config.ok) return config;
  const facts = {
    path: '/api/v5/account/leverage-info',
    limit: ACCOUNT_CALLS.leverageInfo,
    parameters: { instId: symbol, mgnMode: marginMode },
  };
  const rows = await read(calls, credentials, { ...facts, requestClass: 'lookup' }, (entries) =>
    rowsOf(entries, leverageRow),
  );
  if (!rows.ok) return rows;
  const of = (side: PositionSide): number | undefined =>
    rows.value.find((row) => row.side === side || row.side === POSITION_SIDE.NET)?.leverage;
  const leverageLong = of(POSITION_SIDE.LONG);
  const leverageShort = of(POSITION_SIDE.SHORT);
  if (leverageLong === undefined || leverageShort === undefined) return refused('malformed');
  const { positionMode } = config.value;
  return ok({ platform, symbol, marginMode, positionMode, leverageLong, leverageShort });
}

function leverageRow(entry: unknown) {
  const row = asObject(entry);
  const leverage = leverageOf(row?.lever);
  // Cross leverage has no side; some answers leave the field empty there.
  const side = row?.posSide === '' ? POSITION_SIDE.NET : positionSideOf(row?.posSide);
  return leverage === undefined || side === undefined ? undefined : { leverage, side };
}
