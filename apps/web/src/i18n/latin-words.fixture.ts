/** Words with small latin letters that stand in Japanese and Korean as they are: names, keys, units and terms of the trade. */
const LATIN_WORDS: ReadonlySet<string> = new Set([
  ...['Crossbook', 'Binance', 'Bybit', 'Google', 'Authenticator', 'WebP', 'Lines', 'localhost'],
  ...['Chrome', 'Linux', 'node'],
  ...['Aptos', 'Arbitrum', 'Avalanche', 'Bitcoin', 'Cardano', 'Chainlink', 'Cosmos', 'Dogecoin', 'Ethereum'],
  ...['Filecoin', 'Hedera', 'Litecoin', 'Optimism', 'Pepe', 'Polkadot', 'Solana', 'Sui', 'Tether', 'Toncoin'],
  ...['Uniswap', 'Waves'],
  ...['Alt', 'Ctrl', 'Shift', 'bp', 'ms', 'Post-only', 'break-glass'],
]);

/** Names of two words, of which the second is a word by itself. */
const NAME_OF_TWO = /Bitcoin Cash|NEAR Protocol|BNB Smart Chain|XRP Ledger|Apache License/g;
/** Commands of the operator's are typed as they stand. */
const COMMAND = /npm run [a-z-]+(?: -- [a-z-]+| [a-z-]+)*/g;
/** Nicknames that the hub gives, addresses, places and ids are nobody's words; what has no small letter is a ticker or an abbreviation. */
const NO_WORD = /\b(?:Trader|Demo)-[A-Z]+|\S*[@/*_\d#]\S*/g;

/** English words of a text in another language. */
export function englishIn(text: string): readonly string[] {
  return [
    ...text
      .replaceAll(NAME_OF_TWO, ' ')
      .replaceAll(COMMAND, ' ')
      .replaceAll(NO_WORD, ' ')
      .matchAll(/[A-Za-z][A-Za-z’'-]+/g),
  ]
    .map(([word]) => word)
    .filter((word) => /[a-z]/.test(word) && !LATIN_WORDS.has(word));
}
