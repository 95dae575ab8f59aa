import type { CallResponse } from '@crossbook/contract';
import { createStore } from 'zustand/vanilla';

/** A text that the member has still to agree to. */
export type DueText = CallResponse<'x/terms/Due'>['due'][number];

/** What is still to be agreed to, and whether it lies open before the member. */
export interface TermsSheet {
  readonly due: readonly DueText[];
  readonly open: boolean;
  /** How often something was refused for it: each time the page asks anew what is due. */
  readonly refusals: number;
}

/** A call that opens something, by who has not agreed. */
const TERMS_NEW = 2032;

/** Of this page. */
export const termsSheet = createStore<TermsSheet>(() => ({ due: [], open: false, refusals: 0 }));

/** A call was refused with this code of the catalogue. */
export function heedRefusal(code: number): void {
  if (code === TERMS_NEW) termsSheet.setState(({ refusals }) => ({ refusals: refusals + 1 }));
}

/** The member comes back to it later; what closes, cancels and reads goes on. */
export function postponeTerms(): void {
  termsSheet.setState({ open: false });
}

/** He reads it now. */
export function openTerms(): void {
  termsSheet.setState({ open: true });
}
