import type { RefusalCause } from '@crossbook/domain';

/** What OKX's codes say in our names (OKX v5 guide, "Error Code", 2026). */
export const CAUSES: ReadonlyMap<string, RefusalCause> = new Map([
  ...['51008', '51119', '51127', '51131', '51502'].map((code) => [code, 'balance-insufficient'] as const),
  ...['51006', '51116', '51137', '51138'].map((code) => [code, 'price-band'] as const),
  ...['51004', '59102', '59106'].map((code) => [code, 'tier-exceeded'] as const),
  ['51169', 'nothing-to-reduce'],
  ...['51112', '51115'].map((code) => [code, 'close-too-large'] as const),
  ...['51277', '51278', '51279', '51280'].map((code) => [code, 'trigger-now'] as const),
  ['51174', 'order-limit'],
  ['59000', 'mode-blocked'],
  ...['51400', '51401', '51402', '51410'].map((code) => [code, 'order-gone'] as const),
  ...['50011', '50061'].map((code) => [code, 'rate-limit'] as const),
]);
