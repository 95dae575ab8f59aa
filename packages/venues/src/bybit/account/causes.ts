import type { RefusalCause } from '@crossbook/domain';

/** What Bybit's codes and the words of its ended orders say in our names (error and enum pages, 2026-07-24). */
export const CAUSES: ReadonlyMap<string, RefusalCause> = new Map([
  // The last two are reasons why an account cannot carry what it holds in another margin mode.
  ...['110004', '110007', '110012', '110044', '110045', '170131', '170033', '3400071', '140005'].map(
    (code) => [code, 'balance-insufficient'] as const,
  ),
  ...['110003', '170132', '170133', '170193', '170194'].map((code) => [code, 'price-band'] as const),
  ...['110013', '110089', '110090'].map((code) => [code, 'tier-exceeded'] as const),
  ['110017', 'nothing-to-reduce'],
  ...['170218', 'EC_PostOnlyWillTakeLiquidity'].map((code) => [code, 'post-only-crosses'] as const),
  ...['110092', '110093'].map((code) => [code, 'trigger-now'] as const),
  ...['110009', '110061'].map((code) => [code, 'algo-limit'] as const),
  ...['110020', '170810'].map((code) => [code, 'order-limit'] as const),
  ...['110024', '110028', '3400052', '3400053', '3400054'].map((code) => [code, 'mode-blocked'] as const),
  ...['110001', '110008', '110010', '170142', '170143', '170213'].map(
    (code) => [code, 'order-gone'] as const,
  ),
  ['10006', 'rate-limit'],
]);
