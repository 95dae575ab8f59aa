import type { ContractStory, PerpFacts } from '../../../venue.ts';
import type { CancelTimers } from '../../wire/cancel-timers.ts';
import { type Answer, type CallDesk, type Endpoint, type Prepared, PUBLIC } from '../endpoint.ts';
import { ERRORS, invalidData } from '../errors.ts';
import type { ParamReader } from '../params.ts';
import type { ChangeNotes } from './change-notes.ts';
import type { ContractFormatBook } from './format.ts';
import type { FuturesRates } from './limits.ts';
import type { LiquidationTape } from './liquidation-tape.ts';

/** What every call and stream of the futures may use. The markets hold the rules; the rest is Binance's manner. */
export interface FuturesDesk extends CallDesk {
  readonly format: ContractFormatBook;
  readonly rates: FuturesRates;
  readonly notes: ChangeNotes;
  readonly cancelTimers: CancelTimers;
  readonly liquidations: LiquidationTape;
  readonly story: ContractStory;
}

/** One public call of the futures' REST API. Parameters it does not know are not looked at. */
export interface FuturesCall {
  /** For faults on order: `fapi.depth`. */
  readonly name: string;
  /** Paths under which it stands, all with GET. */
  readonly paths: readonly string[];
  /** Whether the WebSocket API has it, too: depth and tickers of price and book (usds-margined-futures, 2026). */
  readonly socket?: true;
  prepare(reader: ParamReader, desk: FuturesDesk): Prepared;
}

/** The same as an endpoint of the door that all calls come through. */
export function publicEndpoint({ name, paths, prepare, socket }: FuturesCall): Endpoint<FuturesDesk> {
  return {
    ...PUBLIC,
    socket: socket === true,
    name,
    rest: paths.map((path) => `GET ${path}`),
    params: 'ANY',
    prepare,
  };
}

/**
 * The ids of book updates are counted over all symbols at Binance futures, so that `U` of a message is not the `u`
 * before it plus one; only `pu` joins them. Every id of the core's is stretched, to leave such holes.
 */
const UPDATE_ID_STRIDE = 3;

/** An update id as the wire has it. */
export function wireUpdateId(updateId: number): number {
  return updateId * UPDATE_ID_STRIDE;
}

/** The first id of a message: after the hole that the message before it left. */
export function wireFirstUpdateId(updateId: number): number {
  return wireUpdateId(updateId) - 1;
}

/** A page size from 1 to `max`: futures refuse larger ones, where spot clamps them. */
export function pageLimit(reader: ParamReader, fallback: number, max: number): number {
  const limit = reader.integer('limit', { min: 1 });
  if (limit !== undefined && limit > max) reader.refuse(invalidData('limit'));
  return limit ?? fallback;
}

/** A listed contract that must be named. */
export function namedContract(reader: ParamReader, desk: FuturesDesk): PerpFacts | undefined {
  const named = reader.market(desk.perps.contracts);
  return named === undefined ? undefined : desk.perps.contracts.get(named.symbol);
}

/** A call about one contract that must be named. */
export function aboutContract(
  reader: ParamReader,
  desk: FuturesDesk,
  weight: number,
  run: (contract: PerpFacts) => Answer,
): Prepared {
  const contract = namedContract(reader, desk);
  const unknown: Answer = { ok: false, code: ERRORS.badSymbol };
  return { weight, run: () => (contract === undefined ? unknown : run(contract)) };
}

/** A call about one contract, or about all of them in a list when none is named. */
export function aboutOneOrAll(
  reader: ParamReader,
  desk: FuturesDesk,
  weights: { readonly one: number; readonly all: number },
  row: (contract: PerpFacts) => object,
): Prepared {
  const one = reader.has('symbol') ? namedContract(reader, desk) : undefined;
  return {
    weight: reader.has('symbol') ? weights.one : weights.all,
    run: () => ({
      ok: true,
      value: one === undefined ? [...desk.perps.contracts.values()].map(row) : row(one),
    }),
  };
}
