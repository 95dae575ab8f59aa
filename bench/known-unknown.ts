import { tmpdir } from 'node:os';
import { ARGON2_COST } from '../apps/server/src/accounts/factors/passwords.ts';
import { startTestHub, type TestBrowser, type TestHub } from '../apps/server/src/main/testing.ts';
import { openTestDatabase, startTestServer } from '../apps/server/src/storage/testing.ts';
import { type Bench, type Figure, median, type Reporter } from './harness.ts';

/** Of each call, as many of known accounts as of unknown ones. */
const SAMPLES = 2_000;
/** Known accounts, asked about in turn. */
const MEMBERS = 50;

const PURPOSES = { 'a sent code': 'register', 'a lost password': 'recover' } as const;
const CALLS = ['a log-in', ...(Object.keys(PURPOSES) as (keyof typeof PURPOSES)[])] as const;

/** How long one call about an account takes. The proof of work and the budgets are not what is measured. */
async function timed(hub: TestHub, what: (typeof CALLS)[number], account: string): Promise<number> {
  const browser: TestBrowser = hub.visitor();
  const captcha = await browser.captcha(account);
  const begun = performance.now();
  if (what === 'a log-in') await browser.call('user/login', { account, password: 'Wrong-horse-7', captcha });
  else await browser.call('sms/sms', { target: account, purpose: PURPOSES[what], captcha });
  return performance.now() - begun;
}

/**
 * The chance that two samples so far apart, or further, come of one distribution: Kolmogorov and Smirnov, by the asymptotic series.
 */
function sameChance(left: readonly number[], right: readonly number[]): number {
  const all = [...left.map((at) => [at, 1] as const), ...right.map((at) => [at, -1] as const)];
  let height = 0;
  let distance = 0;
  for (const [, step] of all.sort(([a], [b]) => a - b)) {
    height += step / left.length;
    distance = Math.max(distance, Math.abs(height));
  }
  const scaled = distance * Math.sqrt(left.length / 2);
  let chance = 0;
  for (let k = 1; k <= 100; k += 1)
    chance += 2 * (k % 2 === 1 ? 1 : -1) * Math.exp(-2 * k * k * scaled * scaled);
  return Math.min(1, Math.max(0, chance));
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

async function measured(
  hub: TestHub,
  what: (typeof CALLS)[number],
  forget: () => Promise<unknown>,
): Promise<readonly Figure[]> {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let n = 0; n < SAMPLES; n += 1) {
    if (n % MEMBERS === 0) await forget();
    const [member, nobody] = [`bench${n % MEMBERS}@example.org`, `nobody${n % MEMBERS}@example.org`];
    // In turn, so that a busy neighbour hurts both alike.
    const first = n % 2 === 0;
    if (first) known.push(await timed(hub, what, member));
    unknown.push(await timed(hub, what, nobody));
    if (!first) known.push(await timed(hub, what, member));
  }
  return [
    { figure: `${what}: known, middle`, value: median(known), unit: 'ms' },
    { figure: `${what}: unknown, middle`, value: median(unknown), unit: 'ms' },
    { figure: `${what}: difference of the means`, value: mean(known) - mean(unknown), unit: 'ms' },
    { figure: `${what}: chance of no difference (KS)`, value: sameChance(known, unknown), unit: '' },
  ];
}

/** Whether times tell who has an account: threat 14 of docs/threats.md. */
export const bench: Bench = {
  about: `known-unknown: ${SAMPLES} answers about accounts that are there beside as many about accounts that are not, in turn`,
  run: async (report: Reporter) => {
    const server = await startTestServer(undefined, tmpdir(), true);
    const database = await openTestDatabase(server.target);
    const environment = { ADDRESS_LIMIT_FACTOR: '10000', CAPTCHA_WORK_MAX: '100' };
    const hub = await startTestHub({ environment, database, passwordCost: ARGON2_COST });
    await hub.hub.start();
    for (let at = 0; at < MEMBERS; at += 1) await hub.member(`bench${at}@example.org`);
    const forget = () => database.owner.query('delete from budgets');
    const figures: Figure[] = [];
    for (const what of CALLS) {
      figures.push(...(await measured(hub, what, forget)));
      report(`${what}: done`);
    }
    await hub.close();
    await server.stop();
    return figures;
  },
};
