import type { SimOrderId } from '../../exchange.ts';

/**
 * Numbers that stand for symbols, so that ids which the core counts market by market are one of a kind at the venue, as
 * Bybit's are. A symbol's number follows from its name (and, where two names meet, from the order of listing).
 */
export class SymbolNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #symbols = new Map<number, string>();

  constructor(symbols: Iterable<string>) {
    for (const symbol of symbols) {
      let number = nameHash(symbol);
      while (this.#symbols.has(number)) number = (number + 1) % NUMBERS;
      this.#numbers.set(symbol, number);
      this.#symbols.set(number, symbol);
    }
  }

  /** 0 to 9,999. @throws Error for a symbol that is not listed: callers have checked it. */
  of(symbol: string): number {
    const number = this.#numbers.get(symbol);
    if (number === undefined) throw new Error(`invariant broken: ${symbol} is listed`);
    return number;
  }

  symbol(number: number): string | undefined {
    return this.#symbols.get(number);
  }

  /** The id of an order as clients see it: digits. */
  orderId(symbol: string, orderId: SimOrderId): string {
    return String(BigInt(orderId) * BigInt(NUMBERS) + BigInt(this.of(symbol)));
  }

  /** The order and market behind a text that a client sent; `undefined` for one that no order can have. */
  parseOrderId(text: string): { readonly symbol: string; readonly orderId: SimOrderId } | undefined {
    if (!/^[1-9][0-9]{0,20}$/.test(text)) return undefined;
    const value = BigInt(text);
    const symbol = this.#symbols.get(Number(value % BigInt(NUMBERS)));
    const orderId = Number(value / BigInt(NUMBERS));
    if (symbol === undefined || !Number.isSafeInteger(orderId)) return undefined;
    return { symbol, orderId: orderId as SimOrderId };
  }

  /**
   * The id of a spot trade. Both sides of a trade have their own, so that one account that traded with itself tells
   * its two executions apart; the public tape shows the taker's.
   */
  executionId(symbol: string, tradeId: number, maker: boolean): string {
    return String(BigInt(tradeId) * BigInt(NUMBERS * 10) + BigInt(this.of(symbol) * 10 + (maker ? 1 : 0)));
  }

  /** The id of an execution of a perpetual, in the form of a UUID. The public tape shows the taker's. */
  tradeUuid(symbol: string, tradeId: number, side: keyof typeof UUID_KINDS = 'taker'): string {
    const market = this.of(symbol).toString(16).padStart(8, '0');
    const trade = tradeId.toString(16).padStart(16, '0').slice(-16);
    const kind = UUID_KINDS[side];
    return `${market}-${trade.slice(0, 4)}-5${trade.slice(4, 7)}-${kind}${trade.slice(7, 10)}-${trade.slice(4)}`;
  }
}

/** The sides of a trade, and funding, which is an execution without one. */
const UUID_KINDS = { taker: '8', maker: '9', funding: 'a' } as const;
const NUMBERS = 10_000;

/** FNV-1a, folded. */
function nameHash(name: string): number {
  let hash = 0x811c9dc5;
  for (const unit of name) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0) % NUMBERS;
}
