import type { IncomingMessage, ServerResponse } from 'node:http';
import { formatAmount, minus, PLATFORMS, type PlatformSlug } from '@crossbook/domain';
import { MASTER_LABEL } from './accounts/labels.ts';
import { AdminInput, readFaultPlan } from './admin-input.ts';
import { moveCustody } from './custody.ts';
import type { SocketKind } from './dialects/dialect.ts';
import { sameText } from './dialects/wire/hmac.ts';
import { readBody } from './dialects/wire/request.ts';
import type { AccountNumber } from './exchange.ts';
import type { FaultBox } from './faults.ts';
import type { OpenedVenue } from './open-venue.ts';

/** What the admin API acts on. */
export interface AdminParts {
  readonly venues: readonly OpenedVenue[];
  readonly faults: FaultBox;
  /** Drops sockets of one venue, or of all. @returns how many. */
  readonly dropSockets: (venue: PlatformSlug | undefined, kind: SocketKind) => number;
  readonly randomText: (length: number) => string;
  /** Printed at start; whoever has it may do everything here. */
  readonly token: string;
}

interface AdminAnswer {
  readonly status: number;
  readonly body: unknown;
}

type AdminCall = (parts: AdminParts, input: AdminInput) => Promise<AdminAnswer> | AdminAnswer;

const BODY_BYTES_MAX = 65_536;
const LABEL = /^[\w.:@-]{1,80}$/;
const ASSET = /^[A-Z0-9]{1,20}$/;
const SYMBOL = /^[A-Z0-9_-]{1,24}$/;
const CREDIT_ID = /^[\w.:@-]{1,128}$/;
const SLUGS = PLATFORMS.map(({ slug }) => slug) as [PlatformSlug, ...PlatformSlug[]];
/** Venues whose keys have a passphrase. */
const PASSPHRASE_VENUES: ReadonlySet<PlatformSlug> = new Set(['okx']);
const PASSPHRASE_LENGTH = 16;
const LOTS_MAX = 1_000_000_000;

function ok(body: unknown): AdminAnswer {
  return { status: 200, body };
}

function refuse(status: number, error: string): AdminAnswer {
  return { status, body: { error } };
}

/** A call about one venue: the one that `venue` names, Binance when it names none. */
function atVenue(
  act: (venue: OpenedVenue, input: AdminInput, parts: AdminParts) => Promise<AdminAnswer> | AdminAnswer,
): AdminCall {
  return (parts, input) => {
    const slug = input.word('venue', SLUGS, 'binance');
    if (input.problem !== undefined) return refuse(400, input.problem);
    const venue = parts.venues.find((candidate) => candidate.slug === slug);
    return venue === undefined
      ? refuse(404, `this simulator has no venue ${slug}`)
      : act(venue, input, parts);
  };
}

/** The account of a label, or a refusal that names it. */
function withAccount(
  venue: OpenedVenue,
  label: string,
  run: (account: AccountNumber) => Promise<AdminAnswer> | AdminAnswer,
): Promise<AdminAnswer> | AdminAnswer {
  const account = venue.spot.accountOfLabel(label);
  return account === undefined ? refuse(404, `no account has the label ${label}`) : run(account);
}

async function newKey(venue: OpenedVenue, label: string, parts: AdminParts): Promise<AdminAnswer> {
  const account = await venue.spot.openAccount(label);
  const passphrase = PASSPHRASE_VENUES.has(venue.slug) ? parts.randomText(PASSPHRASE_LENGTH) : undefined;
  return ok({ account, label, ...(await venue.spot.createKey(account, passphrase)) });
}

const health: AdminCall = ({ venues, faults }) =>
  ok({
    status: 'ok',
    time: venues[0]?.spot.now(),
    markets: venues.reduce((sum, { spot, perps }) => sum + spot.markets.size + perps.markets.size, 0),
    venues: venues.map(({ slug, spot, perps }) => ({
      venue: slug,
      spot: spot.markets.size,
      perps: perps.markets.size,
    })),
    faults: faults.list().length,
  });

const makeKey = atVenue((venue, input, parts) => {
  const label = input.text('label', LABEL);
  return input.problem === undefined ? newKey(venue, label, parts) : refuse(400, input.problem);
});

const credit = atVenue((venue, input) => {
  const label = input.text('label', LABEL);
  const asset = input.text('asset', ASSET);
  const amount = input.amount('amount');
  const creditId = input.text('creditId', CREDIT_ID);
  if (input.problem !== undefined) return refuse(400, input.problem);
  return withAccount(venue, label, async (account) =>
    ok({ account, applied: await venue.spot.credit(account, asset, amount, creditId) }),
  );
});

