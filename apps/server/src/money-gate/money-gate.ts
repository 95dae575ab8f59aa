import type { Refusal } from '@crossbook/contract';
import { type Breach, INVARIANTS, type InvariantStanding, type MoneyGateDeps } from './ports.ts';

/** Without a good check for this long nothing moves: one check that runs into its time-out passes, two do not. */
export const UNCHECKED_MILLIS_MAX = 30_000;
/** Pause between two checks. */
const CHECK_EVERY_MILLIS = 1_000;
/** A check over many accounts takes longer; it then rests this many times as long, so that it costs at most 5 %. */
const REST_PER_CHECK = 19;
/** But never so long that one failed check would leave the next too late. */
const REST_MILLIS_MAX = 10_000;
/** A database that is away fails every check: each minute of it is one line of the log. */
const FAILURES_PER_LINE = 60;

/** How the gate stands, for metrics. */
export interface MoneyGateStats {
  readonly open: boolean;
  /** Age of the last good check; absent before the first. */
  readonly checkAgeMillis: number | undefined;
  /** Since the process began, and how many of them could not be made. */
  readonly checks: number;
  readonly failures: number;
  /** How often all old movements, and all holds, were verified again. */
  readonly rowRounds: number;
  readonly holdRounds: number;
}

const HALTED: Refusal = { error: 'money-halted' };

/**
 * The one gate in front of every path that moves money. Cancelling, closing and reading never ask it. It is open until a
 * check, the database or the lack of a good check says otherwise.
 */
export class MoneyGate {
  readonly #deps: MoneyGateDeps;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  /** Why it is closed, by the database. */
  #stored: string | undefined;
  /** A breach that is not written down yet: in force all the same. */
  #found: { readonly reason: string; readonly breaches: readonly Breach[] } | undefined;
  #lastGood: number | undefined;
  #reportedUnchecked = false;
  #failuresInARow = 0;
  #restMillis = CHECK_EVERY_MILLIS;
  #checks = 0;
  #failures = 0;
  #rounds = { rowRounds: 0, holdRounds: 0 };
  #lastCheck: number | undefined;
  readonly #lastWhole = new Map<Breach['invariant'], number>();
  readonly #broken = new Map<Breach['invariant'], Breach>();

  constructor(deps: MoneyGateDeps) {
    this.#deps = deps;
  }

