import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testAuthority } from './certificates.fixture.ts';
import { type Database, openDatabase } from './database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

/** One of this machine's that nobody else listens on: the port is the usual one. */
const ADDRESS = `127.${1 + (process.pid % 250)}.${(process.pid >> 8) % 250}.7`;

let folder: string;
let server: EmbeddedPostgres;
const opened: Database[] = [];

function put(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook tls '));
  const [authority, other] = await Promise.all([testAuthority(), testAuthority()]);
  const [own, hub, stranger] = await Promise.all([
    authority.sign('localhost', 30, ADDRESS),
    authority.sign('hub', 30),
    other.sign('hub', 30),
  ]);
  put('ca.crt', authority.cert);
  put('other.crt', other.cert);
  for (const [name, papers] of Object.entries({ hub, stranger })) {
    put(`${name}.crt`, papers.cert);
    put(`${name}.key`, papers.key);
  }
  server = await startEmbeddedPostgres({
    directory: join(folder, 'server'),
    settings: {
      ...{
        listen_addresses: ADDRESS,
        ssl: 'on',
        ssl_ca_file: join(folder, 'ca.crt'),
      },
      ssl_cert_file: put('server.crt', own.cert),
      ssl_key_file: put('server.key', own.key),
      // Nobody from outside gets in by a password, and by a certificate only under its own name.
      hba_file: put('hba.conf', 'local all all trust\nhostssl all all 127.0.0.0/8 cert\n'),
    },
  });
  const owner = openDatabase({ address: server.connection('postgres') });
  await owner.query('create role hub login');
  await owner.close();
});
afterAll(async () => {
  for (const database of opened) await database.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Whether a hub with these papers gets in, or why not. */
async function entry(papers: string, authority: string, user = 'hub'): Promise<string> {
  const file = (name: string): string => encodeURIComponent(join(folder, name));
  const proof = papers === '' ? '' : `&sslcert=${file(`${papers}.crt`)}&sslkey=${file(`${papers}.key`)}`;
  const { port } = server.connection('postgres');
  const connectionString = `postgres://${user}@${ADDRESS}:${port}/postgres?sslmode=verify-full&sslrootcert=${file(`${authority}.crt`)}${proof}`;
  const database = openDatabase({ address: { connectionString } });
  opened.push(database);
  const answer = await database
    .query<{ name: string }>('select current_user as name')
    .catch((error: Error) => [{ name: error.message }]);
  return answer[0]?.name ?? '';
}

describe('a database on another machine', () => {
  test('knows the hub by its certificate, without a password, and the hub knows the database', async () => {
    expect(await entry('hub', 'ca')).toBe('hub');
  });

  test('lets in neither a hub without one, nor one of another authority, nor under another name', async () => {
    expect(await entry('', 'ca')).toMatch(/certificate/);
    expect(await entry('stranger', 'ca')).not.toBe('hub');
    expect(await entry('hub', 'ca', 'postgres')).toMatch(/authentication failed/);
  });

  test('that another authority vouches for is told nothing', async () => {
    expect(await entry('hub', 'other')).toMatch(/certificate|self.signed|verify/);
  });
});
