import type { PerpAccountEvent, PerpFill, PerpIncome } from '../perp-exchange.ts';

/** One contract of the naive witness. */
export interface NaiveContract {
  readonly symbol: string;
  /** Coins of one lot, in 1e-18. */
  readonly lotCoins: bigint;
}

/** An account's money in one contract: what was paid and got for coins, and the coins. Scale 1e-36 and 1e-18. */
interface NaiveBook {
  cash: bigint;
  coins: bigint;
}

const ONE = 10n ** 18n;

/**
 * The second witness of positions and money: every fill is coins for cash, nothing is averaged, no profit is realised.
 * What an account is worth at a mark must be what the exchange says of wallet and unrealised profit together, to the
 * rounding of each entry. It shares no code with the exchange.
 */
export class NaiveAccounts {
  readonly #lotCoins: ReadonlyMap<string, bigint>;
  readonly #books = new Map<string, NaiveBook>();
  /** In 1e-18: what came in from outside, fees, funding, and what the insurance fund gave or took. */
  readonly #other = new Map<number, bigint>();
  readonly #entries = new Map<number, bigint>();

  constructor(contracts: readonly NaiveContract[]) {
    this.#lotCoins = new Map(contracts.map(({ symbol, lotCoins }) => [symbol, lotCoins]));
  }

  bring(account: number, amount: bigint): void {
    this.#other.set(account, (this.#other.get(account) ?? 0n) + amount);
  }

  fill(fill: PerpFill): void {
    const coins = (this.#lotCoins.get(fill.symbol) ?? 0n) * BigInt(fill.quantity);
    const book = this.#book(fill.account, bookName(fill));
    book.coins += fill.side === 'BUY' ? coins : -coins;
    book.cash += (fill.side === 'BUY' ? -coins : coins) * fill.exactPrice;
    this.bring(fill.account, -fill.fee);
    this.#count(fill.account);
  }

  /** What an account has goes into another margin mode as it is. */
  moved({ account, positions }: Pick<PerpAccountEvent, 'account' | 'positions'>): void {
    const marginMode = positions[0]?.marginMode;
    if (marginMode === undefined) return;
    for (const [name, book] of [...this.#books]) {
      const [own = '', symbol = '', side = ''] = name.split(' ');
      if (Number(own) !== account || book.coins === 0n) continue;
      this.#books.delete(name);
      const into = this.#book(account, `${symbol} ${side} ${marginMode}`);
      into.cash += book.cash;
      into.coins += book.coins;
    }
  }

  /** Funding that is due, from the naive position alone. @param name symbol, side and margin mode. @param rate in 1e-18. */
  fundingOf(account: number, name: string, at: { readonly mark: bigint; readonly rate: bigint }): bigint {
    const { coins } = this.#book(account, name);
    return (-coins * at.mark * at.rate) / ONE / ONE;
  }

  /** What only the exchange decides: fees of liquidation and what the insurance fund pays. */
  decided({ account, kind, amount }: PerpIncome): void {
    if (kind === 'LIQUIDATION_FEE' || kind === 'INSURANCE') this.bring(account, amount);
  }

  /** Lots by symbol, side and margin mode that are not flat. */
  lots(account: number): Map<string, number> {
    const held = new Map<string, number>();
    for (const [name, { coins }] of this.#books) {
      const [own = '', symbol = '', side = '', marginMode = ''] = name.split(' ');
      if (Number(own) !== account || coins === 0n) continue;
      const lots = Number(coins / (this.#lotCoins.get(symbol) ?? 1n));
      held.set(`${symbol} ${side} ${marginMode}`, lots);
    }
    return held;
  }

  /** Worth of an account in 1e-18, all positions sold at the marks. */
  worth(account: number, mark: (symbol: string) => bigint): bigint {
    let worth = (this.#other.get(account) ?? 0n) * ONE;
    for (const [name, { cash, coins }] of this.#books) {
      const [own = '', symbol = ''] = name.split(' ');
      if (Number(own) === account) worth += cash + coins * mark(symbol);
    }
    return worth / ONE;
  }

  /** How far apart two roundings may be: 1e-8 for every entry. */
  tolerance(account: number): bigint {
    return ((this.#entries.get(account) ?? 0n) + 10n) * 10n ** 10n;
  }

  #count(account: number): void {
    this.#entries.set(account, (this.#entries.get(account) ?? 0n) + 2n);
  }

  #book(account: number, name: string): NaiveBook {
    const key = `${account} ${name}`;
    const book = this.#books.get(key) ?? { cash: 0n, coins: 0n };
    this.#books.set(key, book);
    return book;
  }
}

function bookName({ symbol, positionSide, marginMode }: PerpFill): string {
  return `${symbol} ${positionSide} ${marginMode}`;
}
