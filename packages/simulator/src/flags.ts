import { ok, type Result, refused } from '@crossbook/domain';

/** How one simulator process is to run. */
export interface SimulatorFlags {
  /** 0 takes a free port. */
  readonly port: number;
  /** The same seed gives the same prices. */
  readonly seed: number;
  /** Where journal, snapshots and printed bars live; absent keeps nothing. */
  readonly data: string | undefined;
  /** End when the starter's pipe (standard input or IPC) closes. */
  readonly supervised: boolean;
  /** Whether Binance's rate limits hold; load tests switch them off. */
  readonly limits: boolean;
  readonly replay: { readonly path: string; readonly symbol?: string; readonly startAt?: string } | undefined;
}

/** What the command takes, for a person. */
export const USAGE = `usage: npm run simulator -- [--port P] [--seed S] [--data DIR] [--supervised]
  --port P      0 to 65535; 0 takes a free port (default 9100)
  --seed S      whole number 0 to 2147483647 (default 1)
  --data DIR    keep journal and history here (default: keep nothing)
  --supervised  end when standard input closes
environment: SIM_REPLAY=<csv> SIM_REPLAY_SYMBOL=<symbol> SIM_REPLAY_START=<time> SIM_LIMITS=on|off`;

const PORT_DEFAULT = 9100;
const PORT_MAX = 65_535;
const SEED_MAX = 2_147_483_647;

function wholeNumber(name: string, text: string | undefined, max: number): Result<number, string> {
  const value = text !== undefined && /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return value <= max
    ? ok(value)
    : refused(`${name} must be a whole number from 0 to ${max}; given was ${text ?? 'nothing'}`);
}

function readReplay(env: Readonly<Record<string, string | undefined>>): SimulatorFlags['replay'] {
  const path = env.SIM_REPLAY;
  if (path === undefined || path === '') return undefined;
  return {
    path,
    ...(env.SIM_REPLAY_SYMBOL === undefined ? {} : { symbol: env.SIM_REPLAY_SYMBOL }),
    ...(env.SIM_REPLAY_START === undefined ? {} : { startAt: env.SIM_REPLAY_START }),
  };
}

interface Draft {
  port: number;
  seed: number;
  data: string | undefined;
  supervised: boolean;
}

/** Applies one flag. @returns how many arguments it took, or what is wrong. */
function readFlag(draft: Draft, flag: string, value: string | undefined): Result<number, string> {
  if (flag === '--supervised') {
    draft.supervised = true;
    return ok(1);
  }
  if (flag === '--port' || flag === '--seed') {
    const number = wholeNumber(flag, value, flag === '--port' ? PORT_MAX : SEED_MAX);
    if (!number.ok) return number;
    if (flag === '--port') draft.port = number.value;
    else draft.seed = number.value;
    return ok(2);
  }
  if (flag === '--data') {
    if (value === undefined || value === '')
      return refused('--data must name a directory; given was nothing');
    draft.data = value;
    return ok(2);
  }
  return refused(`${flag} is no flag of the simulator`);
}

/** Reads the command line and environment; a refusal is a sentence for the person who typed it. */
export function parseFlags(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Result<SimulatorFlags, string> {
  const draft: Draft = { port: PORT_DEFAULT, seed: 1, data: undefined, supervised: false };
  for (let at = 0; at < args.length; ) {
    const [name = '', inline] = (args[at] ?? '').split('=', 2);
    const taken = readFlag(draft, name, inline ?? args[at + 1]);
    if (!taken.ok) return taken;
    at += inline === undefined ? taken.value : 1;
  }
  const limits = env.SIM_LIMITS ?? 'on';
  if (limits !== 'on' && limits !== 'off')
    return refused(`SIM_LIMITS must be on or off; given was ${limits}`);
  return ok({ ...draft, limits: limits === 'on', replay: readReplay(env) });
}
