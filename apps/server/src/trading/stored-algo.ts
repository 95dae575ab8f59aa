import { type Instrument, ZERO } from '@crossbook/domain';
import type { AccountRef } from '@crossbook/ledger';
import { algoHoldId, type StoredAlgo } from './algo.ts';

/** What names an instrument in a row: an order has it too. */
type Named = Pick<Instrument, 'platform' | 'symbolType' | 'symbol' | 'base' | 'quote'>;

/** What an algo order asks for. */
type AlgoAsked = Pick<StoredAlgo, 'side' | 'plan' | 'quantity' | 'contract' | 'timeInForce'>;

/** An algo order before its checks. */
export type AlgoDraft = AlgoAsked & {
  readonly instrument: Instrument;
  /** Of contracts: it can only make a position smaller. */
  readonly closes: boolean;
};

/** The part of a draft that its row is made of besides. */
export interface AlgoMaking {
  readonly id: StoredAlgo['id'];
  readonly user: StoredAlgo['user'];
  readonly parent?: StoredAlgo['id'];
  readonly payloadHash: string;
  readonly hold: { readonly asset: string; readonly amount: StoredAlgo['holdAmount'] };
  readonly createdAt: StoredAlgo['createdAt'];
}

/** A new row. */
export function storedAlgo(
  { instrument, side, plan, quantity, contract, timeInForce }: AlgoAsked & { readonly instrument: Named },
  { hold, ...making }: AlgoMaking,
): StoredAlgo {
  const { platform, symbolType, symbol, base, quote } = instrument;
  const { id, createdAt } = making;
  return {
    ...{ side, plan, timeInForce },
    ...(quantity === undefined ? {} : { quantity }),
    ...(contract === undefined ? {} : { contract }),
    ...making,
    ...{ platform, symbolType, symbol, base, quote, attempt: 0, executed: ZERO },
    ...{ holdId: algoHoldId({ id, attempt: 0 }), holdAsset: hold.asset, holdAmount: hold.amount },
    ...{ state: 'placing', unknown: false, cancelPending: false, lookups: 0, updatedAt: createdAt },
  };
}

/** What a row's placement holds; contracts nothing. */
export function holdOf({ holdId: id, holdAsset: asset, holdAmount: amount, user, platform }: StoredAlgo) {
  const account: AccountRef = { class: 'TRADING', user, platform, asset };
  return amount === 0n ? [] : [{ do: 'hold', id, account, amount, kind: 'order-hold' } as const];
}
