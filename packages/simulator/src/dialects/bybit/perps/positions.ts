import { type Amount, formatAmount, minus, mulDown, plus, stepsToAmount, ZERO } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import type { PerpPosition, SimPositionSide } from '../../../perp-exchange.ts';
import type { PerpFacts } from '../../../venue.ts';
import { fields } from '../../wire/fields.ts';
import { accountOf, type Desk, type Endpoint, type Run, reply, signedCall } from '../endpoint.ts';
import { ERRORS, missing } from '../errors.ts';
import { cutAmount } from '../format.ts';
import { linearContracts, readCategory } from '../market/instruments.ts';
import { cutPage, type Placed, readPage } from '../pages.ts';
import type { ParamReader } from '../params.ts';
import { positionIdx } from './order-draft.ts';
import { contractOf } from './order-shapes.ts';
import { readLinear, tradedContracts } from './traded.ts';
import { stopsOfPosition } from './trading-stop.ts';

const READS_PER_SECOND_MAX = 50;
const POSITIONS_DEFAULT = 20;
const POSITIONS_MAX = 200;
/** As many closed positions as the core keeps. */
const CLOSED_MAX = 30_000;

/** In which state positions are reported; those that the venue closes by force say so while it does. */
export type PositionStatus = 'Normal' | 'Liq' | 'Adl';

/** A leverage as the wire has it: `10`, `12.5`. */
export function leverageText(leverage: number): string {
  return String(leverage);
}

/** The number of a leverage tier. */
function riskId(desk: Desk, symbol: string, tier: number): number {
  return desk.numbers.linear.of(symbol) * 100 + tier;
}

/** What a position of some side earned all in all while it was closed, fees and funding included. */
function earnedBefore(desk: Desk, account: AccountNumber, symbol: string, side: SimPositionSide): Amount {
  return desk.venue.perps
    .closedPositions(account, { symbol, limit: CLOSED_MAX })
    .filter((closed) => closed.side === side)
    .reduce(
      (sum, { realisedPnl, feesPaid, funding, liquidationFee }) =>
        plus(sum, minus(plus(realisedPnl, funding), plus(feesPaid, liquidationFee))),
      ZERO,
    );
}

/** The sequence of the account's last fill of a contract, which ties positions to fills; -1 before the first. */
function lastSequence(desk: Desk, account: AccountNumber, symbol: string): number {
  return desk.venue.perps.perpFills(account, { symbol, limit: 1 }).at(-1)?.sequence ?? -1;
}

/** Whose position is reported, and how. */
export interface ReportedPosition {
  readonly account: AccountNumber;
  readonly symbol: string;
  readonly side: SimPositionSide;
  /** Absent: it is flat. */
  readonly held: PerpPosition | undefined;
  readonly status?: PositionStatus;
  /** Of the fill that made it what it is; that of the last one when absent. */
  readonly sequence?: number;
}

/** One position. @param entryName `avgPrice` in lists, `entryPrice` in the stream. */
export function positionRow(
  desk: Desk,
  reported: ReportedPosition,
  entryName: 'avgPrice' | 'entryPrice',
): object {
  const { account, symbol, side, held, status = 'Normal' } = reported;
  const contract = contractOf(desk, symbol);
  const tiers = desk.venue.perps.tiers(symbol);
  const tier = held?.tier ?? 1;
  const before = earnedBefore(desk, account, symbol, side);
  const current = held === undefined ? ZERO : minus(plus(held.realisedPnl, held.funding), held.feesPaid);
  return {
    positionIdx: positionIdx(side),
    riskId: riskId(desk, symbol, tier),
    riskLimitValue: formatAmount(tiers.find((one) => one.tier === tier)?.cap ?? ZERO),
    symbol,
    ...stateOf(desk, reported, contract, entryName),
    tradeMode: 0,
    autoAddMargin: Number(desk.venue.perps.autoMargin({ account, symbol, side })),
    positionStatus: status,
    ...fields('bustPrice sessionAvgPrice mmrSysUpdatedTime leverageSysUpdatedTime', ''),
    ...stopsOfPosition(desk, held),
    curRealisedPnl: cutAmount(current),
    cumRealisedPnl: cutAmount(plus(before, current)),
    seq: reported.sequence ?? lastSequence(desk, account, symbol),
    isReduceOnly: false,
    tpslMode: 'Full',
  };
}

