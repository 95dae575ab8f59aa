import { type Amount, formatAmount, type Millis, refused } from '@crossbook/domain';
import type { MarketFacts } from '../../../exchange.ts';
import type { PerpFacts } from '../../../venue.ts';
import { fields } from '../../wire/fields.ts';
import type { Desk } from '../desk.ts';
import { type Answer, type Endpoint, publicEndpoint, rows } from '../endpoint.ts';
import { ERRORS, parameterError } from '../errors.ts';
import { factsOf, type Listed, type ListedType } from '../listing.ts';
import type { ParamReader } from '../params.ts';

/** Kinds of instruments that OKX has; the simulator lists none of the last two. */
export const INSTRUMENT_TYPES = ['SPOT', 'SWAP', 'FUTURES', 'MARGIN', 'OPTION'] as const;
/** One of them. */
export type InstrumentType = (typeof INSTRUMENT_TYPES)[number];

/** Spot pairs began here; OKX tells a time for each. */
const SPOT_LISTED_AT = Date.UTC(2023, 0, 3, 8) as Millis;
/** What OKX states of most instruments in USDT. */
const VALUE_MAX = '20000000';
const MARKET_VALUE_MAX = '1000000';

/** Fields that every row has in the same order, whatever its kind (recorded 2026-02). */
function commonRow(listed: Listed, facts: MarketFacts): Record<string, unknown> {
  return {
    ...fields(
      'alias auctionEndTime baseCcy contTdSwTime ctMult ctType ctVal ctValCcy expTime instFamily lever maxPlatOILmt openType optType posLmtAmt posLmtPct preMktSwTime quoteCcy settleCcy stk uly',
      '',
    ),
    category: '1',
    futureSettlement: false,
    groupId: '1',
    instId: listed.instId,
    instIdCode: listed.code,
    instType: listed.instType,
    listTime: String(SPOT_LISTED_AT),
    lotSz: formatAmount(facts.lotSize),
    maxIcebergSz: sixteenDecimals(facts.maxQty),
    maxLmtAmt: VALUE_MAX,
    maxLmtSz: formatAmount(facts.maxQty),
    maxMktAmt: MARKET_VALUE_MAX,
    maxMktSz: formatAmount(facts.maxMarketQty),
    maxStopSz: formatAmount(facts.maxMarketQty),
    maxTriggerSz: sixteenDecimals(facts.maxQty),
    maxTwapSz: sixteenDecimals(facts.maxQty),
    minSz: formatAmount(facts.minQty),
    ruleType: 'normal',
    state: facts.status === 'TRADING' ? 'live' : 'suspend',
    tickSz: formatAmount(facts.tickSize),
    tradeQuoteCcyList: [],
    upcChg: [],
  };
}

/** OKX writes these bounds with sixteen decimals and everything else as short as it is. */
function sixteenDecimals(value: Amount): string {
  const text = formatAmount(value);
  const dot = text.indexOf('.');
  return dot < 0 ? `${text}.${'0'.repeat(16)}` : text.padEnd(dot + 17, '0');
}

/** `maxMktSz` of spot counts USDT, as OKX's does. */
function spotFields(facts: MarketFacts): Record<string, unknown> {
  return {
    baseCcy: facts.base,
    quoteCcy: facts.quote,
    lever: facts.quote === 'USDT' ? '10' : '',
    maxMktSz: MARKET_VALUE_MAX,
    maxStopSz: MARKET_VALUE_MAX,
    tradeQuoteCcyList: [facts.quote],
  };
}

function contractFields(listed: Listed, contract: PerpFacts): Record<string, unknown> {
  const linear = contract.settle === contract.quote;
  return {
    alias: contract.kind === 'DATED' ? 'next_quarter' : '',
    ctMult: '1',
    ctType: linear ? 'linear' : 'inverse',
    ctVal: formatAmount(contract.contractValue),
    ctValCcy: linear ? contract.base : contract.quote,
    expTime: contract.deliveryTime === undefined ? '' : String(contract.deliveryTime),
    instFamily: listed.index,
    lever: String(contract.maxLeverage),
    listTime: String(contract.listedAt),
    maxMktAmt: '',
    settleCcy: contract.settle,
    uly: listed.index,
  };
}

/** One row of `public/instruments`; also what the `instruments` channel tells. */
export function instrumentRow(listed: Listed): object {
  const facts = factsOf(listed);
  const own = listed.contract === undefined ? spotFields(facts) : contractFields(listed, listed.contract);
  return { ...commonRow(listed, facts), ...own };
}

/** Which instruments a call means: by kind, family (or the older `uly`) and name. */
export interface InstrumentChoice {
  readonly instType: InstrumentType;
  readonly family: string | undefined;
  readonly instId: string | undefined;
}

/** Reads it; the kind must be there, except where a listed instrument is named (one client relies on that). */
export function readChoice(desk: Desk, reader: ParamReader): InstrumentChoice {
  const named = desk.listing.find(reader.text('instId') ?? '')?.instType;
  const instType =
    named !== undefined && !reader.has('instType')
      ? named
      : reader.requiredChoice('instType', INSTRUMENT_TYPES);
  return {
    instType,
    family: reader.text('instFamily') ?? reader.text('uly'),
    instId: reader.text('instId'),
  };
}

/** The instruments meant; `undefined` when one was named that is not listed under this kind. */
export function chosen(desk: Desk, choice: InstrumentChoice): readonly Listed[] | undefined {
  const { instType, family, instId } = choice;
  const known = isListedType(instType) ? desk.listing.ofType(instType) : [];
  const fitting = known.filter(
    (listed) =>
      (family === undefined || listed.index === family) && (instId === undefined || listed.instId === instId),
  );
  return fitting.length === 0 && instId !== undefined ? undefined : fitting;
}

/** Whether the simulator lists instruments of this kind at all. */
export function isListedType(instType: InstrumentType): instType is ListedType {
  return instType === 'SPOT' || instType === 'SWAP' || instType === 'FUTURES';
}

/** Answers a call that lists something of the instruments it chose. */
export function answerForChosen(
  desk: Desk,
  reader: ParamReader,
  row: (listed: Listed) => object | undefined,
): Answer {
  const choice = readChoice(desk, reader);
  if (reader.refusal !== undefined) return refused(reader.refusal);
  const listed = chosen(desk, choice);
  if (listed === undefined) return refused(ERRORS.noInstrument);
  return rows(listed.map(row).filter((one) => one !== undefined));
}

/** The instrument that a call names, which must be there and listed. */
export function listedOf(desk: Desk, reader: ParamReader): Listed | undefined {
  const instId = reader.instId();
  const listed = desk.listing.find(instId);
  if (listed === undefined) reader.refuse(ERRORS.noInstrument);
  return listed;
}

/** The contract that a call names. */
export function contractOf(desk: Desk, reader: ParamReader): Listed | undefined {
  const listed = listedOf(desk, reader);
  if (listed !== undefined && listed.contract === undefined) reader.refuse(parameterError('instId'));
  return listed?.contract === undefined ? undefined : listed;
}

/** The lists of instruments. */
export const INSTRUMENT_ENDPOINTS: readonly Endpoint[] = [
  publicEndpoint('instruments GET /api/v5/public/instruments', 20, ({ desk, reader }) =>
    answerForChosen(desk, reader, instrumentRow),
  ),
];