const balances = atVenue((venue, input) => {
  const label = input.text('label', LABEL);
  if (input.problem !== undefined) return refuse(400, input.problem);
  return withAccount(venue, label, (account) => {
    const held = venue.spot.balances(account);
    const lines = held.map(({ asset, free, locked }) => ({
      asset,
      free: formatAmount(free),
      locked: formatAmount(locked),
    }));
    return ok({ account, balances: lines });
  });
});

const CUSTODY_REFUSALS = {
  INSUFFICIENT_BALANCE: 'the master account has less than the amount free',
  ID_REUSED: 'this moveId was used for another move',
};

const moveFunds: AdminCall = async (parts, input) => {
  const from = input.word('from', SLUGS);
  const to = input.word('to', SLUGS);
  const asset = input.text('asset', ASSET);
  const amount = input.amount('amount');
  const moveId = input.text('moveId', CREDIT_ID);
  if (input.problem !== undefined) return refuse(400, input.problem);
  if (from === to) return refuse(400, `to must be another venue than from; given was ${to} for both`);
  const source = parts.venues.find(({ slug }) => slug === from);
  const target = parts.venues.find(({ slug }) => slug === to);
  if (source === undefined || target === undefined) return refuse(404, 'this simulator has not both venues');
  const moved = await moveCustody({ from: source, to: target, asset, amount, moveId });
  return typeof moved === 'boolean'
    ? ok({ applied: moved })
    : { status: 409, body: { error: CUSTODY_REFUSALS[moved], code: moved } };
};

/** Agents are one crowd: all venues stand still together, or the one that `venue` names. */
const pauseAgents: AdminCall = (parts, input) => {
  const paused = input.flag('paused');
  const slug = input.optionalWord('venue', SLUGS);
  if (input.problem !== undefined) return refuse(400, input.problem);
  for (const venue of parts.venues)
    if (slug === undefined || venue.slug === slug) venue.setAgentsPaused(paused);
  return ok({ paused });
};

/** A call about one listed market of a venue; `market` says which kind. */
function aboutMarket(
  act: (place: { venue: OpenedVenue; market: 'spot' | 'perps'; symbol: string }, input: AdminInput) => object,
): AdminCall {
  return atVenue((venue, input) => {
    const market = input.word('market', ['spot', 'perps'], 'spot');
    const symbol = input.text('symbol', SYMBOL);
    if (input.problem !== undefined) return refuse(400, input.problem);
    if (!venue[market].markets.has(symbol)) return refuse(404, `no market has the symbol ${symbol}`);
    const done = act({ venue, market, symbol }, input);
    return input.problem === undefined ? ok(done) : refuse(400, input.problem);
  });
}

/** Moves the coin of a market, everywhere. */
const shock = aboutMarket(({ venue, market, symbol }, input) => {
  const factor = input.number('factor', { min: 0.01, max: 100 });
  if (input.problem === undefined) venue.sides[market].shock(symbol, factor);
  return { symbol, factor };
});

const status = aboutMarket(({ venue, market, symbol }, input) => {
  const wanted = input.word('status', ['TRADING', 'BREAK']);
  if (input.problem !== undefined) return {};
  if (market === 'spot') venue.spot.setStatus(symbol, wanted);
  else venue.setPerpStatus(symbol, wanted);
  return { symbol, status: wanted };
});

/** Pays funding of a contract now, at the rate and mark of now. */
const fundNow = atVenue((venue, input) => {
  const symbol = input.text('symbol', SYMBOL);
  if (input.problem !== undefined) return refuse(400, input.problem);
  if (!venue.perps.contracts.has(symbol)) return refuse(404, `no contract has the symbol ${symbol}`);
  venue.perps.fundNow(symbol);
  return ok({ symbol, rate: venue.perps.stats(symbol).fundingRate });
});

/** Takes positions of one direction from those who won most, at the mark of now, as where no fund is left. */
const deleverageNow = atVenue((venue, input) => {
  const symbol = input.text('symbol', SYMBOL);
  const side = input.word('side', ['long', 'short']);
  const lots = Math.floor(input.number('lots', { min: 1, max: LOTS_MAX }));
  if (input.problem !== undefined) return refuse(400, input.problem);
  if (!venue.perps.contracts.has(symbol)) return refuse(404, `no contract has the symbol ${symbol}`);
  venue.perps.deleverageNow(symbol, side === 'long', lots);
  return ok({ symbol, side, lots });
});

/** Delists a contract: its positions are settled at the mean index of the last hour, and nothing is traded there any more. */
const delist = atVenue((venue, input) => {
  const symbol = input.text('symbol', SYMBOL);
  if (input.problem !== undefined) return refuse(400, input.problem);
  if (!venue.perps.contracts.has(symbol)) return refuse(404, `no contract has the symbol ${symbol}`);
  const { price, positions } = venue.perps.delistNow(symbol);
  return ok({ symbol, price: formatAmount(price), positions });
});

