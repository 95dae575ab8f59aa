import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningChild, startChild } from '../../../../../scripts/child.ts';
import { memoryFolder } from '../../../../../tests/memory-folder.ts';
import { ownerAddressOf } from '../../storage/open-storage.ts';
import { type Database, openDatabase } from '../../storage/postgres/database.ts';

/** `npm run audit -- verify` beside the real server on its own PostgreSQL, before and after rows are seven years old. */

const root = join(import.meta.dirname, '../../../../..');
const FOUND_MILLIS_MAX = 120_000;
let folder: string;
let data: string;
beforeAll(() => {
  folder = mkdtempSync(join(memoryFolder(), 'crossbook audit '));
  data = join(folder, 'data');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = () => ({
  ...{ PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, DATA_DIR: data },
  ...{ PORT: '0', SIMULATOR_URL: 'http://127.0.0.1:9', DATABASE_URL: '' },
});

function startHub(): Promise<RunningChild<{ readonly url: string }>> {
  const script = join(root, 'apps/server/src/main.ts');
  const args = ['--supervised', '--no-env-file'];
  return startChild({ name: 'hub', script, args, cwd: root, env: environment(), say: () => undefined });
}

async function verify() {
  const words = ['apps/server/src/main/commands/audit-command.ts', 'verify'];
  const child = spawn(process.execPath, words, { cwd: root, env: environment() });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said: (await said).join('') };
}

/** Does something as the owner of the database of the running hub. */
async function asOwner<Done>(act: (owner: Database) => Promise<Done>): Promise<Done> {
  const address = ownerAddressOf({ directory: join(data, 'postgres') });
  if (address === undefined) throw new Error('no database runs');
  const owner = openDatabase({ address, connectionsMax: 1 });
  try {
    return await act(owner);
  } finally {
    await owner.close();
  }
}

async function cutPlace(): Promise<number> {
  const deadline = performance.now() + FOUND_MILLIS_MAX;
  while (performance.now() < deadline) {
    const [cut] = await asOwner((owner) => owner.query<{ seq: string }>('select seq from audit_cuts'));
    if (cut !== undefined) return Number(cut.seq);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('nothing was cut');
}

test('the hub cuts what is seven years old, the command begins at the signed place, and says so where that was changed', {
  timeout: 400_000,
}, async () => {
  let hub = await startHub();
  await hub.stop();
  hub = await startHub();
  const whole = await verify();
  expect(whole, whole.said).toMatchObject({ code: 0 });
  expect(whole.said).not.toContain('It begins after place');
  await asOwner((owner) =>
    owner.query(
      `create or replace function db_clock() returns timestamptz language sql as 'select clock_timestamp() + interval ''8 years'''`,
    ),
  );
  await hub.stop();
  // It verifies as it starts, and lets go what is as it was sealed.
  hub = await startHub();
  const place = await cutPlace();
  const after = await verify();
  expect(after, after.said).toMatchObject({ code: 0 });
  expect(after.said).toContain(`It begins after place ${place}, signed`);
  expect(after.said).toContain('The journals of money are as sealed');
  await asOwner((owner) =>
    owner.withTransaction(async (client) => {
      await client.query('set local session_replication_role = replica');
      await client.query(`update audit_cuts set hash = repeat('a', 64)`);
    }),
  );
  const broken = await verify();
  expect(broken).toMatchObject({ code: 1, said: expect.stringContaining('BROKEN  beginning not signed') });
  await hub.stop();
});
