import {
  type ConnectionTarget,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './embedded-postgres.ts';

/** Our own server, started again when it dies. */
export interface KeptPostgres {
  /** The same before and after a restart. */
  connection(database: string, user?: string): ConnectionTarget;
  /** Process id of the postmaster that runs now. */
  readonly pid: number;
  /** Resolves with a sentence when it is not started again: the process must end. Never after `stop`. */
  readonly lost: Promise<string>;
  /** Fast, clean shutdown; resolves when it is gone. */
  stop(): Promise<void>;
}

/** A server that dies more often than this within the window is not started again. */
const RESTARTS_MAX = 5;
const RESTART_WINDOW_MILLIS = 60_000;

/**
 * Starts the server and starts it again when it dies, on the same socket: whoever is connected loses the connection, and
 * finds the database again a moment later.
 * @throws Error as `startEmbeddedPostgres`, for the first start only.
 */
export async function keepPostgres(options: EmbeddedPostgresOptions): Promise<KeptPostgres> {
  let current = await startEmbeddedPostgres(options);
  const socketDirectory = current.connection('postgres').host;
  const lost = Promise.withResolvers<string>();
  const deaths: number[] = [];
  let stopping = false;
  let restarting: Promise<void> | undefined;

  const startAgain = async (): Promise<void> => {
    const begin = performance.now();
    deaths.push(begin);
    while ((deaths[0] ?? begin) < begin - RESTART_WINDOW_MILLIS) deaths.shift();
    if (deaths.length > RESTARTS_MAX) {
      lost.resolve(`the database ended ${deaths.length} times in a minute`);
      return;
    }
    options.progress?.('the database has ended; starting it again');
    try {
      current = await startEmbeddedPostgres({ ...options, socketDirectory });
      options.progress?.(`the database is back after ${Math.round(performance.now() - begin)} ms`);
      watch();
    } catch (error) {
      lost.resolve(`the database has ended and does not start: ${(error as Error).message}`);
    }
  };
  const watch = (): void => {
    void current.exited.then(() => {
      if (!stopping) restarting = startAgain();
    });
  };
  watch();
  return {
    connection: (database, user) => current.connection(database, user),
    get pid() {
      return current.pid;
    },
    lost: lost.promise,
    async stop() {
      stopping = true;
      await restarting;
      await current.stop();
    },
  };
}
