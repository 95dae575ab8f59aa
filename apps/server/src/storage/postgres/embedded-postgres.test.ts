import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memoryFolder } from '../../../../../tests/memory-folder.ts';
import { type Database, openDatabase } from './database.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './embedded-postgres.ts';
import { systemPostgres } from './postgres-binaries.ts';
import { claimDataFolder, isAlive, processesIn } from './postmaster-leftover.ts';

describe('embedded PostgreSQL', () => {
  let folder: string;
  let servers: EmbeddedPostgres[];
  let databases: Database[];

  beforeEach(() => {
    folder = mkdtempSync(join(memoryFolder(), 'crossbook embedded '));
    servers = [];
    databases = [];
  });
  afterEach(async () => {
    for (const database of databases) await database.close().catch(() => undefined);
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ directory: folder, ...options });
    servers.push(server);
    return server;
  }

  function open(server: EmbeddedPostgres): Database {
    const database = openDatabase({ address: server.connection('postgres') });
    databases.push(database);
    return database;
  }

  test('keeps its data from one start to the next, durable and without a port, in a path with spaces', async () => {
    const steps: string[] = [];
    const first = await start({ progress: (step) => steps.push(step) });
    expect(steps).toEqual(['creating the database', 'starting PostgreSQL']);
    const database = open(first);
    await database.query('create table kept (n int)');
    await database.query('insert into kept values (7)');
    await database.close();
    await first.stop();
    expect(processesIn(join(folder, 'data'))).toEqual([]);

    const again: string[] = [];
    const second = open(await start({ progress: (step) => again.push(step) }));
    expect(again).toEqual(['starting PostgreSQL']);
    expect(await second.query('select n from kept')).toEqual([{ n: 7 }]);
    const settings = await second.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name in ('fsync', 'listen_addresses', 'data_checksums', 'server_encoding')`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      listen_addresses: '',
      data_checksums: 'on',
      server_encoding: 'UTF8',
    });
  });

  test('a kill -9 of the postmaster loses no acknowledged row', async () => {
    const first = await start();
    const database = open(first);
    await database.query('create table kept (n int)');
    let acknowledged = 0;
    for (; acknowledged < 50; acknowledged += 1)
      await database.query('insert into kept values ($1)', [acknowledged]);
    const writing = (async () => {
      for (;;) {
        await database.query('insert into kept values ($1)', [acknowledged]);
        acknowledged += 1;
      }
    })();
    process.kill(first.pid, 'SIGKILL');
    await expect(writing).rejects.toThrow();
    expect(await first.exited).toBeNull();

    const second = open(await start());
    const [row] = await second.query<{ rows: string; newest: number }>(
      'select count(*) as rows, max(n) as newest from kept',
    );
    expect(row?.newest).toBeGreaterThanOrEqual(acknowledged - 1);
    expect(Number(row?.rows)).toBe((row?.newest ?? 0) + 1);
  });

  test('a postmaster left behind by a killed run is ended first', async () => {
    const left = await start({ diesWithParent: false });
    await open(left).query('create table kept (n int)');
    // The run that owned it is gone: its process id belongs to nobody, or to somebody who started later.
    writeFileSync(join(folder, 'owner.json'), JSON.stringify({ pid: 1, startedTick: 'another' }));
    const steps: string[] = [];
    const next = await start({ progress: (step) => steps.push(step) });
    expect(steps).toContain('stopped the PostgreSQL of an earlier run');
    expect(isAlive(left.pid)).toBe(false);
    expect(await open(next).query('select * from kept')).toEqual([]);
  });

  test('a stale lock file whose process id now is somebody else is no obstacle', async () => {
    const first = await start();
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    await expect.poll(() => processesIn(join(folder, 'data')), { timeout: 30_000 }).toEqual([]);
    writeFileSync(join(folder, 'data', 'postmaster.pid'), `${process.pid}\n${join(folder, 'data')}\n`);
    expect(await open(await start()).query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a folder in use by another living process is refused by name', async () => {
    await start();
    const ownerFile = join(folder, 'owner.json');
    expect(() => claimDataFolder(ownerFile, process.pid + 1)).toThrow(`in use by process ${process.pid}`);
  });

  test.runIf(process.platform === 'linux')(
    'a killed owner whose parent has not asked for its exit code holds the folder no more',
    async () => {
      // The inner process ends at once; the shell has become a sleep, which never waits for children.
      const parent = spawn('sh', ['-c', 'sleep 1 & echo $!; exec sleep 60'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      try {
        const [said] = await once(parent.stdout, 'data');
        const pid = Number(String(said));
        const fields = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
        await expect.poll(() => fields()[0], { timeout: 20_000 }).toBe('Z');
        const ownerFile = join(folder, 'owner.json');
        writeFileSync(ownerFile, JSON.stringify({ pid, startedTick: fields()[19] }));
        claimDataFolder(ownerFile, process.pid);
        expect(JSON.parse(readFileSync(ownerFile, 'utf8')).pid).toBe(process.pid);
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );

  test('a start that died while creating the cluster leaves nothing in the way', async () => {
    mkdirSync(join(folder, 'data.partial'), { recursive: true });
    writeFileSync(join(folder, 'data.partial', 'half'), 'x');
    await start();
    expect(existsSync(join(folder, 'data.partial'))).toBe(false);
  });

  test('a long path keeps its socket elsewhere and cleans it up', async () => {
    const deep = join(folder, 'x'.repeat(100));
    const server = await start({ directory: deep });
    const { host } = server.connection('postgres');
    expect(host.startsWith(deep)).toBe(false);
    await server.stop();
    expect(existsSync(host)).toBe(false);
  });

  test('settings it cannot start with are told with the server’s own words', async () => {
    await expect(start({ settings: { shared_buffers: 'plenty' } })).rejects.toThrow(/shared_buffers/);
    expect(readdirSync(folder)).not.toContain('owner.json');
  });

  const debian = systemPostgres(15);
  test.skipIf(debian === undefined)(
    'another major version is refused before it touches the data',
    async () => {
      const first = await start();
      await first.stop();
      if (debian === undefined) return;
      await expect(start({ binaries: debian })).rejects.toThrow(/made by PostgreSQL 18, this is 15/);
    },
  );
});
