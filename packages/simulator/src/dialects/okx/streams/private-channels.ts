import { type Amount, formatAmount, plus } from '@crossbook/domain';
import type { AccountNumber, SimBalance } from '../../../exchange.ts';
import { accountRow, heldBalances } from '../account/balances.ts';
import { balancesOf } from '../account-types.ts';
import type { AccountListener } from '../account-updates.ts';
import { type AlgoKind, kindOfAlgo } from '../algos/algo-ids.ts';
import { type AlgoEvent, algoPush } from '../algos/algo-rows.ts';
import type { Desk } from '../desk.ts';
import { uidOf } from '../ids.ts';
import { type Listed, MARGIN_ASSET } from '../listing.ts';
import { INSTRUMENT_TYPES } from '../market/instruments.ts';
import {
  changedPositions,
  heldBriefly,
  heldPositions,
  type PositionFilter,
  reasonRow,
  warningRows,
} from '../perps/channels.ts';
import { contractOrderPush } from '../perps/order-shapes.ts';
import { algoEventOf, neverWorked } from '../spot/algo-adapter.ts';
import { orderPush } from '../spot/order-shapes.ts';
import { algosOf } from '../trade/adapters.ts';
import { argumentText, type ChannelArgument, pushOf } from './market-channel.ts';

/** Every how long `account` and `positions` tell everything, whether anything happened or not. */
const EVERYTHING_MILLIS = 5_000;
/** Channels about what is not simulated: they can be followed and stay silent. */
const SILENT_PRIVATE = new Set(['account-greeks']);
const SILENT_BUSINESS = new Set(['deposit-info', 'withdrawal-info']);

/** Fills alone, for members of a fee tier that nobody has here ("WS / Fills channel", 2026). */
export const FILLS_CHANNEL = 'fills';

/** One subscription of one connection to updates of its account. */
export interface PrivateChannel extends AccountListener {
  /** What its listener hears at once; `''` for nothing. */
  greeting(): string;
  /** Ends what runs by time. */
  stop(): void;
}

/** What a private channel is made for. */
export interface PrivateParts {
  readonly desk: Desk;
  /** The account that it is about. */
  readonly account: AccountNumber;
  readonly argument: ChannelArgument;
  /** `"0"`: by event only. */
  readonly updateInterval: string | undefined;
  send(frame: string): void;
}

/** Pushes repeat the argument with the account's number. */
function frame({ argument, account }: PrivateParts, push: string): string {
  return `{"arg":${argumentText(argument).slice(0, -1)},"uid":"${uidOf(account)}"},${push}}`;
}

const QUIET: PrivateChannel = {
  onOrder: () => undefined,
  onBalances: () => undefined,
  onContractOrder: () => undefined,
  onConditional: () => undefined,
  onContracts: () => undefined,
  onWarning: () => undefined,
  greeting: () => '',
  stop: () => undefined,
};

/** Which instruments a channel of orders is about. */
function followedBy({ desk, argument }: PrivateParts): ((symbol: string) => Listed | undefined) | undefined {
  const { instType, instId, instFamily } = argument;
  if (![...INSTRUMENT_TYPES, 'ANY'].some((type) => type === instType)) return undefined;
  return (symbol) => {
    const listed = desk.listing.find(symbol);
    const fits =
      (instType === listed?.instType || instType === 'ANY') &&
      (instId === undefined || symbol === instId) &&
      (instFamily === undefined || listed?.index === instFamily);
    return fits ? listed : undefined;
  };
}

function ordersChannel(parts: PrivateParts): PrivateChannel | undefined {
  const { desk } = parts;
  const followed = followedBy(parts);
  if (followed === undefined) return undefined;
  return {
    ...QUIET,
    onOrder: (update) => {
      // What waits for a price is no order before it comes.
      const listed = neverWorked(update.order) ? undefined : followed(update.order.symbol);
      if (listed !== undefined) parts.send(frame(parts, pushOf([orderPush(desk, listed, update)])));
    },
    onContractOrder: (event) => {
      // An order of the venue's own hand is told from its first fill on.
      // What is delivered is no order.
      if (event.order.origin === 'DELISTING') return;
      if (event.cause === 'NEW' && event.order.origin !== 'MEMBER') return;
      const listed = followed(event.order.symbol);
      if (listed !== undefined) parts.send(frame(parts, pushOf([contractOrderPush(desk, listed, event)])));
    },
  };
}

/** Kinds that have a channel of their own (OKX v5 guide, "Advance algo orders channel", 2026-07). */
const ADVANCED: ReadonlySet<AlgoKind> = new Set(['iceberg', 'move_order_stop']);

/** @param advanced icebergs and trailing orders (`algo-advance`), or all that wait for a price. */
function algoChannel(parts: PrivateParts, advanced: boolean): PrivateChannel | undefined {
  const followed = followedBy(parts);
  if (followed === undefined) return undefined;
  const tell = (event: AlgoEvent) => {
    if (ADVANCED.has(kindOfAlgo(event.order)) !== advanced) return;
    const listed = followed(event.order.sends.symbol);
    const row = listed && algoPush(parts.desk, algosOf(listed), event);
    if (row !== undefined) parts.send(frame(parts, pushOf([row])));
  };
  return {
    ...QUIET,
    onOrder: (update) => {
      const event = algoEventOf(parts.desk, update);
      if (event !== undefined) tell(event);
    },
    onConditional: tell,
  };
}

