import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import { Budget } from './budget.ts';
import { HOST_USE, type LimitScope } from './limit-scope.ts';
import { REQUEST_CLASSES } from './request-class.ts';

const SCOPES: readonly LimitScope[] = [
  { name: 'fixed', weightMax: 60, windowMillis: 1_000, window: 'fixed', shared: HOST_USE },
  { name: 'rolling', weightMax: 60, windowMillis: 1_000, window: 'rolling', shared: HOST_USE },
  { name: 'own', weightMax: 10, windowMillis: 300, window: 'rolling' },
];

test('no window ever holds more than the venue allows, no class more than its part, no member more than its own', () => {
  const step = fc.record({
    afterMillis: fc.nat(200),
    weight: fc.integer({ min: 1, max: 4 }),
    requestClass: fc.constantFrom(...REQUEST_CLASSES),
    member: fc.constantFrom('a', 'b', 'c'),
    givenBack: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.constantFrom(...SCOPES), fc.array(step, { maxLength: 200 }), (scope, steps) => {
      const budget = new Budget(scope);
      const uses: { at: number; weight: number; requestClass: string; member: string }[] = [];
      let now = 1_000_000;
      for (const { afterMillis, weight, requestClass, member, givenBack } of steps) {
        now += afterMillis;
        if (!budget.room(weight, { requestClass, member }, now).free) continue;
        const use = budget.take(weight, { requestClass, member }, now);
        if (givenBack) budget.giveBack(use, now);
        else uses.push({ at: now, weight, requestClass, member });
        const inWindow = uses.filter(({ at }) =>
          scope.window === 'rolling'
            ? at > now - scope.windowMillis
            : Math.floor(at / scope.windowMillis) === Math.floor(now / scope.windowMillis),
        );
        const sum = (rows: typeof uses) => rows.reduce((total, row) => total + row.weight, 0);
        expect(sum(inWindow)).toBe(budget.used(now));
        const { shared, weightMax } = scope;
        expect(sum(inWindow)).toBeLessThanOrEqual(weightMax * (shared?.fillMax[requestClass] ?? 1));
        const ofClass = sum(inWindow.filter((row) => row.requestClass === requestClass));
        expect(ofClass).toBeLessThanOrEqual(weightMax * (shared?.classMax[requestClass] ?? 1));
      }
    }),
    { numRuns: runs(500) },
  );
});

test('a refusal names a moment at which there is more room, never one before', () => {
  const [fixed, rolling] = SCOPES.map((scope) => new Budget(scope));
  for (const budget of [fixed, rolling]) budget?.take(60, { requestClass: 'order', member: 'a' }, 1_000_400);
  const asking = { requestClass: 'cancel', member: 'b' } as const;
  expect(fixed?.room(1, asking, 1_000_500)).toEqual({
    free: false,
    notBefore: 1_001_000,
    lackedBy: 'budget',
  });
  expect(rolling?.room(1, asking, 1_000_500)).toEqual({
    free: false,
    notBefore: 1_001_400,
    lackedBy: 'budget',
  });
  expect(fixed?.room(1, asking, 1_001_000)).toEqual({ free: true });
  expect(rolling?.room(1, asking, 1_001_400)).toEqual({ free: true });
});
