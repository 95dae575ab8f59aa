import { describe, expect, test } from 'vitest';
import flows from '../../playwright.config.ts';
import config from '../../vitest.config.ts';
import {
  campaignsAlone,
  checkStages,
  filesAskingForTier,
  MATRICES,
  type Proof,
  type Stage,
  testStages,
  withReport,
} from './stages.ts';

describe('the tiers', () => {
  const names = (full: boolean) => testStages(full).flatMap((stage) => stage.map(({ name }) => name));

  test('npm test proves everything that npm run check proves, and every project of the tests', () => {
    const commands = (stages: readonly Stage[]) => stages.flat().map(({ command }) => command);
    const single = commands(checkStages()).filter((command) => !command.includes('--project'));
    expect(commands(testStages(false))).toEqual(expect.arrayContaining(single));
    const run = commands(testStages(false)).flat();
    const projects = (config.test?.projects ?? []).map((project) =>
      typeof project === 'object' && 'test' in project ? project.test?.name : project,
    );
    expect(projects).toContain('unit');
    expect(projects.filter((name) => !run.includes(String(name)))).toEqual([]);
  });

  test('every project of the flows is run, and the one that counts seconds has its stage for itself', () => {
    const projectsOf = ({ command }: Proof) =>
      command.filter((word) => word.startsWith('--project=')).map((word) => word.slice('--project='.length));
    const stages = testStages(false).map((stage) =>
      stage.filter(({ runner }) => runner === 'playwright').flatMap(projectsOf),
    );
    const configured = (flows.projects ?? []).map(({ name }) => name);
    expect(stages.flat().toSorted()).toEqual(configured.toSorted());
    expect(testStages(false).filter((_, at) => stages[at]?.includes('alone'))).toEqual([
      [expect.objectContaining({ name: 'first minute' })],
    ]);
  });

  test('no proof runs twice in a tier', () => {
    for (const full of [false, true]) expect(new Set(names(full)).size).toBe(names(full).length);
  });

  test('a row or a number of runs that only the full tier has stands in a file that it runs', () => {
    const run = testStages(true).flatMap((stage) => stage.flatMap(({ command }) => command));
    const asking = filesAskingForTier();
    expect(run).toContain('tests/system/contract-crashes.test.ts');
    expect(asking.filter((file) => MATRICES.includes(file))).toEqual(MATRICES);
    // Those who ask for others would hide it from the tier: only these do, and none of them is a test of its own.
    const alone = campaignsAlone();
    expect(asking.filter((file) => !run.includes(file) && !alone.includes(file))).toEqual([
      'scripts/proofs/stages.ts',
      'tests/attack-sizes.ts',
      'tests/property-runs.ts',
    ]);
  });

  test('a flow in the browser says its tier by its title alone: no tier runs what another has', () => {
    expect(filesAskingForTier().filter((file) => file.startsWith('tests/e2e/'))).toEqual([]);
  });

  test('who begins after another stands behind it in its stage', () => {
    for (const stage of [...testStages(false), ...testStages(true)])
      for (const [at, { after }] of stage.entries())
        if (after !== undefined) expect(stage.slice(0, at).map(({ name }) => name)).toContain(after);
  });

  test('every runner that reports is told where', () => {
    const reported = [...checkStages(), ...testStages(false), ...testStages(true)]
      .flat()
      .filter(({ runner }) => runner !== 'none')
      .map((proof) => withReport(proof, '/reports/one.json'))
      .filter(
        ({ command, env }) => ![...command, ...Object.values(env)].join(' ').includes('/reports/one.json'),
      );
    expect(reported).toEqual([]);
  });
});
