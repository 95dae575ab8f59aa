import { addTrade, type Bar, flatBar, MINUTE_SECONDS } from './bars.ts';
import type { MinuteTrades } from './trade-log.ts';

/**
 * The sixty one-second bars of a minute, folded from its trades. Seconds without a trade are flat at the price before
 * them.
 * @param before the last price before the minute.
 */
export function secondBars(minute: Bar, trades: MinuteTrades, before: number): Bar[] {
  const seconds: Bar[] = [];
  let price = before;
  let at = 0;
  for (let second = 0; second < MINUTE_SECONDS; second += 1) {
    const bar = flatBar(minute.time + second * 1_000, price);
    for (; at < trades.count && (trades.times[at] as number) < bar.time + 1_000; at += 1) {
      addTrade(bar, {
        price: trades.prices[at] as number,
        lots: trades.lots[at] as number,
        buyerIsMaker: trades.sells[at] === 1,
      });
    }
    price = bar.close;
    seconds.push(bar);
  }
  giveCrumbs(seconds, minute);
  return seconds;
}

/** What trades in whole steps could not give of a minute's value (see `minuteTrades`) goes to its busiest second. */
function giveCrumbs(seconds: readonly Bar[], minute: Bar): void {
  let busiest = seconds[0] as Bar;
  let { quote, takerQuote } = minute;
  for (const bar of seconds) {
    if (bar.lots > busiest.lots) busiest = bar;
    quote -= bar.quote;
    takerQuote -= bar.takerQuote;
  }
  busiest.quote += quote;
  busiest.takerQuote += takerQuote;
}
