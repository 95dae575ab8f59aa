/** Invariants of the ledger that the checks watch, by their numbers in decision 0030. */
export const INVARIANTS = ['I1', 'I2', 'I3', 'I4', 'I5', 'I7', 'I8'] as const;

/** A broken invariant of the ledger: which one, where, and the figures that disagree. */
export interface Breach {
  readonly invariant: (typeof INVARIANTS)[number];
  readonly subject: string;
  readonly found: string;
  readonly expected: string;
}

/** How an invariant stands by the checks of this process. */
export interface InvariantStanding {
  readonly invariant: Breach['invariant'];
  /** Since the last check that ended, and the last that found it whole; absent before the first. */
  readonly checkAgeMillis: number | undefined;
  readonly goodAgeMillis: number | undefined;
  /** Where it was found broken first; stays until everything was verified anew. */
  readonly broken: Breach | undefined;
}

/** What one bounded check of the ledger found. */
export interface CheckOutcome {
  readonly breaches: readonly Breach[];
  /** Movements are left that no balance was compared with yet: the next check follows at once. */
  readonly behind: boolean;
  /** How often all old movements, and all holds, were verified again. */
  readonly rowRounds: number;
  readonly holdRounds: number;
}

/** Checks of the ledger; storage implements them. */
export interface LedgerChecks {
  /** All figures, all balances against what is new, and the next part of what is old. Bounded, so it may run at any time. */
  next(): Promise<CheckOutcome>;
  /** Everything from the first movement on, in bounded steps. */
  all(): Promise<readonly Breach[]>;
}

/** How the gate stands in the database, for all processes. */
export interface StoredGate {
  /** Why it is closed; absent while it is open. */
  readonly closed?: string;
  /** An operator asks to open it, and nobody has answered yet. */
  readonly request?: { readonly id: string; readonly actor: string };
}

/** Where the gate's history is kept: append-only. */
export interface GateStore {
  read(): Promise<StoredGate>;
  /** Closes it; nothing when it is closed already. */
  close(reason: string, evidence: readonly Breach[]): Promise<void>;
  /** Answers a request: opened, or refused for what was found. */
  answer(request: string, breaches: readonly Breach[]): Promise<void>;
}

/** Everything the gate needs from outside. */
export interface MoneyGateDeps {
  readonly store: GateStore;
  readonly checks: LedgerChecks;
  /** Milliseconds of a clock that never jumps. */
  readonly uptimeMillis: () => number;
  /** Resolves after the pause, or at once when the signal aborts. */
  readonly pause: (millis: number, signal: AbortSignal) => Promise<void>;
  readonly log: {
    warn(facts: object, event: string): void;
    error(facts: object, event: string): void;
  };
}
