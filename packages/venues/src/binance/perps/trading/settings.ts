import {
  type Amount,
  type ContractSetting,
  formatAmount,
  type Instrument,
  type LeverageTier,
  type MarginMode,
  type MarginPool,
  minus,
  ok,
  type PositionKey,
  type PositionMode,
  refused,
  type VenuePosition,
  ZERO,
} from '@crossbook/domain';
import { reasonOf } from '../../../trading/call-answers.ts';
import { notBegun } from '../../../trading/unsent.ts';
import type { VenueCredentials, VenueRead } from '../../../venue-answers.ts';
import type { ContractReadFor, SettingOutcome, VenueContracts } from '../../../venue-contracts.ts';
import { asArray, asObject } from '../../../wire/guards.ts';
import { type CallAnswer, refusalOf } from '../../account/answers.ts';
import { type Call, type Calls, readCall } from '../../account/calls.ts';
import { SET_ALREADY } from '../../account/errors.ts';
import { readIncome } from './income.ts';
import { SIDE_NAMES } from './normalise.ts';
import {
  leverageOf,
  normalisePool,
  normalisePositions,
  normaliseSymbolConfigs,
  normaliseTiers,
} from './positions.ts';

/** Positions, margin and settings of USD-M contracts, by REST. */

type Read<Value> = Promise<VenueRead<Value>>;
type ReadFacts = Pick<Call, 'path' | 'weight' | 'requestClass' | 'parameters'>;
type ChangeFacts = Pick<Call, 'path' | 'parameters'> & Partial<Pick<Call, 'requestClass'>>;

/** What the venue's calls offer of contracts. */
export function binanceContracts(calls: Calls): VenueContracts {
  return {
    atFirst: { leverage: 20, marginMode: 'cross', positionMode: 'one-way' },
    prepare: (credentials) => prepare(calls, credentials),
    setting: (credentials, instrument) => readSetting(calls, credentials, instrument),
    setLeverage: (credentials, { symbol }, { leverage }) =>
      change(
        calls,
        credentials,
        { path: '/fapi/v1/leverage', parameters: { symbol, leverage } },
        { proves: (answer) => leverageOf(asObject(answer)?.leverage) === leverage },
      ),
    setMarginMode: (credentials, { symbol }, marginMode) =>
      change(
        calls,
        credentials,
        { path: '/fapi/v1/marginType', parameters: { symbol, marginType: MARGIN_TYPES[marginMode] } },
        { alreadySo: SET_ALREADY.marginMode },
      ),
    setPositionMode: (credentials, _instrument, positionMode) =>
      change(
        calls,
        credentials,
        {
          path: '/fapi/v1/positionSide/dual',
          parameters: { dualSidePosition: positionMode === 'hedge' },
        },
        { alreadySo: SET_ALREADY.positionMode },
      ),
    adjustMargin: (credentials, instrument, asked) => adjustMargin(calls, credentials, instrument, asked),
    positions: (credentials, instruments, askedFor) =>
      readPositions(calls, credentials, { instruments, requestClass: askedFor ?? 'reconciliation' }),
    pool: (credentials, askedFor): Read<MarginPool> =>
      read(calls, credentials, reading('/fapi/v3/account', askedFor ?? 'reconciliation'), normalisePool),
    tiers: (credentials, instrument): Read<readonly LeverageTier[]> =>
      read(
        calls,
        credentials,
        { ...looking('/fapi/v1/leverageBracket', 1), parameters: { symbol: instrument.symbol } },
        (answer) => normaliseTiers(answer, instrument),
      ),
    income: (credentials, page) => readIncome(calls, credentials, page),
  };
}

const MARGIN_TYPES: Readonly<Record<MarginMode, string>> = { cross: 'CROSSED', isolated: 'ISOLATED' };
const ASSETS_MODE = '/fapi/v1/multiAssetsMargin';

const looking = (path: string, weight = 5): ReadFacts => ({
  ...{ path, weight, requestClass: 'lookup', parameters: {} },
});
const ACCOUNT_CONFIG = looking('/fapi/v1/accountConfig');
const reading = (path: string, requestClass: ContractReadFor): ReadFacts => ({
  ...{ path, weight: 5, requestClass, parameters: {} },
});

function read<Value>(
  calls: Calls,
  credentials: VenueCredentials,
  facts: ReadFacts,
  readAnswer: (answer: unknown) => Value | undefined,
): Read<Value> {
  return readCall(calls, credentials, { ...facts, market: 'SWAP', method: 'GET' }, readAnswer);
}

/** What an answer to a change must show; without it `code` 200 stands for it. */
interface Proof {
  readonly proves?: (answer: unknown) => boolean;
  /** The code by which the venue says that it is so already. */
  readonly alreadySo?: number;
}

