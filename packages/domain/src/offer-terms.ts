import { type Amount, amount } from './amount.ts';

/** Whether a transfer on a network names its receiver besides the address. */
export const MEMO_RULES = ['none', 'optional', 'required'] as const;
/** One of them. */
export type MemoRule = (typeof MEMO_RULES)[number];

/** What is fixed about a network, and what its currencies begin with. */
export interface NetworkFacts {
  readonly name: string;
  /** Blocks on top of a deposit before it counts. */
  readonly confirmations: number;
  readonly memo: MemoRule;
}

/** Networks that this version knows; an address can be checked on no other. */
export const NETWORKS = {
  bitcoin: { name: 'Bitcoin', confirmations: 2, memo: 'none' },
  ethereum: { name: 'Ethereum (ERC20)', confirmations: 12, memo: 'none' },
  tron: { name: 'TRON (TRC20)', confirmations: 20, memo: 'none' },
  solana: { name: 'Solana', confirmations: 40, memo: 'none' },
  'bnb-chain': { name: 'BNB Smart Chain (BEP20)', confirmations: 15, memo: 'none' },
  xrpl: { name: 'XRP Ledger', confirmations: 1, memo: 'required' },
  dogecoin: { name: 'Dogecoin', confirmations: 20, memo: 'none' },
} as const satisfies Readonly<Record<string, NetworkFacts>>;

/** A network by its id. */
export type NetworkId = keyof typeof NETWORKS;

/** All ids, in their order. */
export const NETWORK_IDS = Object.keys(NETWORKS) as readonly NetworkId[];

/** Facts of a network. */
export function networkFacts(network: NetworkId): NetworkFacts {
  return NETWORKS[network];
}

/** A currency on a network, as it is in force. */
export interface NetworkTerms {
  readonly asset: string;
  readonly network: NetworkId;
  readonly deposits: boolean;
  readonly withdrawals: boolean;
  readonly confirmations: number;
  /** Least amount of a withdrawal. */
  readonly minimum: Amount;
  /** What a withdrawal costs, in the asset. */
  readonly fee: Amount;
  readonly memo: MemoRule;
}

/** A currency as it is in force. */
export interface CurrencyTerms {
  /** Lists of currencies have it; balances and orders are what they are. */
  readonly shown: boolean;
  readonly deposits: boolean;
  readonly withdrawals: boolean;
  /** Place in lists, smaller first; those of one place by ticker. */
  readonly position: number;
  /** In English; absent: as the table of coins has it. */
  readonly name?: string;
}

/** A currency of which nothing was set. Nothing can be deposited or withdrawn before two admins say so. */
export const SHIPPED_CURRENCY: CurrencyTerms = {
  ...{ shown: true, deposits: false, withdrawals: false, position: 1_000 },
};

/** A currency on a network of which nothing was set. */
export function shippedNetwork(asset: string, network: NetworkId): NetworkTerms {
  const { confirmations, memo } = NETWORKS[network];
  const [minimum = '0', fee = '0'] = AMOUNTS[`${asset}/${network}`] ?? [];
  return {
    ...{ asset, network, deposits: false, withdrawals: false, confirmations, memo },
    ...{ minimum: amount(minimum), fee: amount(fee) },
  };
}

/** Least withdrawal and its cost, where they are shipped. */
const AMOUNTS: Readonly<Record<string, readonly [minimum: string, fee: string]>> = {
  'BTC/bitcoin': ['0.001', '0.0002'],
  'ETH/ethereum': ['0.01', '0.002'],
  'USDT/ethereum': ['20', '5'],
  'USDT/tron': ['10', '1'],
  'USDT/solana': ['10', '1'],
  'USDT/bnb-chain': ['10', '0.5'],
  'SOL/solana': ['0.1', '0.01'],
  'BNB/bnb-chain': ['0.01', '0.0005'],
  'XRP/xrpl': ['20', '0.2'],
  'DOGE/dogecoin': ['20', '5'],
};

/** Currencies and networks that are shipped together, as `BTC/bitcoin`. */
export const SHIPPED_NETWORKS: readonly string[] = Object.keys(AMOUNTS);

/** What the hub gives for bringing others. */
export interface RewardTerms {
  /** What the first trade of an invitee is worth in USDT, before the rate. */
  readonly firstTrade: Amount;
  /** Share of a self-referral code, in hundredths of a percent. */
  readonly selfRateBps: number;
}

/** As it is shipped. */
export const SHIPPED_REWARDS: RewardTerms = { firstTrade: amount('50'), selfRateBps: 2_000 };
