import { type Amount, type Millis, plus, ZERO } from '@crossbook/domain';
import type {
  PerpAccountEvent,
  PerpPosition,
  SimMarginMode,
  SimPositionKey,
  SimPositionSide,
} from '../../../../perp-exchange.ts';
import { exactPrice, money, signedSize } from '../format.ts';
import type { ShapeDesk } from '../orders/order-shapes.ts';

/** How an account trades a symbol, as far as its rows show it. */
export type RowMode = (symbol: string) => { readonly hedged: boolean; readonly marginMode: SimMarginMode };

/** The venue's reasons for telling of money and positions; a change that has none is told otherwise, or not at all. */
const REASONS: Partial<Record<PerpAccountEvent['cause'], string>> = {
  ORDER: 'ORDER',
  LIQUIDATION: 'ORDER',
  ADL: 'ORDER',
  FUNDING: 'FUNDING_FEE',
  MARGIN_MODE: 'MARGIN_TYPE_CHANGE',
  MARGIN_MOVED: 'MARGIN_TRANSFER',
  INSURANCE: 'INSURANCE_CLEAR',
};
/** Profit and fees are no part of `bc`. */
const TRADED: ReadonlySet<string> = new Set(['REALIZED_PNL', 'COMMISSION']);

function modeWord(mode: SimMarginMode): string {
  return mode === 'CROSS' ? 'cross' : 'isolated';
}

function orZero(text: string): string {
  return text === '0.0' ? '0' : text;
}

function positionRow(desk: ShapeDesk, held: PerpPosition): object {
  return {
    s: held.symbol,
    pa: signedSize(desk.format.of(held.symbol), held.quantity),
    ep: orZero(exactPrice(held.entryPrice)),
    bep: orZero(exactPrice(held.breakEvenPrice)),
    cr: money(held.realisedPnl),
    up: money(held.unrealisedPnl),
    mt: modeWord(held.marginMode),
    iw: money(held.isolatedWallet),
    ps: held.side,
  };
}

function emptyRow(symbol: string, side: SimPositionSide, mode: SimMarginMode): object {
  return { s: symbol, pa: '0', ep: '0', bep: '0', cr: '0', up: '0', mt: modeWord(mode), iw: '0', ps: side };
}

/** Rows of one contract: the one position, or in hedge mode all three sides, empty ones too. */
function rowsOf(
  desk: ShapeDesk,
  symbol: string,
  held: readonly PerpPosition[],
  { hedged, marginMode }: ReturnType<RowMode>,
): object[] {
  const sides: readonly SimPositionSide[] = hedged ? ['BOTH', 'LONG', 'SHORT'] : ['BOTH'];
  return sides.map((side) => {
    const own = held.find((position) => position.symbol === symbol && position.side === side);
    return own === undefined ? emptyRow(symbol, side, marginMode) : positionRow(desk, own);
  });
}

/** Contracts whose positions an event tells of: what pays for funding in cross is the wallet alone. */
function symbolsOf(event: PerpAccountEvent): readonly string[] {
  const symbols = (rows: readonly Pick<SimPositionKey, 'symbol'>[]) => rows.map(({ symbol }) => symbol);
  if (event.cause === 'TRANSFER' || event.cause === 'INSURANCE') return [];
  if (event.cause === 'FUNDING') {
    return event.income.flatMap(({ symbol, marginMode }) =>
      symbol === undefined || marginMode !== 'ISOLATED' ? [] : [symbol],
    );
  }
  if (event.setting !== undefined) return [event.setting.symbol];
  return [...symbols(event.positions), ...symbols(event.closed)];
}

function balanceChange(event: PerpAccountEvent): Amount {
  return event.income.reduce((sum, { kind, amount }) => (TRADED.has(kind) ? sum : plus(sum, amount)), ZERO);
}

/** `ACCOUNT_UPDATE`; `undefined` for a change that the venue tells in other words. */
function accountUpdate(
  desk: ShapeDesk,
  event: PerpAccountEvent,
  at: { readonly now: Millis; readonly modeOf: RowMode },
): object | undefined {
  const change = balanceChange(event);
  const transferred = change < 0n ? 'WITHDRAW' : 'DEPOSIT';
  const reason = event.cause === 'TRANSFER' ? transferred : REASONS[event.cause];
  if (reason === undefined) return undefined;
  const { wallet, crossWallet } = event.pool;
  const balance = {
    a: 'USDT',
    wb: money(wallet),
    cw: money(crossWallet),
    bc: change === 0n ? '0' : money(change),
  };
  const rows = [...new Set(symbolsOf(event))].flatMap((symbol) =>
    rowsOf(desk, symbol, event.positions, at.modeOf(symbol)),
  );
  const details = { m: reason, B: event.cause === 'MARGIN_MODE' ? [] : [balance], P: rows };
  return { e: 'ACCOUNT_UPDATE', E: at.now, T: event.time, a: details };
}

/** `MARGIN_CALL`: the positions that put the account in danger. */
function marginCall(desk: ShapeDesk, event: PerpAccountEvent, now: Millis): object {
  return {
    e: 'MARGIN_CALL',
    E: now,
    cw: money(event.pool.crossWallet),
    p: event.positions.map((held) => ({
      s: held.symbol,
      ps: held.side,
      pa: signedSize(desk.format.of(held.symbol), held.quantity),
      mt: held.marginMode === 'CROSS' ? 'CROSSED' : 'ISOLATED',
      iw: money(held.isolatedWallet),
      mp: exactPrice(held.markPrice),
      up: money(held.unrealisedPnl),
      mm: money(held.maintenanceMargin),
    })),
  };
}

/** A change of an account in the venue's words; `undefined` where it says nothing, as when the position mode changes. */
export function accountEvent(
  desk: ShapeDesk,
  event: PerpAccountEvent,
  at: { readonly now: Millis; readonly modeOf: RowMode },
): object | undefined {
  if (event.cause === 'MARGIN_CALL') return marginCall(desk, event, at.now);
  if (event.cause !== 'LEVERAGE') return accountUpdate(desk, event, at);
  const { setting } = event;
  if (setting === undefined) return undefined;
  const ac = { s: setting.symbol, l: setting.leverageLong };
  return { e: 'ACCOUNT_CONFIG_UPDATE', E: at.now, T: event.time, ac };
}
