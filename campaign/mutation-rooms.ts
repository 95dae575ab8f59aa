/** Sources that are mutated together, and the tests that must notice. */
export interface MutatedRoom {
  readonly name: string;
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  /** Tests that take seconds for each mutant and find nothing that those beside them do not. */
  readonly without?: readonly string[];
  /** Set where tests ask for a real database. */
  readonly database?: true;
}

function room(name: string, folder: string, apart: readonly string[] = []): MutatedRoom {
  const beside = apart.map((sub) => `!${folder}/${sub}/**`);
  return {
    name,
    sources: [`${folder}/**/*.ts`, `!${folder}/**/*.{test,fixture}.ts`, `!${folder}/**/index.ts`, ...beside],
    tests: [`${folder}/**/*.test.ts`],
  };
}

/** Where a wrong sign costs money. */
export const MUTATED_ROOMS: readonly MutatedRoom[] = [
  room('domain', 'packages/domain/src', ['order-rules', 'contract-rules']),
  room('order-rules', 'packages/domain/src/order-rules'),
  room('contract-rules', 'packages/domain/src/contract-rules'),
  room('ledger', 'packages/ledger/src'),
  {
    ...room('intents', 'apps/server/src/intents'),
    without: ['apps/server/src/intents/machine.fuzz.test.ts'],
    database: true,
  },
];
