import { memoryFolder } from '../../../../tests/memory-folder.ts';
import { startTestServer, TEST_POSTGRES_VARIABLE, type TestServer } from './testing.ts';

let server: TestServer | undefined;

/** vitest's global set-up, once for each project: one PostgreSQL for the whole run; workers find it by the environment. */
export async function setup(): Promise<void> {
  if (process.env[TEST_POSTGRES_VARIABLE] !== undefined) return;
  server = await startTestServer(undefined, memoryFolder());
  process.env[TEST_POSTGRES_VARIABLE] = JSON.stringify(server.target);
}

/** Stops it. */
export async function teardown(): Promise<void> {
  await server?.stop();
}