async function change(
  calls: Calls,
  credentials: VenueCredentials,
  facts: ChangeFacts,
  { proves = saysDone, alreadySo }: Proof,
): Promise<SettingOutcome> {
  const { answer } = await calls.send(credentials, {
    ...{ market: 'SWAP', method: 'POST', weight: 1, requestClass: 'order' },
    ...facts,
  });
  if (answer.kind === 'result')
    return proves(answer.value) ? { outcome: 'done' } : { outcome: 'unknown', why: 'unreadable answer' };
  if (isCode(answer, alreadySo)) return { outcome: 'done' };
  return refusalOf(answer, 'SWAP') ?? { outcome: 'unknown', why: reasonOf(answer) };
}

/** `{"code":200,"msg":"success"}`; the code comes as a number or as text. */
function saysDone(answer: unknown): boolean {
  return String(asObject(answer)?.code) === '200';
}

function isCode(answer: CallAnswer, code: number | undefined): boolean {
  return (
    code !== undefined && answer.kind === 'error' && answer.error.code === code && answer.error.status < 500
  );
}

/** Single-asset mode: only USDT stands behind contracts in USDT. */
async function prepare(calls: Calls, credentials: VenueCredentials): Promise<SettingOutcome> {
  const single = await multiAssets(calls, credentials);
  if (!single.ok) return notBegun('assets mode', single);
  if (!single.value) return { outcome: 'done' };
  const parameters = { multiAssetsMargin: false };
  const changed = await change(calls, credentials, { path: ASSETS_MODE, parameters }, {});
  if (changed.outcome !== 'done') return changed;
  const after = await multiAssets(calls, credentials);
  return after.ok && !after.value
    ? { outcome: 'done' }
    : { outcome: 'unknown', why: 'assets mode is not what was set' };
}

function multiAssets(calls: Calls, credentials: VenueCredentials): Read<boolean> {
  // The call of its own (GET multiAssetsMargin) says the same for six times the weight.
  return read(calls, credentials, ACCOUNT_CONFIG, (answer) => flagOf(answer, 'multiAssetsMargin'));
}

function flagOf(answer: unknown, field: string): boolean | undefined {
  const flag = asObject(answer)?.[field];
  return typeof flag === 'boolean' ? flag : undefined;
}

async function readSetting(
  calls: Calls,
  credentials: VenueCredentials,
  { platform, symbol }: Instrument,
): Read<ContractSetting> {
  const configs = await read(
    calls,
    credentials,
    { ...looking('/fapi/v1/symbolConfig'), parameters: { symbol } },
    normaliseSymbolConfigs,
  );
  if (!configs.ok) return configs;
  const hedge = await read(calls, credentials, ACCOUNT_CONFIG, (answer) =>
    flagOf(answer, 'dualSidePosition'),
  );
  if (!hedge.ok) return hedge;
  const config = configs.value.find((row) => row.symbol === symbol);
  if (config === undefined) return refused('malformed');
  const { marginMode, leverage } = config;
  const positionMode: PositionMode = hedge.value ? 'hedge' : 'one-way';
  return ok({
    ...{ platform, symbol, marginMode, positionMode },
    ...{ leverageLong: leverage, leverageShort: leverage },
  });
}

async function adjustMargin(
  calls: Calls,
  credentials: VenueCredentials,
  { symbol }: Instrument,
  { position, amount }: { readonly position: PositionKey; readonly amount: Amount },
): Promise<SettingOutcome> {
  const adds = amount > ZERO;
  return change(
    calls,
    credentials,
    {
      path: '/fapi/v1/positionMargin',
      // More margin protects a position, as a closing order does.
      requestClass: adds ? 'close' : 'order',
      parameters: {
        symbol,
        positionSide: SIDE_NAMES[position.side],
        amount: formatAmount(adds ? amount : minus(ZERO, amount)),
        type: adds ? 1 : 2,
      },
    },
    {},
  );
}

/**
 * Version 3 tells margin and rank of each position but neither leverage nor margin mode: a second call has those, which an
 * account without positions is spared.
 */
async function readPositions(
  calls: Calls,
  credentials: VenueCredentials,
  {
    instruments,
    requestClass,
  }: { readonly instruments: readonly Instrument[]; readonly requestClass: ContractReadFor },
): Read<readonly VenuePosition[]> {
  const [only] = instruments.length === 1 ? instruments : [];
  const parameters = only === undefined ? {} : { symbol: only.symbol };
  const rows = await read(
    calls,
    credentials,
    { ...reading('/fapi/v3/positionRisk', requestClass), parameters },
    asArray,
  );
  if (!rows.ok || rows.value.length === 0) return rows.ok ? ok([]) : rows;
  const configs = await read(
    calls,
    credentials,
    { ...reading('/fapi/v1/symbolConfig', requestClass), parameters },
    normaliseSymbolConfigs,
  );
  if (!configs.ok) return configs;
  const bySymbol = new Map(configs.value.map((config) => [config.symbol, config]));
  const found = normalisePositions(rows.value, bySymbol);
  if (found === undefined) return refused('malformed');
  return ok(
    found.filter(({ symbol, quantity }) => (only === undefined ? quantity !== ZERO : symbol === only.symbol)),
  );
}
