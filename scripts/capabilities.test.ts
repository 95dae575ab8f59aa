import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AlgoOffer,
  AMOUNT_ONE,
  type Amount,
  CANDLE_INTERVALS,
  formatAmount,
  type Millis,
  ORDER_TYPE,
  PLATFORMS,
  type SymbolType,
  TIME_IN_FORCE,
} from '@crossbook/domain';
import {
  createBinanceFuturesPublic,
  createBinancePublic,
  createBybitPublic,
  createOkxPublic,
  type MarketProfile,
  type VenueProfile,
  type VenuePublic,
  venueProfile,
} from '@crossbook/venues';
import { expect, test } from 'vitest';

/** The table of docs/venues/capabilities.md is what profiles and connectors say. */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = readFileSync(join(root, 'docs/venues/capabilities.md'), 'utf8');

const ports = {
  restBase: 'http://venue',
  fetchText: () => Promise.reject(new Error('nobody is asked')),
  clock: () => 0 as Millis,
};
const okx = createOkxPublic({ ...ports, publicSocketUrl: '', businessSocketUrl: '' });

interface Half {
  readonly venue: VenuePublic;
  readonly market: MarketProfile;
  readonly algos: AlgoOffer;
}

function half(venue: VenuePublic, symbolType: SymbolType): Half {
  const { markets, trading } = venueProfile(venue.platform);
  return { venue, market: markets[symbolType], algos: trading.algos[symbolType] };
}

const sockets = { ...ports, socketBase: 'ws://venue' };
const HALVES: readonly Half[] = [
  half(createBinancePublic(sockets), 'SPOT'),
  half(createBinanceFuturesPublic(sockets), 'SWAP'),
  half(okx, 'SPOT'),
  half(okx, 'SWAP'),
  half(createBybitPublic({ ...sockets, category: 'spot' }), 'SPOT'),
  half(createBybitPublic({ ...sockets, category: 'linear' }), 'SWAP'),
];

const lacking = ({ native, built }: MarketProfile['candles']): string =>
  CANDLE_INTERVALS.filter((interval) => !native.includes(interval) && !built.has(interval)).join(', ');
const pages = ({ newestPageMax, olderPageMax }: MarketProfile['candles']): string =>
  newestPageMax === olderPageMax ? `${newestPageMax}` : `${newestPageMax}, then ${olderPageMax}`;
const percent = (rate: Amount): string => `${formatAmount((rate * 100n) as Amount)} %`;
const seconds = (millis: number | undefined): string => (millis === undefined ? '' : `${millis / 1_000} s`);

const ROWS: readonly [string, (half: Half) => string | number][] = [
  ['intervals built from shorter bars', ({ market }) => [...market.candles.built.keys()].join(', ')],
  ['intervals it lacks', ({ market }) => lacking(market.candles)],
  ['bars of one page', ({ market }) => pages(market.candles)],
  ['levels a side by REST, at most', ({ market }) => market.depthLevelsMax],
  ['trades of one page', ({ market }) => market.tradesPerPageMax],
  ['fee of maker and taker', ({ market }) => `${percent(market.fees.maker)}, ${percent(market.fees.taker)}`],
  ['a book begins with', ({ venue }) => (venue.socketSendsSnapshots ? 'the socket' : 'REST')],
  ['a book is proved by', ({ venue }) => (venue.bookWitness === undefined ? 'ids' : 'ids, checksum')],
  ['a sound book may be quiet for', ({ venue }) => seconds(venue.bookSilenceMillisMax)],
  ['addresses of its public sockets', ({ venue }) => 1 + (venue.furtherSockets?.length ?? 0)],
  ['we ping every', ({ venue }) => seconds(venue.socket.heartbeat?.everyMillis)],
  ['a connection is renewed after', ({ venue }) => `${venue.socket.lifeMillisMax / 3_600_000} h`],
  ['channels of one request', ({ venue }) => venue.socket.channelsPerRequestMax ?? ''],
  ['requests of one connection', ({ venue }) => venue.socket.controlMessagesMax ?? ''],
  ['algo orders', ({ algos }) => algos.kinds.join(', ')],
  ['a trigger follows', ({ algos }) => algos.triggerBy.join(', ')],
  ['the target of an OCO', ({ algos }) => (algos.targetRests === true ? 'may rest in the book' : '')],
  ['a trailing stop follows by', ({ algos }) => trailingOf(algos)],
  ['an iceberg rests behind the market by', ({ algos }) => icebergOf(algos)],
  [
    'what closes a whole position',
    ({ algos }) => `${WHOLE[algos.whole]}${algos.wholeAtLimit === true ? ', also at a limit' : ''}`,
  ],
  ['at a limit a trigger sends', ({ algos }) => namesOf(TIME_IN_FORCE, algos.limitTimes)],
  ['an algo order that waits', ({ algos }) => (algos.amends ? 'can be changed' : 'is placed anew')],
  ['its money is locked', ({ algos }) => (algos.locks ? 'from placement' : 'when it fires')],
  [
    'algo orders that wait, at most',
    ({ algos }) => `${algos.openMax} of ${algos.perSymbol ? 'a symbol' : 'an account'}`,
  ],
  ['target and stop', ({ algos }) => ATTACHED[algos.attached]],
  ['in place of one of each', ({ algos }) => formsOf(algos)],
  [
    'with an order there, and not from here',
    ({ algos }) => (algos.unsent ?? []).map((kind) => UNSENT[kind]).join(', '),
  ],
];

const ATTACHED = {
  venue: 'can come with an order',
  list: 'form a list with a limit order',
  fills: 'can come with a buy',
  hub: 'are orders of their own',
} as const;

