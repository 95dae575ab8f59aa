import { type Amount, formatAmount } from '@crossbook/domain';
import { money } from '../order-columns.ts';

/** Values of plans and legs that are amounts: text in JSON. */
const AMOUNTS: ReadonlySet<string> = new Set([
  'price',
  'limit',
  'ratio',
  'distance',
  'activation',
  'visible',
  'quantity',
  'holdAmount',
]);

/** A plan, a leg or several as a column has them. */
export function textsOf(value: object): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? formatAmount(part as Amount) : part)),
  );
}

/** The same as it was stored. */
export function amountsOf<Value>(stored: unknown): Value {
  if (typeof stored !== 'object' || stored === null) return stored as Value;
  if (Array.isArray(stored)) return stored.map((one) => amountsOf(one)) as Value;
  return Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [
      name,
      AMOUNTS.has(name) && typeof value === 'string' ? money(value) : amountsOf(value),
    ]),
  ) as unknown as Value;
}
