import type { StreamChannel } from '../../../wire/channel-hub.ts';
import { klineChannel } from '../../streams/market-streams.ts';
import type { FuturesDesk } from '../desk.ts';
import { allBookTickersChannel, bookTickerChannel, depthChannel } from './book-channels.ts';
import { FUTURES_INTERVALS } from './klines.ts';
import { liquidationChannel } from './liquidation-channels.ts';
import { allStatsChannel, contractStatsChannel } from './stats-channels.ts';
import { joinedChannel, tradeChannel } from './trade-channels.ts';

/** The venue tells of a running bar four times a second. */
const KLINE_EVERY_MILLIS = 250;

/**
 * The channel of a stream's name; `undefined` when there is no such stream. Names are those of the wire:
 * the symbol in small letters, then the kind.
 */
export function makeFuturesChannel(desk: FuturesDesk, name: string): StreamChannel | undefined {
  if (name === '!bookTicker') return allBookTickersChannel(desk);
  if (name === '!forceOrder@arr') return liquidationChannel(desk);
  if (name.startsWith('!')) return allStatsChannel(desk, name);
  const cut = name.indexOf('@');
  if (cut <= 0) return undefined;
  const lower = name.slice(0, cut);
  const contract = desk.perps.contracts.get(lower.toUpperCase());
  if (contract === undefined || lower !== lower.toLowerCase()) return undefined;
  const { symbol } = contract;
  const kind = name.slice(cut + 1);
  if (kind === 'trade') return tradeChannel(desk, symbol);
  if (kind === 'aggTrade') return joinedChannel(desk, symbol);
  if (kind === 'bookTicker') return bookTickerChannel(desk, symbol);
  if (kind === 'forceOrder') return liquidationChannel(desk, symbol);
  const interval = FUTURES_INTERVALS.find((candidate) => kind === `kline_${candidate}`);
  if (interval !== undefined)
    return klineChannel(desk.perps, desk.format.of(symbol), {
      symbol,
      interval,
      everyMillis: KLINE_EVERY_MILLIS,
    });
  return depthChannel(desk, symbol, kind) ?? contractStatsChannel(desk, contract, kind);
}
