import { type Millis, ok } from '@crossbook/domain';
import type { AccountNumber } from '../../../../exchange.ts';
import type { PerpIncome } from '../../../../perp-exchange.ts';
import { accountOf, type Endpoint, type Prepared } from '../../endpoint.ts';
import type { ParamReader } from '../../params.ts';
import { type FuturesDesk, namedContract, pageLimit } from '../desk.ts';
import { money } from '../format.ts';
import { BY_REST, memberEndpoint } from '../member-endpoint.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1000;
const PAGES_MAX = 1000;
const WEEK_MILLIS = 604_800_000;
/** Entries read at a time while looking for those of one kind. */
const READ_ENTRIES = 1000;

const TYPES: Record<PerpIncome['kind'], string> = {
  REALIZED_PNL: 'REALIZED_PNL',
  COMMISSION: 'COMMISSION',
  FUNDING: 'FUNDING_FEE',
  LIQUIDATION_FEE: 'INSURANCE_CLEAR',
  INSURANCE: 'INSURANCE_CLEAR',
  TRANSFER: 'TRANSFER',
};

/** One line of /fapi/v1/income. */
export function incomeRow(income: PerpIncome): object {
  const incomeType = TYPES[income.kind];
  return {
    symbol: income.symbol ?? '',
    incomeType,
    income: money(income.amount),
    asset: 'USDT',
    time: income.time,
    info: income.tradeId === undefined ? incomeType : String(income.tradeId),
    tranId: income.sequence,
    tradeId: income.tradeId === undefined ? '' : String(income.tradeId),
  };
}

/** The entries of an account from a time on that fit, ascending, at most so many. */
export function entriesOf(
  desk: FuturesDesk,
  account: AccountNumber,
  wanted: {
    readonly symbol?: string;
    readonly startTime: Millis;
    readonly endTime: Millis;
    readonly count: number;
    fits(income: PerpIncome): boolean;
  },
): readonly PerpIncome[] {
  const { count, fits, ...span } = wanted;
  const found: PerpIncome[] = [];
  let fromId: number | undefined;
  while (found.length < count) {
    const page = { ...span, limit: READ_ENTRIES, ...(fromId === undefined ? {} : { fromId }) };
    const read = desk.perps.income(account, page);
    found.push(...read.filter(fits));
    const last = read.at(-1);
    if (last === undefined || read.length < READ_ENTRIES) break;
    fromId = last.sequence + 1;
  }
  return found.slice(0, count);
}

function income(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = reader.has('symbol') ? namedContract(reader, desk) : undefined;
  const type = reader.text('incomeType');
  const end = reader.integer('endTime');
  const start = reader.integer('startTime');
  const page = reader.integer('page', { min: 1, max: PAGES_MAX }) ?? 1;
  const limit = pageLimit(reader, LIMIT_DEFAULT, LIMIT_MAX);
  return {
    weight: 30,
    run: (caller) => {
      // Without a start: the newest seven days.
      const endTime = (end ?? Number.MAX_SAFE_INTEGER) as Millis;
      const startTime = (start ?? (end ?? desk.perps.now()) - WEEK_MILLIS) as Millis;
      const entries = entriesOf(desk, accountOf(caller), {
        ...(contract === undefined ? {} : { symbol: contract.symbol }),
        startTime,
        endTime,
        count: page * limit,
        fits: ({ kind }) => type === undefined || TYPES[kind] === type,
      });
      return ok(entries.slice((page - 1) * limit).map(incomeRow));
    },
  };
}

/** What changed an account's money. */
export const INCOME_CALLS: readonly Endpoint<FuturesDesk>[] = [
  memberEndpoint(BY_REST, 'income GET /fapi/v1/income', income),
];
