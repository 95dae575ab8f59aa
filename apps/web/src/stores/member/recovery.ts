import { createStore } from 'zustand/vanilla';

/** What a proved mailbox is used for: a new password, or opening a frozen account, which takes a new one too. */
export type RecoveryPurpose = 'recover' | 'unfreeze';

/** A mailbox that was proved at /forgotPassword_A, for /forgotPassword_B. */
export interface Recovery {
  readonly purpose: RecoveryPurpose;
  readonly account: string;
  /** Answer of user/checkcode; good for as long as the code. */
  readonly flow: string;
}

/** The recovery of this page; gone with it, because the code can be asked for again. */
export const recoveryStore = createStore<{ readonly proved: Recovery | undefined }>(() => ({
  proved: undefined,
}));

/** Keeps a proof for the next page; `undefined` when it is used up. */
export function keepRecovery(proved: Recovery | undefined): void {
  recoveryStore.setState({ proved });
}
