import type { Amount } from '@crossbook/domain';
import { entryAmount } from '../../calculators/number-entry.ts';

/** What is wrong with the amount of a transfer; `undefined` when it can be sent. */
export type TransferProblem = 'transfer.amountInvalid' | 'transfer.amountTooMuch';

/** Checks an amount against what is available in the wallet it leaves. */
export function transferProblem(text: string, available: Amount): TransferProblem | undefined {
  const amount = entryAmount(text);
  if (amount === undefined || amount <= 0n) return 'transfer.amountInvalid';
  return amount > available ? 'transfer.amountTooMuch' : undefined;
}