const UNSENT = {
  rests: 'a target that rests',
  share: 'a share of the price filled',
  both: 'target and stop together',
} as const;

function formsOf({ targetsMax, attachedTrails }: AlgoOffer): string {
  const several = targetsMax === undefined ? [] : [`up to ${targetsMax} targets of parts`];
  return several.concat(attachedTrails === true ? 'a trailing stop' : []).join(', ');
}

const WHOLE = { never: '', 'one-way': 'in one-way mode', always: 'in both modes' } as const;

function trailingOf({ trailing }: AlgoOffer): string {
  const ratio = trailing?.ratio;
  const range = ratio && `${formatAmount((ratio.min * 100n) as Amount)} to ${percent(ratio.max)}`;
  const alone = trailing?.by === undefined ? undefined : `the ${trailing.by.join(', ')} price alone`;
  const whole = trailing?.ofPosition === true ? 'of a whole position' : undefined;
  return [range, trailing?.distance === true ? 'a distance' : undefined, alone, whole]
    .filter((way) => way !== undefined)
    .join(', ');
}

function icebergOf({ iceberg }: AlgoOffer): string {
  if (iceberg === undefined) return '';
  const { ratio, distance, openMax } = iceberg;
  const far = `${formatAmount((ratio.min * 100n) as Amount)} to ${percent(ratio.max)}`;
  return `${far}${distance ? ', a distance' : ''}; at most ${openMax} under way`;
}

/** What is the same for both markets of a platform, one column for each platform. */
const TRADING_ROWS: readonly [string, (profile: VenueProfile) => string | undefined][] = [
  ['order types', ({ trading }) => namesOf(ORDER_TYPE, trading.spot.orderTypes)],
  ['times in force', ({ trading }) => namesOf(TIME_IN_FORCE, trading.spot.timesInForce)],
  [
    'a market buy by quantity goes up to',
    ({ trading }) => `${percent((trading.spot.marketBuyBound - AMOUNT_ONE) as Amount)} above the ask`,
  ],
  [
    'an iceberg of a pair has',
    ({ trading: { spot } }) => (spot.icebergPartsMax ? `at most ${spot.icebergPartsMax} parts` : undefined),
  ],
  [
    'one call cancels at most, of pairs and contracts',
    ({ trading: { cancelsAtOnce } }) => `${cancelsAtOnce.SPOT}, ${cancelsAtOnce.SWAP}`,
  ],
  [
    'one call places at most, of pairs and contracts',
    ({ trading: { placesAtOnce } }) => `${placesAtOnce.SPOT}, ${placesAtOnce.SWAP}`,
  ],
  [
    'resting orders go by a countdown of',
    ({ trading: { countdown } }) =>
      `${countdown.seconds.join(', ')} s, of ${countdown.covers.SPOT ? 'pairs and contracts' : 'contracts alone'}`,
  ],
  ['the window of a request', ({ trading }) => seconds(trading.receiveWindowMillis)],
  ['an order can no longer arrive after', ({ trading }) => seconds(trading.orderDeadlineMillis)],
  ['a transfer can no longer arrive after', ({ trading }) => seconds(trading.transferDeadlineMillis)],
  [
    'an order that never filled is known for',
    ({ trading }) => `${trading.forgetsUnfilledMillis / 3_600_000} h`,
  ],
  ['order types of contracts', ({ trading }) => namesOf(ORDER_TYPE, trading.contracts.orderTypes)],
  ['times in force of contracts', ({ trading }) => namesOf(TIME_IN_FORCE, trading.contracts.timesInForce)],
  ['leverage is set for', ({ trading }) => `the ${trading.contracts.reach.leverage}`],
  ['the margin mode is that of', ({ trading }) => `the ${trading.contracts.reach.marginMode}`],
  ['the position mode is that of', ({ trading }) => `the ${trading.contracts.reach.positionMode}`],
  [
    'the money of contracts lies in',
    ({ trading }) => (trading.contracts.ownPocket ? 'a wallet of its own' : 'the same wallet'),
  ],
  [
    'leverage of a held isolated position',
    ({ trading }) => (trading.contracts.lowersIsolated ? 'rises and falls' : 'only rises'),
  ],
  [
    'the margin ratio is stated as',
    ({ trading: { contracts } }) => {
      const { stated, warnsFrom } = contracts.ratio;
      const warns = warnsFrom === undefined ? '' : `, warns at ${Math.round(100 / warnsFrom)} %`;
      return `${stated}: liquidates at 100 %${warns}`;
    },
  ],
];

function namesOf(all: Readonly<Record<string, number>>, offered: readonly number[]): string {
  return Object.keys(all)
    .filter((name) => offered.includes(all[name] ?? -1))
    .join(', ');
}

/** Rows of the page that begin with these names. */
function rowsOfPage(names: readonly string[]): readonly string[] {
  return page.split('\n').filter((line) => names.some((name) => line.startsWith(`| ${name} |`)));
}

test('the capabilities of all six halves are those of the code', () => {
  const rows = ROWS.map(([name, of]) => `| ${[name, ...HALVES.map(of)].join(' | ')} |`);
  expect(rowsOfPage(ROWS.map(([name]) => name))).toEqual(rows);
});

test('what trading at each platform offers is that of the profiles', () => {
  const profiles = PLATFORMS.map(({ platform }) => venueProfile(platform));
  const rows = TRADING_ROWS.map(([name, of]) => `| ${[name, ...profiles.map(of)].join(' | ')} |`);
  expect(rowsOfPage(TRADING_ROWS.map(([name]) => name))).toEqual(rows);
});
