import { startTestServer, TEST_POSTGRES_VARIABLE, type TestServer } from './testing.ts';

let server: TestServer | undefined;

/** vitest's global set-up: one PostgreSQL for the whole run; workers find it by the environment. */
export async function setup(): Promise<void> {
  server = await startTestServer();
  process.env[TEST_POSTGRES_VARIABLE] = JSON.stringify(server.target);
}

/** Stops it. */
export async function teardown(): Promise<void> {
  await server?.stop();
}
