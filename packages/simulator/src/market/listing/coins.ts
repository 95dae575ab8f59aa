/** What only the simulated crowd knows of a coin: the same at every venue, because prices are keyed by coin. */
export interface Coin {
  readonly coin: string;
  /** Where its seeded price stands on the anchor day, in USDT. */
  readonly price: number;
  /** Volatility per square root of a day (0.03 = 3 %). */
  readonly volatility: number;
  /** Turnover of an ordinary day on the largest spot market, in millions of USDT. */
  readonly turnover: number;
  /** Value of an ordinary trade in USDT. */
  readonly trade: number;
  /** Share of the price's movement that it has in common with all other coins, 0 to 1. */
  readonly common: number;
}

function coin(
  name: string,
  crowd: readonly [price: number, volatility: number, turnover: number, trade: number, common: number],
): Coin {
  const [price, volatility, turnover, trade, common] = crowd;
  return { coin: name, price, volatility, turnover, trade, common };
}

// price, daily volatility, turnover, trade, common share
const COINS: readonly Coin[] = [
  coin('BTC', [69383, 0.025, 1400, 750, 0.93]),
  coin('ETH', [2082, 0.035, 900, 540, 0.9]),
  coin('SOL', [87.4, 0.042, 320, 290, 0.85]),
  coin('XRP', [1.428, 0.04, 260, 250, 0.8]),
  coin('DOGE', [0.0968, 0.045, 110, 180, 0.82]),
  coin('BNB', [641.2, 0.028, 150, 290, 0.82]),
  coin('ADA', [0.2712, 0.043, 60, 130, 0.83]),
  coin('AVAX', [9.14, 0.046, 32, 120, 0.83]),
  coin('LINK', [8.87, 0.044, 40, 120, 0.83]),
  coin('TON', [1.382, 0.04, 14, 90, 0.7]),
  coin('DOT', [1.361, 0.044, 16, 90, 0.82]),
  coin('TRX', [0.2795, 0.02, 60, 180, 0.55]),
  coin('LTC', [54.6, 0.036, 30, 120, 0.8]),
  coin('BCH', [526.3, 0.038, 35, 130, 0.72]),
  coin('UNI', [3.531, 0.05, 18, 100, 0.76]),
  coin('ATOM', [1.985, 0.042, 9, 80, 0.78]),
  coin('NEAR', [1.052, 0.05, 15, 90, 0.79]),
  coin('APT', [1.083, 0.05, 12, 85, 0.78]),
  coin('ARB', [0.1164, 0.048, 11, 85, 0.8]),
  coin('OP', [0.1893, 0.05, 9, 75, 0.8]),
  coin('SUI', [0.9721, 0.052, 55, 130, 0.8]),
  coin('FIL', [0.963, 0.046, 10, 80, 0.77]),
  coin('HBAR', [0.09312, 0.048, 16, 90, 0.78]),
  coin('PEPE', [0.00000372, 0.06, 70, 130, 0.74]),
  coin('WAVES', [0.784, 0.05, 2, 50, 0.6]),
];

const BY_NAME: ReadonlyMap<string, Coin> = new Map(COINS.map((one) => [one.coin, one]));

/** A coin of the table. @throws Error for one that is not in it: listings name only these. */
export function coinOf(name: string): Coin {
  const found = BY_NAME.get(name);
  if (found === undefined) throw new Error(`invariant broken: no coin is named ${name}`);
  return found;
}
