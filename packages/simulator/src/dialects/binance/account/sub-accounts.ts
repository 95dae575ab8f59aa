import { type Amount, ok, refused } from '@crossbook/domain';
import { type LabelledSub, masterOf, SUB_LABEL_PREFIX, subAccountsOf } from '../../../accounts/labels.ts';
import type { AccountNumber, Exchange, SimPocket } from '../../../exchange.ts';
import {
  type Answer,
  accountOf,
  type Caller,
  type Desk,
  type Endpoint,
  endpoint,
  type Prepared,
  WALLET_BY_IP,
} from '../endpoint.ts';
import { type BinanceError, ERRORS, invalidData, mandatory, mandatoryEither } from '../errors.ts';
import { formatDecimal } from '../format.ts';
import type { ParamReader } from '../params.ts';

const TAG = /^[a-zA-Z0-9-_]{1,32}$/;
const TRANSFER_ID_LENGTH_MAX = 32;
/** What futures accounts hold. */
const FUTURES_ASSET = 'USDT';
const PAGE_SIZE_DEFAULT = 500;
const PAGE_SIZE_MAX = 500;

function findSub(exchange: Exchange, id: string): LabelledSub | undefined {
  return subAccountsOf(exchange).find(({ account }) => String(account) === id);
}

function subAccountLine(sub: LabelledSub): { subaccountId: string; email: string; tag: string } {
  return {
    subaccountId: String(sub.account),
    email: `${sub.account}_virtual@sub.invalid`,
    tag: sub.name,
  };
}

/** Runs a call for the master account only; anybody else's key lacks the permission. */
async function asMaster(
  desk: Desk,
  caller: Caller,
  run: (master: AccountNumber) => Answer | Promise<Answer>,
): Promise<Answer> {
  const master = masterOf(desk.exchange);
  if (master === undefined || accountOf(caller) !== master) return refused(ERRORS.rejectedKey);
  return await run(master);
}

function create(reader: ParamReader, desk: Desk): Prepared {
  const tag = reader.text('tag') ?? desk.randomText(20);
  if (!TAG.test(tag)) reader.refuse(invalidData('tag'));
  return {
    weight: 1,
    run: (caller) =>
      asMaster(desk, caller, async () => {
        // One account per tag: asking again after a lost answer finds the same one.
        const account = await desk.exchange.openAccount(SUB_LABEL_PREFIX + tag);
        return ok(subAccountLine({ account, name: tag }));
      }),
  };
}

function list(reader: ParamReader, desk: Desk): Prepared {
  const id = reader.text('subAccountId');
  const page = reader.integer('page', { min: 1, max: 1_000_000 }) ?? 1;
  const size = reader.integer('size', { min: 1, max: PAGE_SIZE_MAX }) ?? PAGE_SIZE_DEFAULT;
  return {
    weight: 1,
    run: (caller) =>
      asMaster(desk, caller, () => {
        const wanted = subAccountsOf(desk.exchange).filter(
          ({ account }) => id === undefined || String(account) === id,
        );
        const shown = wanted.slice((page - 1) * size, page * size);
        return ok(
          shown.map((sub) => ({
            ...subAccountLine(sub),
            makerCommission: '0.001',
            takerCommission: '0.001',
            marginMakerCommission: '-1',
            marginTakerCommission: '-1',
            createTime: null,
          })),
        );
      }),
  };
}

function createApiKey(reader: ParamReader, desk: Desk): Prepared {
  const id = reader.requiredText('subAccountId');
  const canTrade = reader.flag('canTrade');
  if (canTrade === undefined) reader.refuse(mandatory('canTrade'));
  reader.flag('marginTrade');
  const futuresTrade = reader.flag('futuresTrade') ?? false;
  return {
    weight: 1,
    run: (caller) =>
      asMaster(desk, caller, async () => {
        const sub = findSub(desk.exchange, id);
        if (sub === undefined) return refused(invalidData('subAccountId'));
        const rights = { pairs: canTrade === true, contracts: futuresTrade };
        const key = await desk.exchange.createKey(sub.account, undefined, rights);
        return ok({
          subaccountId: id,
          apiKey: key.apiKey,
          secretKey: key.secret,
          canTrade,
          marginTrade: false,
          futuresTrade,
        });
      }),
  };
}

