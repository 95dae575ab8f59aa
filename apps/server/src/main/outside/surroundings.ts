import type { Millis } from '@crossbook/domain';

/** What the hub depends on and does not hold in its own hand. */
export type SurroundingName = 'front' | 'clock' | 'log' | 'funds';

/** How one of them is looked at. */
export interface Look {
  readonly what: SurroundingName;
  /** One sentence per fault; none when all is well. A rejection is a fault too. */
  faults(): Promise<readonly string[]> | readonly string[];
}

/** What the last look found. */
export interface Seen {
  readonly what: SurroundingName;
  readonly at: Millis;
  readonly faults: readonly string[];
}

/** Looks around for as long as the hub runs. */
export interface Surroundings {
  /** The newest of each; what was not looked at yet is not there. */
  seen(): readonly Seen[];
  /** Looks at everything now. Never rejects. */
  look(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const LOOK_EVERY_MILLIS = 600_000;

/** Makes them: what begins to be wrong is a line of the log and a mail to the operator, once until it was right again. */
export function surroundings({
  looks,
  clock,
  log,
  tellOperator,
  every,
}: {
  readonly looks: readonly Look[];
  readonly clock: () => Millis;
  readonly log: { warn(facts: object, event: string): void };
  tellOperator(mail: { readonly subject: string; readonly body: string }): Promise<void>;
  readonly every: (millis: number, run: () => void) => () => void;
}): Surroundings {
  const newest = new Map<SurroundingName, Seen>();
  const mailed = new Set<SurroundingName>();
  let looking: Promise<void> | undefined;
  let end = (): void => undefined;

  const report = async (what: SurroundingName, faults: readonly string[]): Promise<void> => {
    log.warn({ what, faults }, 'something around the hub is not as it should be');
    const body = `${faults.join('\n')}\n\nHealth in the back office shows it until it is right again.\n`;
    await tellOperator({ subject: `Warning: ${faults[0] ?? what}`, body });
  };
  const lookAt = async ({ what, faults: ask }: Look): Promise<void> => {
    let faults: readonly string[];
    try {
      faults = await ask();
    } catch (error) {
      faults = [`not known: ${error instanceof Error ? error.message : String(error)}`];
    }
    newest.set(what, { what, at: clock(), faults });
    if (faults.length === 0) mailed.delete(what);
    if (faults.length === 0 || mailed.has(what)) return;
    mailed.add(what);
    await report(what, faults).catch((error: unknown) => log.warn({ error }, 'the operator was not told'));
  };
  const look = (): Promise<void> => {
    looking ??= Promise.all(looks.map(lookAt))
      .then(() => undefined)
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  return {
    seen: () => looks.flatMap(({ what }) => newest.get(what) ?? []),
    look,
    start() {
      void look();
      end = every(LOOK_EVERY_MILLIS, () => void look());
    },
    async stop() {
      end();
      await looking;
    },
  };
}
