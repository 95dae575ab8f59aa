import type { AdminMemberRow } from '@crossbook/contract';
import { groupDigits } from '../../i18n/format.ts';

/** What a member holds, as staff reads it: what has no price is left out, and that is said. */
export function equityText({ equity, equityWhole }: Pick<AdminMemberRow, 'equity' | 'equityWhole'>): string {
  return `${equityWhole ? '' : '≥ '}${groupDigits(equity)}`;
}