  /** Why nothing may move at the moment; `undefined` while the gate is open. */
  readonly refusal = (): Refusal | undefined => (this.#isClosed() ? HALTED : undefined);

  /** Reads how the gate was left, then checks for as long as the process runs. @throws Error when it cannot be read. */
  async start(): Promise<void> {
    const { store, log, uptimeMillis } = this.#deps;
    this.#stored = (await store.read()).closed;
    if (this.#stored !== undefined)
      log.error({ reason: this.#stored }, 'money is halted since an earlier run');
    this.#lastGood = uptimeMillis();
    this.#running = this.#keepChecking();
  }

  /** Ends after the check under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** One check, and an answer to an operator who asks to open. Never rejects: what goes wrong is logged. */
  async check(): Promise<void> {
    this.#checks += 1;
    try {
      await this.#checkOnce();
    } catch (error) {
      this.#restMillis = CHECK_EVERY_MILLIS;
      this.#failures += 1;
      if (this.#failuresInARow % FAILURES_PER_LINE === 0) {
        this.#deps.log.error({ error, before: this.#failuresInARow }, 'a ledger check failed');
      }
      this.#failuresInARow += 1;
      this.#isUnchecked();
    }
  }

  stats(): MoneyGateStats {
    const lastGood = this.#lastGood;
    return {
      ...this.#rounds,
      open: !this.#isClosed(),
      checkAgeMillis: lastGood === undefined ? undefined : this.#deps.uptimeMillis() - lastGood,
      checks: this.#checks,
      failures: this.#failures,
    };
  }

  /** Each invariant as the checks of this process have seen it. */
  standings(): readonly InvariantStanding[] {
    const age = (at: number | undefined) => (at === undefined ? undefined : this.#deps.uptimeMillis() - at);
    return INVARIANTS.map((invariant) => ({
      invariant,
      checkAgeMillis: age(this.#lastCheck),
      goodAgeMillis: age(this.#lastWhole.get(invariant)),
      broken: this.#broken.get(invariant),
    }));
  }

  /** Old movements are verified part by part: what one part showed is not undone by another that is well. */
  #note(breaches: readonly Breach[], wholeLedger: boolean): void {
    if (wholeLedger) this.#broken.clear();
    for (const breach of breaches)
      if (!this.#broken.has(breach.invariant)) this.#broken.set(breach.invariant, breach);
    const now = this.#deps.uptimeMillis();
    this.#lastCheck = now;
    for (const invariant of INVARIANTS) if (!this.#broken.has(invariant)) this.#lastWhole.set(invariant, now);
  }

  #isClosed(): boolean {
    return this.#found !== undefined || this.#stored !== undefined || this.#isUnchecked();
  }

  #isUnchecked(): boolean {
    const since = this.#lastGood;
    const late = since !== undefined && this.#deps.uptimeMillis() - since > UNCHECKED_MILLIS_MAX;
    if (late && !this.#reportedUnchecked) {
      this.#reportedUnchecked = true;
      this.#deps.log.error({}, 'incident: no check of the ledger ends well, money is halted');
    }
    return late;
  }

  async #keepChecking(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.check();
      await this.#deps.pause(this.#restMillis, signal);
    }
  }

  async #checkOnce(): Promise<void> {
    const { store, checks, log, uptimeMillis } = this.#deps;
    const begin = uptimeMillis();
    const gate = await store.read();
    // Another process has verified everything.
    if (gate.closed === undefined && this.#stored !== undefined) this.#broken.clear();
    if (gate.closed !== this.#stored) log.warn({ before: this.#stored, now: gate.closed }, 'money gate');
    this.#stored = gate.closed;
    const { breaches, behind, rowRounds, holdRounds } = await checks.next();
    this.#rounds = { rowRounds, holdRounds };
    this.#note(breaches, false);
    if (breaches.length === 0) this.#wentWell();
    else this.#close(breaches);
    await this.#writeDown();
    if (gate.request !== undefined) await this.#answer(gate.request);
    const rest = (uptimeMillis() - begin) * REST_PER_CHECK;
    this.#restMillis = behind ? 0 : Math.min(REST_MILLIS_MAX, Math.max(CHECK_EVERY_MILLIS, rest));
  }

  #wentWell(): void {
    if (this.#reportedUnchecked) this.#deps.log.warn({}, 'the ledger is checked again');
    this.#lastGood = this.#deps.uptimeMillis();
    this.#reportedUnchecked = false;
    this.#failuresInARow = 0;
  }

  #close(breaches: readonly Breach[]): void {
    if (this.#stored !== undefined || this.#found !== undefined) return;
    this.#found = { reason: reasonOf(breaches), breaches };
    this.#deps.log.error({ breaches }, 'incident: ledger invariants broken, money is halted');
  }

  async #writeDown(): Promise<void> {
    const found = this.#found;
    if (found === undefined) return;
    await this.#deps.store.close(found.reason, found.breaches);
    this.#stored = found.reason;
    this.#found = undefined;
  }

  async #answer(request: { readonly id: string; readonly actor: string }): Promise<void> {
    const { store, checks, log } = this.#deps;
    log.warn({ ...request }, 'opening the money gate was asked for');
    const breaches = await checks.all();
    this.#note(breaches, true);
    await store.answer(request.id, breaches);
    this.#stored = (await store.read()).closed;
    if (breaches.length === 0) this.#wentWell();
    log.warn({ breaches }, this.#stored === undefined ? 'money gate opened' : 'money gate stays closed');
  }
}

function reasonOf(breaches: readonly Breach[]): string {
  const [first] = breaches;
  const more = breaches.length > 1 ? ` and ${breaches.length - 1} more` : '';
  return first === undefined
    ? 'the ledger does not add up'
    : `${first.invariant} at ${first.subject}: ${first.found}, expected ${first.expected}${more}`;
}
