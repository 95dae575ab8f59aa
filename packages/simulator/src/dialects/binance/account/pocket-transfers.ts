import { type Amount, type Millis, minus, ok, refused, ZERO } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import type { PerpIncome } from '../../../perp-exchange.ts';
import {
  accountOf,
  type Desk,
  type Endpoint,
  endpoint,
  type Prepared,
  WALLET_BY_IP,
  WALLET_BY_UID,
} from '../endpoint.ts';
import { type BinanceError, invalidData, mandatory } from '../errors.ts';
import { formatDecimal } from '../format.ts';
import type { ParamReader } from '../params.ts';

const PAGE_SIZE_DEFAULT = 10;
const PAGE_SIZE_MAX = 100;
const PAGES_MAX = 1_000_000;
const TRANSFER_ID_LENGTH = 32;

/** The two ways between spot and futures; the simulator has no other wallets. */
const INTO_FUTURES = 'MAIN_UMFUTURE';
const TYPES = [INTO_FUTURES, 'UMFUTURE_MAIN'] as const;

const INSUFFICIENT: BinanceError = {
  status: 400,
  code: -5013,
  msg: 'Asset transfer failed: insufficient balance',
};

/** Money that came to the futures wallet or left it, the oldest first. */
function transfersOf(
  desk: Desk,
  account: AccountNumber,
  span: { readonly startTime?: Millis; readonly endTime?: Millis } = {},
): readonly PerpIncome[] {
  const page = { ...span, limit: Number.MAX_SAFE_INTEGER };
  return desk.perps.income(account, page).filter(({ kind }) => kind === 'TRANSFER');
}

function move(reader: ParamReader, desk: Desk): Prepared {
  const type = reader.requiredChoice('type', TYPES);
  const asset = reader.requiredText('asset');
  if (asset !== 'USDT') reader.refuse(invalidData('asset'));
  const amount = reader.decimal('amount');
  if (amount === undefined) reader.refuse(mandatory('amount'));
  if (amount === 0n) reader.refuse(invalidData('amount'));
  return {
    weight: 900,
    run: async (caller) => {
      const account = accountOf(caller);
      const wanted = amount ?? ZERO;
      const moving = desk.perps.movePocket(
        account,
        type === INTO_FUTURES ? wanted : minus(ZERO, wanted),
        desk.randomText(TRANSFER_ID_LENGTH),
      );
      // What was asked is applied before it is on disk: the newest entry is this transfer's, when it was not refused.
      const tranId = transfersOf(desk, account).at(-1)?.sequence;
      const moved = await moving;
      return moved.ok ? ok({ tranId }) : refused(INSUFFICIENT);
    },
  };
}

function history(reader: ParamReader, desk: Desk): Prepared {
  const type = reader.requiredChoice('type', TYPES);
  const startTime = reader.integer('startTime') as Millis | undefined;
  const endTime = reader.integer('endTime') as Millis | undefined;
  const page = reader.integer('current', { min: 1, max: PAGES_MAX }) ?? 1;
  const size = reader.integer('size', { min: 1, max: PAGE_SIZE_MAX }) ?? PAGE_SIZE_DEFAULT;
  return {
    weight: 1,
    run: (caller) => {
      const span = {
        ...(startTime === undefined ? {} : { startTime }),
        ...(endTime === undefined ? {} : { endTime }),
      };
      const made = transfersOf(desk, accountOf(caller), span).filter(
        ({ amount }) => amount > 0n === (type === INTO_FUTURES),
      );
      const rows = made.toReversed().slice((page - 1) * size, page * size);
      return ok({
        total: made.length,
        rows: rows.map(({ amount, sequence, time }) => ({
          asset: 'USDT',
          amount: formatDecimal((amount < 0n ? -amount : amount) as Amount),
          type,
          status: 'CONFIRMED',
          tranId: sequence,
          timestamp: time,
        })),
      });
    },
  };
}

/** An account moves its own money between its spot and its futures wallet. */
export const POCKET_ENDPOINTS: readonly Endpoint[] = [
  endpoint(
    WALLET_BY_UID,
    'asset.transfer POST /sapi/v1/asset/transfer',
    'type asset amount fromSymbol toSymbol',
    move,
  ),
  endpoint(
    WALLET_BY_IP,
    'asset.transfer.history GET /sapi/v1/asset/transfer',
    'type startTime endTime current size fromSymbol toSymbol',
    history,
  ),
];
