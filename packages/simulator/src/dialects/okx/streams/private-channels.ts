import { formatAmount, plus } from '@crossbook/domain';
import type { AccountNumber, SimBalance } from '../../../exchange.ts';
import type { OrderUpdate } from '../../wire/order-update.ts';
import { accountRow, heldBalances } from '../account/balances.ts';
import type { AccountListener } from '../account-updates.ts';
import type { Desk } from '../desk.ts';
import { uidOf } from '../ids.ts';
import { INSTRUMENT_TYPES } from '../market/instruments.ts';
import { orderPush } from '../spot/order-shapes.ts';
import { argumentText, type ChannelArgument, pushOf } from './market-channel.ts';

/** Every how long the `account` channel tells the whole account, whether anything happened or not. */
const ACCOUNT_MILLIS = 5_000;
/** Channels about what is not simulated: they can be followed and stay silent. */
const SILENT_PRIVATE = new Set(['positions', 'liquidation-warning', 'account-greeks']);
const SILENT_BUSINESS = new Set(['orders-algo', 'algo-advance', 'deposit-info', 'withdrawal-info']);

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
  greeting: () => '',
  stop: () => undefined,
};

function ordersChannel(parts: PrivateParts): PrivateChannel | undefined {
  const { desk, argument } = parts;
  const { instType, instId, instFamily } = argument;
  if (![...INSTRUMENT_TYPES, 'ANY'].some((type) => type === instType)) return undefined;
  const fits = ({ order }: OrderUpdate): boolean =>
    (instType === 'SPOT' || instType === 'ANY') &&
    (instId === undefined || order.symbol === instId) &&
    (instFamily === undefined || order.symbol === instFamily);
  return {
    ...QUIET,
    onOrder: (update) => {
      const listed = desk.listing.find(update.order.symbol);
      if (listed === undefined || !fits(update)) return;
      parts.send(frame(parts, pushOf([orderPush(desk, listed, update)])));
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
  const timer =
    parts.updateInterval === '0' ? undefined : setInterval(() => parts.send(snapshot()), ACCOUNT_MILLIS);
  timer?.unref();
  return {
    ...QUIET,
    onBalances: (balances) => {
      if (wanted(balances).length > 0) parts.send(tell(balances));
    },
    greeting: snapshot,
    stop: () => clearInterval(timer),
  };
}

function balanceAndPosition(parts: PrivateParts): PrivateChannel {
  const { desk, account } = parts;
  const tell = (eventType: string, balances: readonly SimBalance[]) => {
    const now = String(desk.now());
    const row = {
      pTime: now,
      eventType,
      balData: balances.map(({ asset, free, locked }) => ({
        ccy: asset,
        cashBal: formatAmount(plus(free, locked)),
        uTime: now,
      })),
      posData: [],
      trades: [],
    };
    return frame(parts, pushOf([row]));
  };
  return {
    ...QUIET,
    onBalances: (balances, transferred) => parts.send(tell(transferred ? 'transferred' : 'filled', balances)),
    greeting: () => tell('snapshot', heldBalances(desk, account)),
  };
}

/** A channel of `/private`; `undefined` when there is none like it. */
export function privateChannel(parts: PrivateParts): PrivateChannel | undefined {
  const { channel } = parts.argument;
  if (channel === 'orders') return ordersChannel(parts);
  if (channel === 'account') return accountChannel(parts);
  if (channel === 'balance_and_position') return balanceAndPosition(parts);
  return SILENT_PRIVATE.has(channel) ? QUIET : undefined;
}

/** A channel of `/business` that needs a log-on. */
export function privateBusinessChannel({ argument }: PrivateParts): PrivateChannel | undefined {
  return SILENT_BUSINESS.has(argument.channel) ? QUIET : undefined;
}

/** Whether a channel needs a log-on, wherever it is asked for. */
export function needsLogin(channel: string): boolean {
  const known = ['orders', 'account', 'balance_and_position'];
  return known.includes(channel) || SILENT_PRIVATE.has(channel) || SILENT_BUSINESS.has(channel);
}
