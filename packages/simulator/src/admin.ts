import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { formatAmount } from '@crossbook/domain';
import { AdminInput, readFaultPlan } from './admin-input.ts';
import type { BinanceDialect } from './dialects/binance/dialect.ts';
import { MASTER_LABEL } from './dialects/binance/sub-accounts.ts';
import type { AccountNumber, Exchange } from './exchange.ts';
import type { FaultBox } from './faults.ts';

/** What the admin API acts on. */
export interface AdminParts {
  readonly exchange: Exchange;
  readonly faults: FaultBox;
  readonly binance: Pick<BinanceDialect, 'dropSockets'>;
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
const SYMBOL = /^[A-Z0-9]{1,20}$/;
const CREDIT_ID = /^[\w.:@-]{1,128}$/;

function ok(body: unknown): AdminAnswer {
  return { status: 200, body };
}

function refuse(status: number, error: string): AdminAnswer {
  return { status, body: { error } };
}

/** The account of a label, or a refusal that names it. */
function withAccount(
  parts: AdminParts,
  label: string,
  run: (account: AccountNumber) => Promise<AdminAnswer> | AdminAnswer,
): Promise<AdminAnswer> | AdminAnswer {
  const account = parts.exchange.accountOfLabel(label);
  return account === undefined ? refuse(404, `no account has the label ${label}`) : run(account);
}

async function newKey(parts: AdminParts, label: string): Promise<AdminAnswer> {
  const account = await parts.exchange.openAccount(label);
  const key = await parts.exchange.createKey(account);
  return ok({ account, label, apiKey: key.apiKey, secret: key.secret });
}

const health: AdminCall = ({ exchange, faults }) =>
  ok({ status: 'ok', time: exchange.now(), markets: exchange.markets.size, faults: faults.list().length });

const makeKey: AdminCall = (parts, input) => {
  const label = input.text('label', LABEL);
  return input.problem === undefined ? newKey(parts, label) : refuse(400, input.problem);
};

const credit: AdminCall = (parts, input) => {
  const label = input.text('label', LABEL);
  const asset = input.text('asset', ASSET);
  const amount = input.amount('amount');
  const creditId = input.text('creditId', CREDIT_ID);
  if (input.problem !== undefined) return refuse(400, input.problem);
  return withAccount(parts, label, async (account) =>
    ok({ account, applied: await parts.exchange.credit(account, asset, amount, creditId) }),
  );
};

const balances: AdminCall = (parts, input) => {
  const label = input.text('label', LABEL);
  if (input.problem !== undefined) return refuse(400, input.problem);
  return withAccount(parts, label, (account) => {
    const held = parts.exchange.balances(account);
    const lines = held.map(({ asset, free, locked }) => ({
      asset,
      free: formatAmount(free),
      locked: formatAmount(locked),
    }));
    return ok({ account, balances: lines });
  });
};

const pauseAgents: AdminCall = (parts, input) => {
  const paused = input.flag('paused');
  if (input.problem !== undefined) return refuse(400, input.problem);
  parts.exchange.setAgentsPaused(paused);
  return ok({ paused });
};

/** A call about one listed market. */
function aboutMarket(act: (parts: AdminParts, input: AdminInput, symbol: string) => object): AdminCall {
  return (parts, input) => {
    const symbol = input.text('symbol', SYMBOL);
    if (input.problem !== undefined) return refuse(400, input.problem);
    if (!parts.exchange.markets.has(symbol)) return refuse(404, `no market has the symbol ${symbol}`);
    const done = act(parts, input, symbol);
    return input.problem === undefined ? ok(done) : refuse(400, input.problem);
  };
}

const shock = aboutMarket((parts, input, symbol) => {
  const factor = input.number('factor', { min: 0.01, max: 100 });
  if (input.problem === undefined) parts.exchange.shock(symbol, factor);
  return { symbol, factor };
});

const status = aboutMarket((parts, input, symbol) => {
  const wanted = input.word('status', ['TRADING', 'BREAK']);
  if (input.problem === undefined) parts.exchange.setStatus(symbol, wanted);
  return { symbol, status: wanted };
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

const dropSockets: AdminCall = ({ binance }, input) => {
  const kind = input.word('kind', ['all', 'streams', 'api']);
  return input.problem === undefined
    ? ok({ dropped: binance.dropSockets(kind) })
    : refuse(400, input.problem);
};

const CALLS: ReadonlyMap<string, AdminCall> = new Map([
  ['GET health', health],
  ['POST keys', makeKey],
  ['POST master', (parts) => newKey(parts, MASTER_LABEL)],
  ['POST credit', credit],
  ['POST balances', balances],
  ['POST agents', pauseAgents],
  ['POST shock', shock],
  ['POST status', status],
  ['GET faults', ({ faults }) => ok({ faults: faults.list() })],
  ['POST faults', armFault],
  ['DELETE faults', clearFaults],
  ['POST sockets/drop', dropSockets],
]);

function sameToken(given: string, token: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(token);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The call's name after `/sim/` and, where the path carries it, the token. */
function splitPath(path: string, request: IncomingMessage): { token: string; name: string } {
  const rest = path.slice('/sim/'.length);
  const header = request.headers.authorization;
  if (header?.startsWith('Bearer ')) return { token: header.slice('Bearer '.length), name: rest };
  const cut = rest.indexOf('/');
  return cut < 0 ? { token: '', name: rest } : { token: rest.slice(0, cut), name: rest.slice(cut + 1) };
}

async function readObject(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function answerOf(parts: AdminParts, request: IncomingMessage, path: string): Promise<AdminAnswer> {
  const { token, name } = splitPath(path, request);
  if (!sameToken(token, parts.token)) return refuse(401, 'the admin token is missing or wrong');
  const call = CALLS.get(`${request.method} ${name}`);
  if (call === undefined) return refuse(404, `no admin call ${request.method} ${name.slice(0, 64)}`);
  const fields = await readObject(request).catch(() => undefined);
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