/** Contracts are open to every account: enabling them again, as after a lost answer, changes nothing. */
function enableFutures(reader: ParamReader, desk: Desk): Prepared {
  const id = reader.requiredText('subAccountId');
  if (reader.flag('futures') !== true) reader.refuse(mandatory('futures'));
  return {
    weight: 1,
    run: (caller) =>
      asMaster(desk, caller, () => {
        if (findSub(desk.exchange, id) === undefined) return refused(invalidData('subAccountId'));
        return ok({ subaccountId: id, enableFutures: true, updateTime: desk.exchange.now() });
      }),
  };
}

/** What a key may do from now on; margin trading is not to be had. */
function permitKey(reader: ParamReader, desk: Desk): Prepared {
  const id = reader.requiredText('subAccountId');
  const apikey = reader.requiredText('subAccountApiKey');
  const flag = (name: 'canTrade' | 'marginTrade' | 'futuresTrade') => reader.flag(name) ?? false;
  const [canTrade, marginTrade, futuresTrade] = [flag('canTrade'), flag('marginTrade'), flag('futuresTrade')];
  return {
    weight: 1,
    run: (caller) =>
      asMaster(desk, caller, async () => {
        const sub = findSub(desk.exchange, id);
        if (sub === undefined) return refused(invalidData('subAccountId'));
        const known = desk.exchange.keyOwner(apikey)?.account === sub.account;
        if (!known) return refused(invalidData('subAccountApiKey'));
        await desk.exchange.permitKey(apikey, { pairs: canTrade, contracts: futuresTrade });
        return ok({ subaccountId: id, apikey, canTrade, marginTrade, futuresTrade });
      }),
  };
}

interface Transfer {
  readonly fromId: string | undefined;
  readonly toId: string | undefined;
  readonly pockets: { readonly fromPocket?: SimPocket; readonly toPocket?: SimPocket };
  readonly asset: string;
  readonly amount: Amount;
  readonly transferId: string;
}

function readTransfer(reader: ParamReader, desk: Desk): Transfer {
  const fromId = reader.text('fromId');
  const toId = reader.text('toId');
  if (fromId === undefined && toId === undefined) reader.refuse(mandatoryEither('fromId', 'toId'));
  const fromPocket = readPocket(reader, 'fromAccountType');
  const toPocket = readPocket(reader, 'toAccountType');
  const asset = reader.requiredText('asset');
  if ((fromPocket ?? toPocket) !== undefined && asset !== FUTURES_ASSET) reader.refuse(invalidData('asset'));
  const amount = reader.decimal('amount');
  if (amount === undefined) reader.refuse(mandatory('amount'));
  if (amount === 0n) reader.refuse(invalidData('amount'));
  const given = reader.text('clientTranId');
  if (given !== undefined && (given.length > TRANSFER_ID_LENGTH_MAX || !TAG.test(given))) {
    reader.refuse(invalidData('clientTranId'));
  }
  return {
    fromId,
    toId,
    pockets: {
      ...(fromPocket === undefined ? {} : { fromPocket }),
      ...(toPocket === undefined ? {} : { toPocket }),
    },
    asset,
    amount: amount ?? (0n as Amount),
    transferId: given ?? desk.randomText(32),
  };
}

/** The wallet at one end of a transfer; nothing for spot, where the exchange keeps what is not said. */
function readPocket(reader: ParamReader, name: string): 'FUTURES' | undefined {
  return reader.requiredChoice(name, ['SPOT', 'USDT_FUTURE']) === 'USDT_FUTURE' ? 'FUTURES' : undefined;
}

function accountType(pocket: SimPocket | undefined): string {
  return pocket === 'FUTURES' ? 'USDT_FUTURE' : 'SPOT';
}

/** The two accounts of a transfer; an absent id is the master. */
function transferEnds(
  exchange: Exchange,
  master: AccountNumber,
  transfer: Transfer,
): { from: AccountNumber; to: AccountNumber } | BinanceError {
  const end = (id: string | undefined) => (id === undefined ? master : findSub(exchange, id)?.account);
  const from = end(transfer.fromId);
  const to = end(transfer.toId);
  if (from === undefined) return invalidData('fromId');
  if (to === undefined) return invalidData('toId');
  // Between the two wallets of one account funds do move.
  const { fromPocket, toPocket } = transfer.pockets;
  return from === to && fromPocket === toPocket ? invalidData('toId') : { from, to };
}