/** What only a held position has, or what stands in its place. */
function stateOf(
  desk: Desk,
  { account, symbol, side, held }: ReportedPosition,
  contract: PerpFacts,
  entryName: 'avgPrice' | 'entryPrice',
): object {
  if (held === undefined) {
    const setting = desk.venue.perps.setting(account, symbol);
    const leverage = side === 'SHORT' ? setting.leverageShort : setting.leverageLong;
    const stats = desk.venue.perps.stats(symbol);
    return {
      side: '',
      ...fields(
        'size positionValue positionIM positionIMByMp positionMM positionMMByMp positionBalance',
        '0',
      ),
      [entryName]: '0',
      ...fields('liqPrice breakEvenPrice', ''),
      unrealisedPnl: '0',
      leverage: leverageText(leverage),
      markPrice: desk.format.linear.of(symbol).shownPrice(stats.mark),
      adlRankIndicator: 0,
      ...fields('createdTime updatedTime', '0'),
      openTime: 0,
    };
  }
  const size = stepsToAmount(Math.abs(held.quantity), contract.lotSize);
  const { liquidationPrice } = held;
  const none = liquidationPrice === undefined || liquidationPrice >= contract.maxPrice;
  return {
    side: held.quantity > 0 ? 'Buy' : 'Sell',
    size: formatAmount(size),
    [entryName]: cutAmount(held.entryPrice),
    positionValue: cutAmount(mulDown(size, held.entryPrice)),
    leverage: leverageText(held.leverage),
    markPrice: cutAmount(held.markPrice),
    liqPrice: none ? '' : cutAmount(liquidationPrice),
    breakEvenPrice: cutAmount(held.breakEvenPrice),
    ...fields('positionIM positionIMByMp', cutAmount(held.initialMargin)),
    ...fields('positionMM positionMMByMp', cutAmount(held.maintenanceMargin)),
    positionBalance: cutAmount(held.isolatedWallet),
    unrealisedPnl: cutAmount(held.unrealisedPnl),
    adlRankIndicator: held.adlRank,
    createdTime: String(held.openedAt),
    updatedTime: String(held.updatedAt),
    openTime: held.openedAt,
  };
}

/** The sides that an account has a position of in a contract, flat ones too: one, or both legs. */
export function sidesOf(desk: Desk, account: AccountNumber, symbol: string): readonly SimPositionSide[] {
  const { positionMode } = desk.venue.perps.setting(account, symbol);
  return positionMode === 'HEDGE' ? ['LONG', 'SHORT'] : ['BOTH'];
}

function rowsOfContract(desk: Desk, account: AccountNumber, symbol: string): ReportedPosition[] {
  const held = desk.venue.perps.positions(account, symbol);
  return sidesOf(desk, account, symbol).map((side) => ({
    ...{ account, symbol, side },
    held: held.find((position) => position.side === side),
  }));
}

/** Positions: of a named contract all of them, flat ones too; of a coin those that are open. */
function list(reader: ParamReader, desk: Desk): Run {
  const category = readCategory(reader);
  const word = reader.text('category') ?? '';
  if (category === 'spot') reader.refuse(ERRORS.badCategory);
  const contracts = linearContracts(desk);
  const linear = category === 'linear';
  const contract = linear ? reader.optionalMarket(contracts, ERRORS.badSymbol) : undefined;
  const settle = reader.text('settleCoin');
  if (linear && !reader.has('symbol') && settle === undefined) reader.refuse(missing('symbol or settleCoin'));
  const page = readPage(reader, POSITIONS_DEFAULT, POSITIONS_MAX);
  return (caller) => {
    const account = accountOf(caller);
    const reported = !linear
      ? []
      : contract !== undefined
        ? rowsOfContract(desk, account, contract.symbol)
        : desk.venue.perps
            .positions(account)
            .filter(({ symbol }) => contractOf(desk, symbol).settle === settle)
            .map((held) => ({ account, symbol: held.symbol, side: held.side, held }));
    const placed = reported.map(
      (item): Placed<ReportedPosition> => ({
        time: item.held?.updatedAt ?? 0,
        id: BigInt(desk.numbers.linear.of(item.symbol) * 10 + positionIdx(item.side)),
        item,
      }),
    );
    // Legs of one contract stand in the order of their numbers.
    const byLeg = contract === undefined ? placed : placed.map((one, at) => ({ ...one, time: -at }));
    const { items, nextPageCursor } = cutPage(byLeg, page);
    const rows = items.map((one) => positionRow(desk, one, 'avgPrice'));
    return reply({ category: word, nextPageCursor, list: rows });
  };
}

/** The leverage of each contract, whether there is a position or not (position/batch-lvg). */
function leverages(reader: ParamReader, desk: Desk): Run {
  readLinear(reader);
  const named = reader.optionalMarket(linearContracts(desk), ERRORS.badSymbol);
  return (caller) => {
    const account = accountOf(caller);
    const shown = tradedContracts(desk).filter(
      ({ symbol }) => named === undefined || symbol === named.symbol,
    );
    const rows = shown.flatMap(({ symbol }) => {
      const setting = desk.venue.perps.setting(account, symbol);
      return sidesOf(desk, account, symbol).map((side) => ({
        symbol,
        leverage: leverageText(side === 'SHORT' ? setting.leverageShort : setting.leverageLong),
        side: '',
        positionIdx: positionIdx(side),
      }));
    });
    return reply({ category: 'linear', list: rows });
  };
}

/** Positions and their leverage. */
export const POSITION_ENDPOINTS: readonly Endpoint[] = [
  signedCall('position.list GET /v5/position/list', READS_PER_SECOND_MAX, list),
  signedCall('position.leverages GET /v5/position/symbol-info', READS_PER_SECOND_MAX, leverages),
];
