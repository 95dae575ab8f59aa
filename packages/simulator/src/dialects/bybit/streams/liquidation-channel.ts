import type { PerpLiquidation } from '../../../perp-exchange.ts';
import type { OpenedChannel } from '../../wire/channel-hub.ts';
import type { Desk } from '../endpoint.ts';
import { cutAmount } from '../format.ts';

const EVERY_MILLIS = 500;
/** Liquidations that wait for the next message; of more the oldest are left out. */
const WAITING_MAX = 1_000;

/** `allLiquidation`: those of one contract. The side is that of the position that was lost, the price its bankruptcy. */
export function liquidationChannel(desk: Desk, name: string, symbol: string): OpenedChannel {
  const format = desk.format.linear.of(symbol);
  const waiting: PerpLiquidation[] = [];
  const unwatch = desk.venue.perps.subscribePerps({
    onLiquidation(liquidation) {
      if (liquidation.symbol !== symbol) return;
      waiting.push(liquidation);
      if (waiting.length > WAITING_MAX) waiting.shift();
    },
  });
  const channel = {
    symbol: undefined,
    everyMillis: EVERY_MILLIS,
    flush: (now: number) => {
      const data = waiting.splice(0).map(({ side, quantity, price, time }) => ({
        T: time,
        s: symbol,
        S: side === 'SELL' ? 'Buy' : 'Sell',
        v: format.size(quantity),
        p: cutAmount(price),
      }));
      return data.length === 0 ? [] : [JSON.stringify({ topic: name, type: 'snapshot', ts: now, data })];
    },
  };
  return { channel, unwatch };
}
