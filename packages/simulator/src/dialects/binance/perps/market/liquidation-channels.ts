import type { StreamChannel } from '../../../wire/channel-hub.ts';
import type { FuturesDesk } from '../desk.ts';
import { exactPrice } from '../format.ts';

const EVERY_MILLIS = 1000;

/** `forceOrder`: the newest liquidation of each second, of one contract or of each. */
export function liquidationChannel(
  desk: Pick<FuturesDesk, 'format' | 'liquidations'>,
  symbol?: string,
): StreamChannel {
  let heard = desk.liquidations.sequence;
  return {
    symbol: undefined,
    everyMillis: EVERY_MILLIS,
    flush: (now) => {
      const fresh = desk.liquidations.after(heard, symbol);
      heard = desk.liquidations.sequence;
      return fresh.map((liquidation) => {
        const size = desk.format.of(liquidation.symbol).size(liquidation.quantity);
        const o = {
          s: liquidation.symbol,
          S: liquidation.side,
          o: 'LIMIT',
          f: 'IOC',
          q: size,
          p: exactPrice(liquidation.price),
          ap: exactPrice(liquidation.averagePrice),
          X: 'FILLED',
          l: size,
          z: size,
          T: liquidation.time,
        };
        return JSON.stringify({ e: 'forceOrder', E: now, o });
      });
    },
  };
}
