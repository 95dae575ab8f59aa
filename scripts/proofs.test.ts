import { describe, expect, test } from 'vitest';
import { checkStages, testStages, withReport } from './proofs.ts';

describe('the tiers', () => {
  const names = (full: boolean) => testStages(full).flatMap((stage) => stage.map(({ name }) => name));

  test('npm test proves everything that npm run check proves', () => {
    const checked = checkStages().flatMap((stage) => stage.map(({ name }) => name));
    expect(names(false)).toEqual(expect.arrayContaining(checked));
  });

  test('no proof runs twice in a tier', () => {
    for (const full of [false, true]) expect(new Set(names(full)).size).toBe(names(full).length);
  });

  test('every runner that reports is told where', () => {
    const told = [...checkStages(), ...testStages(false), ...testStages(true)]
      .flat()
      .filter(({ runner }) => runner !== 'none')
      .map((proof) => withReport(proof, '/reports/one.json'))
      .filter(
        ({ command, env }) => ![...command, ...Object.values(env)].join(' ').includes('/reports/one.json'),
      );
    expect(told).toEqual([]);
  });
});
