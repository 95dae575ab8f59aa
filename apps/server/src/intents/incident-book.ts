import type { Millis, OrderId } from '@crossbook/domain';
import type { Incident, Incidents } from './intent.ts';

/** Where incidents are kept. */
export interface IncidentStore {
  /** @returns whether it was not open before. */
  open(incident: Incident, at: Millis): Promise<boolean>;
  close(id: OrderId, at: Millis): Promise<void>;
  /** Closes what is open about something that has ended. */
  closeEnded(at: Millis): Promise<void>;
  /** What incidents are open about. */
  openIds(): Promise<readonly OrderId[]>;
}

/** What the book works with. */
export interface IncidentOutside {
  readonly store: IncidentStore;
  readonly clock: () => Millis;
  readonly log: (event: string, facts: Readonly<Record<string, unknown>>) => void;
  /** Tells the operator of a new one. */
  readonly tell: (incident: Incident) => Promise<void>;
}

/** Incidents as rows, with the operator told once of each. What cannot be written is in the log all the same. */
export interface IncidentBook extends Incidents {
  /**
   * Reads what is open, so that it can be closed when it is over. What ended while no process was there to tell, or
   * just before one died, is closed here.
   */
  start(): Promise<void>;
  /** Resolves when everything told so far is written. */
  idle(): Promise<void>;
}

/** Makes the book. */
export function createIncidentBook({ store, clock, log, tell }: IncidentOutside): IncidentBook {
  const about = new Set<OrderId>();
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): void => {
    last = last.then(work).catch((error) => log('an incident was not written', { error: String(error) }));
  };
  return {
    open(incident) {
      const { id, subject, what } = incident;
      about.add(id);
      inTurn(async () => {
        if (!(await store.open(incident, clock()))) return;
        log(`incident: ${what}`, { subject, id, ...incident.evidence });
        await tell(incident);
      });
    },
    ended(id) {
      if (!about.delete(id)) return;
      inTurn(() => store.close(id, clock()));
    },
    async start() {
      await store.closeEnded(clock());
      for (const id of await store.openIds()) about.add(id);
    },
    idle: () => last,
  };
}
