import type { Platform, UserId } from '@crossbook/domain';

/**
 * Where money can stand (product.md section 5). Only EXTERNAL may be negative: it mirrors what lies outside, so the
 * whole ledger sums to zero (invariants I1, I8). The set is closed: a new class is a new line here and in the SQL.
 */
export type AccountRef =
  | { readonly class: 'FUNDING'; readonly user: UserId; readonly asset: string }
  | { readonly class: 'TRADING'; readonly user: UserId; readonly platform: Platform; readonly asset: string }
  | { readonly class: 'IN_TRANSIT'; readonly platform: Platform; readonly asset: string }
  | {
      readonly class: 'HOUSE_FEE' | 'HOUSE_PROMO' | 'HOUSE_FX' | 'ROUNDING' | 'SUSPENSE';
      readonly asset: string;
    }
  | {
      readonly class: 'EXTERNAL';
      readonly counterparty: `venue:${Platform}` | `debt:${Platform}` | 'chain';
      readonly asset: string;
    };