/** Tells everything again and again, unless only events are wanted. @returns ends it. */
function repeated(parts: PrivateParts, snapshot: () => string): () => void {
  const timer =
    parts.updateInterval === '0' ? undefined : setInterval(() => parts.send(snapshot()), EVERYTHING_MILLIS);
  timer?.unref();
  return () => clearInterval(timer);
}

function filterOf({ instType, instFamily, instId }: ChannelArgument): PositionFilter | undefined {
  if (![...INSTRUMENT_TYPES, 'ANY'].some((type) => type === instType)) return undefined;
  return { instType, instFamily, instId };
}

/** All that is held at first, then what changed; a position that was closed once more, with size 0. */
function positionsChannel(parts: PrivateParts): PrivateChannel | undefined {
  const { desk, account } = parts;
  const filter = filterOf(parts.argument);
  if (filter === undefined) return undefined;
  const snapshot = () => frame(parts, pushOf(heldPositions(desk, filter, account)));
  return {
    ...QUIET,
    onContracts: (changes) => {
      const rows = changedPositions(desk, filter, changes);
      if (rows.length > 0) parts.send(frame(parts, pushOf(rows)));
    },
    greeting: snapshot,
    stop: repeated(parts, snapshot),
  };
}

function warningChannel(parts: PrivateParts): PrivateChannel | undefined {
  const filter = filterOf(parts.argument);
  if (filter === undefined) return undefined;
  return {
    ...QUIET,
    onWarning: (event) => {
      const rows = warningRows(parts.desk, filter, event);
      if (rows.length > 0) parts.send(frame(parts, pushOf(rows)));
    },
  };
}

function accountChannel(parts: PrivateParts): PrivateChannel {
  const { desk, account, argument } = parts;
  const wanted = (balances: readonly SimBalance[]) =>
    argument.ccy === undefined ? balances : balances.filter(({ asset }) => asset === argument.ccy);
  const tell = (balances: readonly SimBalance[]) =>
    frame(parts, pushOf([accountRow(desk, account, wanted(balances))]));
  const snapshot = () => tell(heldBalances(desk, account));
  const onBalances = (balances: readonly SimBalance[]) => {
    if (wanted(balances).length > 0) parts.send(tell(balances));
  };
  return {
    ...QUIET,
    onBalances,
    onContracts: () =>
      onBalances(balancesOf(desk, account, '18').filter(({ asset }) => asset === MARGIN_ASSET)),
    greeting: snapshot,
    stop: repeated(parts, snapshot),
  };
}

function balanceAndPosition(parts: PrivateParts): PrivateChannel {
  const { desk, account } = parts;
  // What isolated positions have set aside is no cash.
  const cashOf = (asset: string, total: Amount): Amount =>
    asset === MARGIN_ASSET ? desk.venue.perps.pool(account).crossWallet : total;
  const tell = (eventType: string, balances: readonly SimBalance[], posData: readonly object[] = []) => {
    const now = String(desk.now());
    const row = {
      pTime: now,
      eventType,
      balData: balances.map(({ asset, free, locked }) => ({
        ccy: asset,
        cashBal: formatAmount(cashOf(asset, plus(free, locked))),
        uTime: now,
      })),
      posData,
      trades: [],
    };
    return frame(parts, pushOf([row]));
  };
  // Of cash alone ("Balance and position channel": pushed by "filled order, funding transfer", 2025-11): what an order sets
  // aside is told by `account`.
  const reported = new Map(
    heldBalances(desk, account).map(({ asset, free, locked }) => [asset, plus(free, locked)]),
  );
  const moved = ({ asset, free, locked }: SimBalance): boolean => {
    const total = plus(free, locked);
    const before = reported.get(asset) ?? 0n;
    reported.set(asset, total);
    return total !== before;
  };
  return {
    ...QUIET,
    onBalances: (balances, transferred) => {
      const changed = balances.filter(moved);
      if (changed.length > 0) parts.send(tell(transferred ? 'transferred' : 'filled', changed));
    },
    onContracts: (changes) => {
      for (const change of changes) {
        const row = reasonRow(desk, change);
        if (row !== undefined) parts.send(frame(parts, pushOf([row])));
      }
    },
    greeting: () => tell('snapshot', heldBalances(desk, account), heldBriefly(desk, account)),
  };
}

/** A channel of `/private`; `undefined` when there is none like it. */
export function privateChannel(parts: PrivateParts): PrivateChannel | undefined {
  const { channel } = parts.argument;
  if (channel === 'orders') return ordersChannel(parts);
  if (channel === 'account') return accountChannel(parts);
  if (channel === 'positions') return positionsChannel(parts);
  if (channel === 'liquidation-warning') return warningChannel(parts);
  if (channel === 'balance_and_position') return balanceAndPosition(parts);
  return SILENT_PRIVATE.has(channel) ? QUIET : undefined;
}

/** A channel of `/business` that needs a log-on. */
export function privateBusinessChannel(parts: PrivateParts): PrivateChannel | undefined {
  const { argument } = parts;
  if (argument.channel === 'orders-algo') return algoChannel(parts, false);
  if (argument.channel === 'algo-advance') return algoChannel(parts, true);
  return SILENT_BUSINESS.has(argument.channel) ? QUIET : undefined;
}

/** Whether a channel needs a log-on, wherever it is asked for. */
export function needsLogin(channel: string): boolean {
  const known = [
    FILLS_CHANNEL,
    'orders',
    'orders-algo',
    'algo-advance',
    'account',
    'positions',
    'liquidation-warning',
    'balance_and_position',
  ];
  return known.includes(channel) || SILENT_PRIVATE.has(channel) || SILENT_BUSINESS.has(channel);
}
