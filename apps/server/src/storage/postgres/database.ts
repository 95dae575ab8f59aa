import pg from 'pg';
import type { ConnectionTarget } from './embedded-postgres.ts';

/** What the database is reached by: our own server's socket, or `DATABASE_URL`. */
export type DatabaseAddress = ConnectionTarget | { readonly connectionString: string };

/** How a database is opened. */
export interface DatabaseOptions {
  readonly address: DatabaseAddress;
  /** Role to act as after connecting; for `DATABASE_URL`, where we log in as the owner. */
  readonly role?: string;
  readonly connectionsMax?: number;
  /** A read that takes longer is ended by the server; commits are never ended so. */
  readonly readTimeoutMillis?: number;
  /** Told about a broken idle connection; the pool replaces it by itself. */
  readonly onConnectionError?: (error: Error) => void;
}

/** A statement that PostgreSQL parses once per connection. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/** Whether the database answers. */
export type DatabaseHealth = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/**
 * The commit was sent and its answer never came: it may or may not have happened. Callers replay by id; they never
 * treat it as a failure (invariant I14).
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** Values a statement takes; amounts travel as decimal strings. */
export type SqlValue =
  | string
  | number
  | boolean
  | bigint
  | null
  | Date
  | Uint8Array
  | readonly SqlValue[]
  | object;

/** A pool of connections. `numeric` and `int8` arrive as strings, never as floats. */
export interface Database {
  /** For what needs a connection of its own. */
  readonly pool: pg.Pool;
  readonly address: DatabaseAddress;
  /** The role it acts as, where that is not the one logged in. */
  readonly role: string | undefined;
  /** Runs one statement and returns its rows. */
  query<Row extends object>(
    statement: string | NamedStatement,
    values?: readonly SqlValue[],
  ): Promise<readonly Row[]>;
  /**
   * Runs `work` in one transaction; rolls back when it throws.
   * @throws OutcomeUnknown when the connection died during COMMIT.
   */
  withTransaction<Value>(work: (client: pg.PoolClient) => Promise<Value>): Promise<Value>;
  health(): Promise<DatabaseHealth>;
  close(): Promise<void>;
}

const CONNECTIONS_MAX = 10;
const READ_TIMEOUT_MILLIS = 15_000;
const CONNECT_TIMEOUT_MILLIS = 10_000;

/** What `pg` needs to reach an address. */
export function clientConfig(address: DatabaseAddress, role?: string): pg.ClientConfig {
  return {
    ...address,
    application_name: 'crossbook',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MILLIS,
    keepAlive: true,
    ...(role === undefined ? {} : { options: `-c role=${role}` }),
  };
}

const UNIQUE_VIOLATION = '23505';

/** The constraint by which somebody else has it already: of two who take a thing at the same moment the second meets this. */
export function takenBy(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION ? error.constraint : undefined;
}

/** Whether the server itself refused, so that we know nothing was committed. */
export function isDefiniteRefusal(error: unknown): error is pg.DatabaseError {
  if (!(error instanceof pg.DatabaseError)) return false;
  // FATAL ends the connection (shutdown, crash of another backend); its transaction's fate is not told to us.
  return error.severity === 'ERROR' && !/^(08|57P|58|XX)/.test(error.code ?? '08');
}

async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  // A commit may wait for a standby; ending it then would leave it committed here and unknown there.
  await client.query('set local statement_timeout = 0');
  try {
    const answer = await client.query('commit');
    if (answer.command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back');
  } catch (error) {
    if (error instanceof pg.DatabaseError ? !isDefiniteRefusal(error) : !/had failed/.test(String(error))) {
      throw new OutcomeUnknown('the connection was lost during COMMIT', { cause: error });
    }
    throw error;
  }
}

/** Opens a pool; connections are made when first needed. */
export function openDatabase(options: DatabaseOptions): Database {
  const { address, role } = options;
  const readTimeout = options.readTimeoutMillis ?? READ_TIMEOUT_MILLIS;
  const pool = new pg.Pool({
    ...clientConfig(address, role),
    max: options.connectionsMax ?? CONNECTIONS_MAX,
    statement_timeout: readTimeout,
    idle_in_transaction_session_timeout: readTimeout * 4,
  });
  pool.on('error', (error) => options.onConnectionError?.(error));
  // The pool listens on idle connections only; one that breaks while in use would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));

  const query = async <Row extends object>(
    statement: string | NamedStatement,
    values: readonly SqlValue[] = [],
  ): Promise<readonly Row[]> => {
    const named = typeof statement === 'string' ? { text: statement } : statement;
    const answer = await pool.query<Row>({ ...named, values: [...values] });
    return answer.rows;
  };

  const withTransaction = async <Value>(work: (client: pg.PoolClient) => Promise<Value>): Promise<Value> => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const value = await work(client);
      await commit(client);
      return value;
    } catch (error) {
      broken = error instanceof OutcomeUnknown ? error : await rollback(client);
      throw error;
    } finally {
      client.release(broken);
    }
  };

  const health = async (): Promise<DatabaseHealth> => {
    try {
      await pool.query('select 1');
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  };

  return { pool, address, role, query, withTransaction, health, close: () => pool.end() };
}
