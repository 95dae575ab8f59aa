import { parseArgs } from 'node:util';
import { amount, type Millis, parseAmount, toNumberForDisplay } from '@crossbook/domain';
import { grantKolCode } from '../../storage/stores/members/referral-store.ts';
import { notAsked, onDatabase, say } from './installation.ts';

/**
 * `npm run kol -- grant MEMBER CODE PERCENT --reason "..."`: gives a member a KOL code, or changes its rate for those who
 * trade from now on. Answers 0 when it is granted, 1 when it was refused, 2 when nothing was asked.
 */

const USAGE = `usage: npm run kol -- grant MEMBER CODE PERCENT --reason "..."
MEMBER is a member id; CODE 4 to 20 letters and digits, but not 8; PERCENT 0.01 to 50; the reason has ten letters at least.`;
const RATE_BPS_MAX = 5_000;

/** Hundredths of a percent; `undefined` for what is no rate. */
function bpsOf(percent: string): number | undefined {
  const parsed = parseAmount(percent, 2);
  const bps = parsed === undefined ? 0 : Math.round(toNumberForDisplay(parsed) * 100);
  return bps >= 1 && bps <= RATE_BPS_MAX && parsed !== undefined && parsed <= amount('50') ? bps : undefined;
}

async function run(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { reason: { type: 'string' } },
  });
  const [verb, member = '', given = '', percent = ''] = positionals;
  const code = given.toUpperCase();
  const rateBps = bpsOf(percent);
  const reason = values.reason?.trim() ?? '';
  const sound =
    verb === 'grant' &&
    /^[0-9]{1,9}$/.test(member) &&
    /^[A-Z0-9]{4,20}$/.test(code) &&
    code.length !== 8 &&
    reason.length >= 10 &&
    reason.length <= 1_000;
  if (!sound || rateBps === undefined) return notAsked(USAGE);
  return onDatabase(async (database, { actor }) => {
    const at = Date.now() as Millis;
    const grant = { member: Number(member), code, rateBps, operator: actor, reason, at };
    const granted = await grantKolCode(database, grant);
    say(
      granted
        ? `member ${member} has the code ${code} at ${percent} %`
        : `refused: no member ${member}, or ${code} is taken`,
    );
    return granted ? 0 : 1;
  });
}

process.exitCode = await run();
