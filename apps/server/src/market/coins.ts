/** What is fixed about a coin. */
export interface CoinFacts {
  /** Its name in English. */
  readonly name: string;
  /** Decimals that a member may type in an amount of it. */
  readonly decimals: number;
}

/** Decimals of a coin that the table does not know: those of Bitcoin, which venues use for most. */
const DECIMALS = 8;

/** Coins that venues quote against USDT, by ticker. A ticker that is not here stands for itself. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ BTC: 'Bitcoin', ETH: 'Ethereum', SOL: 'Solana', XRP: 'XRP', DOGE: 'Dogecoin', BNB: 'BNB' },
  ...{ ADA: 'Cardano', AVAX: 'Avalanche', LINK: 'Chainlink', TON: 'Toncoin', DOT: 'Polkadot' },
  ...{ TRX: 'TRON', LTC: 'Litecoin', BCH: 'Bitcoin Cash', UNI: 'Uniswap', ATOM: 'Cosmos' },
  ...{ NEAR: 'NEAR Protocol', APT: 'Aptos', ARB: 'Arbitrum', OP: 'Optimism', SUI: 'Sui' },
  ...{ FIL: 'Filecoin', HBAR: 'Hedera', PEPE: 'Pepe', WAVES: 'Waves', SHIB: 'Shiba Inu' },
  ...{ ETC: 'Ethereum Classic', XLM: 'Stellar', ICP: 'Internet Computer', AAVE: 'Aave', MKR: 'Maker' },
  ...{ POL: 'Polygon', MATIC: 'Polygon', ALGO: 'Algorand', VET: 'VeChain', EOS: 'EOS', XTZ: 'Tezos' },
  ...{ SAND: 'The Sandbox', MANA: 'Decentraland', AXS: 'Axie Infinity', GRT: 'The Graph' },
  ...{ INJ: 'Injective', TIA: 'Celestia', SEI: 'Sei', STX: 'Stacks', RUNE: 'THORChain', LDO: 'Lido DAO' },
  ...{ CRV: 'Curve', COMP: 'Compound', SNX: 'Synthetix', ENS: 'Ethereum Name Service', DYDX: 'dYdX' },
  ...{ WLD: 'Worldcoin', WIF: 'dogwifhat', BONK: 'Bonk', FLOKI: 'Floki', ORDI: 'Ordinals', JUP: 'Jupiter' },
  ...{ ENA: 'Ethena', ONDO: 'Ondo', PYTH: 'Pyth Network', FET: 'Artificial Superintelligence Alliance' },
  ...{ RENDER: 'Render', IMX: 'Immutable', THETA: 'Theta Network', FLOW: 'Flow', EGLD: 'MultiversX' },
  ...{ KAVA: 'Kava', ZEC: 'Zcash', DASH: 'Dash', NEO: 'NEO', IOTA: 'IOTA', CHZ: 'Chiliz', GALA: 'Gala' },
  ...{ APE: 'ApeCoin', BLUR: 'Blur', STRK: 'Starknet', ZK: 'ZKsync', HYPE: 'Hyperliquid', OKB: 'OKB' },
  ...{ TRUMP: 'Official Trump', CRO: 'Cronos', MNT: 'Mantle', KAS: 'Kaspa', QNT: 'Quant', LIT: 'Litentry' },
  ...{ USDC: 'USD Coin', DAI: 'Dai', FDUSD: 'First Digital USD', USDT: 'Tether' },
};

/** Dollar coins have the six decimals of their ledgers. */
const DECIMALS_OF: Readonly<Record<string, number>> = { USDT: 6, USDC: 6, FDUSD: 6 };

/** Name and decimals of a coin; one that is not known is called by its ticker. */
export function coinFacts(asset: string): CoinFacts {
  const name = Object.hasOwn(NAMES, asset) ? NAMES[asset] : undefined;
  const decimals = Object.hasOwn(DECIMALS_OF, asset) ? DECIMALS_OF[asset] : undefined;
  return { name: name ?? asset, decimals: decimals ?? DECIMALS };
}