/** Fills the insurance fund up to an amount, or empties it down to it. */
const insurance = atVenue((venue, input) => {
  const wanted = input.amount('amount');
  if (input.problem !== undefined) return refuse(400, input.problem);
  venue.perps.moveFund(minus(wanted, venue.perps.insuranceFund()));
  return ok({ amount: formatAmount(venue.perps.insuranceFund()) });
});

/** What an account holds of contracts; sizes count lots. */
const positions = atVenue((venue, input) => {
  const label = input.text('label', LABEL);
  if (input.problem !== undefined) return refuse(400, input.problem);
  return withAccount(venue, label, (account) => {
    const pool = venue.perps.pool(account);
    const held = venue.perps.positions(account).map((position) => ({
      symbol: position.symbol,
      side: position.side,
      marginMode: position.marginMode,
      lots: position.quantity,
      entryPrice: formatAmount(position.entryPrice),
      markPrice: formatAmount(position.markPrice),
      unrealisedPnl: formatAmount(position.unrealisedPnl),
      liquidationPrice:
        position.liquidationPrice === undefined ? null : formatAmount(position.liquidationPrice),
    }));
    const money = { wallet: formatAmount(pool.wallet), available: formatAmount(pool.available) };
    return ok({ account, ...money, ratio: pool.ratio, positions: held });
  });
});

const armFault: AdminCall = ({ faults }, input) => {
  const plan = readFaultPlan(input);
  if (input.problem !== undefined) return refuse(400, input.problem);
  return faults.arm(plan) ? ok({ armed: plan }) : refuse(409, 'too many fault plans are armed already');
};

const clearFaults: AdminCall = ({ faults }) => {
  faults.clear();
  return ok({});
};

const dropSockets: AdminCall = (parts, input) => {
  const kind = input.word('kind', ['all', 'streams', 'api']);
  const venue = input.optionalWord('venue', SLUGS);
  return input.problem === undefined
    ? ok({ dropped: parts.dropSockets(venue, kind) })
    : refuse(400, input.problem);
};

const CALLS: ReadonlyMap<string, AdminCall> = new Map([
  ['GET health', health],
  ['POST keys', makeKey],
  ['POST master', atVenue((venue, _, parts) => newKey(venue, MASTER_LABEL, parts))],
  ['POST credit', credit],
  ['POST balances', balances],
  ['POST custody/move', moveFunds],
  ['POST agents', pauseAgents],
  ['POST shock', shock],
  ['POST status', status],
  ['POST funding', fundNow],
  ['POST deleverage', deleverageNow],
  ['POST delist', delist],
  ['POST insurance', insurance],
  ['POST positions', positions],
  ['GET faults', ({ faults }) => ok({ faults: faults.list() })],
  ['POST faults', armFault],
  ['DELETE faults', clearFaults],
  ['POST sockets/drop', dropSockets],
]);

/** The call's name after `/sim/` and, where the path carries it, the token. */
function splitPath(path: string, request: IncomingMessage): { token: string; name: string } {
  const rest = path.slice('/sim/'.length);
  const header = request.headers.authorization;
  if (header?.startsWith('Bearer ')) return { token: header.slice('Bearer '.length), name: rest };
  const cut = rest.indexOf('/');
  return cut < 0 ? { token: '', name: rest } : { token: rest.slice(0, cut), name: rest.slice(cut + 1) };
}

/** The fields of the JSON object that a body holds; none for an empty body, `undefined` for anything else. */
async function readObject(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  const body = await readBody(request, BODY_BYTES_MAX);
  if (typeof body === 'string') return undefined;
  if (body.text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(body.text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function answerOf(parts: AdminParts, request: IncomingMessage, path: string): Promise<AdminAnswer> {
  const { token, name } = splitPath(path, request);
  if (!sameText(token, parts.token)) return refuse(401, 'the admin token is missing or wrong');
  const call = CALLS.get(`${request.method} ${name}`);
  if (call === undefined) return refuse(404, `no admin call ${request.method} ${name.slice(0, 64)}`);
  const fields = await readObject(request);
  if (fields === undefined)
    return refuse(400, `the body must be a JSON object of at most ${BODY_BYTES_MAX} bytes`);
  return await call(parts, new AdminInput(fields));
}

/** Answers `/sim/<token>/<call>`, or `/sim/<call>` with `Authorization: Bearer <token>`. JSON in, JSON out. */
export async function handleAdmin(
  parts: AdminParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const answer = await answerOf(parts, request, path);
  const text = JSON.stringify(answer.body);
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  response.end(text);
}
