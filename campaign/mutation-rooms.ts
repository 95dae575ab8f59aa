/** Sources that are mutated together, and the tests that must notice. */
export interface MutatedRoom {
  readonly name: string;
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

function room(name: string, folder: string): MutatedRoom {
  return {
    name,
    sources: [`${folder}/**/*.ts`, `!${folder}/**/*.{test,fixture}.ts`, `!${folder}/**/index.ts`],
    tests: [`${folder}/**/*.test.ts`],
  };
}

/** Where a wrong sign costs money. */
export const MUTATED_ROOMS: readonly MutatedRoom[] = [
  room('domain', 'packages/domain/src'),
  room('ledger', 'packages/ledger/src'),
];