const TRANSFER_REFUSALS: Record<'INSUFFICIENT_BALANCE' | 'ID_REUSED', BinanceError> = {
  INSUFFICIENT_BALANCE: { status: 400, code: -9000, msg: 'user have no avaliable amount' },
  ID_REUSED: { status: 400, code: -9000, msg: 'clientTranId is duplicated with different parameters' },
};

function transfer(reader: ParamReader, desk: Desk): Prepared {
  const asked = readTransfer(reader, desk);
  return {
    weight: 1,
    run: (caller) =>
      asMaster(desk, caller, async (master) => {
        const ends = transferEnds(desk.exchange, master, asked);
        if ('code' in ends) return refused(ends);
        const { asset, amount, transferId, pockets } = asked;
        const done = await desk.exchange.transfer({ ...ends, ...pockets, asset, amount, transferId });
        if (!done.ok) return refused(TRANSFER_REFUSALS[done.code]);
        return ok({ txnId: done.value.sequence, clientTranId: transferId });
      }),
  };
}

function findTransfer(reader: ParamReader, desk: Desk): Prepared {
  const transferId = reader.requiredText('clientTranId');
  const fromId = reader.text('fromId');
  const toId = reader.text('toId');
  reader.flag('showAllStatus');
  reader.integer('startTime');
  reader.integer('endTime');
  reader.integer('page', { min: 1, max: 1_000_000 });
  reader.integer('limit', { min: 1, max: PAGE_SIZE_MAX });
  return {
    weight: 1,
    run: (caller) =>
      asMaster(desk, caller, (master) => {
        const found = desk.exchange.findTransfer(transferId);
        if (found === undefined) return ok([]);
        // Binance leaves the master's own id empty.
        const name = (account: AccountNumber | undefined) =>
          account === undefined || account === master ? '' : String(account);
        const line = {
          toId: name(found.to),
          fromId: name(found.from),
          toAccountType: accountType(found.toPocket),
          fromAccountType: accountType(found.fromPocket),
          asset: found.asset,
          amount: formatDecimal(found.amount),
          date: found.time,
          clientTranId: transferId,
          txnId: String(found.sequence),
          status: 'SUCCESS',
        };
        const other =
          (fromId !== undefined && fromId !== line.fromId) || (toId !== undefined && toId !== line.toId);
        return ok(other ? [] : [line]);
      }),
  };
}

/** Binance Link ("broker") calls that the hub's own connector uses; the master's key only. */
export const SUB_ACCOUNT_ENDPOINTS: readonly Endpoint[] = [
  endpoint(WALLET_BY_IP, 'broker.subAccount.create POST /sapi/v1/broker/subAccount', 'tag', create),
  endpoint(
    WALLET_BY_IP,
    'broker.subAccount.list GET /sapi/v1/broker/subAccount',
    'subAccountId page size',
    list,
  ),
  endpoint(
    WALLET_BY_IP,
    'broker.subAccountApi.create POST /sapi/v1/broker/subAccountApi',
    'subAccountId canTrade marginTrade futuresTrade',
    createApiKey,
  ),
  endpoint(
    WALLET_BY_IP,
    'broker.subAccount.futures POST /sapi/v1/broker/subAccount/futures',
    'subAccountId futures',
    enableFutures,
  ),
  endpoint(
    WALLET_BY_IP,
    'broker.subAccountApi.permission POST /sapi/v1/broker/subAccountApi/permission',
    'subAccountId subAccountApiKey canTrade marginTrade futuresTrade',
    permitKey,
  ),
  endpoint(
    WALLET_BY_IP,
    'broker.transfer POST /sapi/v1/broker/universalTransfer',
    'fromId toId fromAccountType toAccountType asset amount clientTranId',
    transfer,
  ),
  endpoint(
    WALLET_BY_IP,
    'broker.transfer.find GET /sapi/v1/broker/universalTransfer',
    'fromId toId clientTranId startTime endTime page limit showAllStatus',
    findTransfer,
  ),
];
