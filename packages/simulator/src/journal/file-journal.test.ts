import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { amount } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AccountNumber } from '../exchange.ts';
import { DirectoryInUse, lockDirectory } from './directory-lock.ts';
import { openFileJournal } from './file-journal.ts';
import { decodeFrames, encodeFrame } from './framing.ts';
import { JournalDamaged } from './generations.ts';
import type { Journal } from './journal.ts';
import { decodeRecord, encodeRecord, type JournalRecord } from './records.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'journal-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const record = (id: number): JournalRecord => ({
  kind: 'account',
  account: id as AccountNumber,
  label: `n${id}`,
});

function kept(journal: Journal, one: JournalRecord): Promise<void> {
  return new Promise((resolve, reject) => {
    journal.append(one, (failure) => (failure === undefined ? resolve() : reject(failure)));
  });
}

async function written(count: number): Promise<void> {
  const { journal } = await openFileJournal(directory);
  await Promise.all(Array.from({ length: count }, (_, at) => kept(journal, record(at + 1))));
  await journal.close();
}

async function reopened(): Promise<readonly JournalRecord[]> {
  const { journal, records } = await openFileJournal(directory);
  await journal.close();
  return records;
}

const journalFile = () => join(directory, 'journal-00000001');

test('amounts survive the journal to the unit, and text that looks like one stays text', () => {
  const credit: JournalRecord = {
    kind: 'credit',
    account: 1 as AccountNumber,
    asset: 'USDT',
    amount: amount('99999999999999999999.999999999999999999'),
    creditId: '12345678901234567890',
    time: 5 as never,
  };
  expect(decodeRecord(encodeRecord(credit))).toEqual(credit);
});

test('a journal cut at any byte opens to a whole number of records, and goes on', async () => {
  await written(4);
  const whole = await readFile(journalFile());
  const ends = [0];
  for (let at = 1; at <= 4; at += 1)
    ends.push((ends.at(-1) ?? 0) + encodeFrame(encodeRecord(record(at))).length);
  for (let length = 0; length <= whole.length; length += 1) {
    await writeFile(journalFile(), whole.subarray(0, length));
    const expected = ends.filter((end) => end > 0 && end <= length).length;
    expect(await reopened()).toEqual(Array.from({ length: expected }, (_, at) => record(at + 1)));
  }
  await writeFile(journalFile(), whole.subarray(0, whole.length - 3));
  const { journal } = await openFileJournal(directory);
  await kept(journal, record(9));
  await journal.close();
  expect(await reopened()).toEqual([record(1), record(2), record(3), record(9)]);
});

test('rubbish and zeros behind the last record are cut off', async () => {
  await written(2);
  for (const tail of [
    Buffer.alloc(64),
    Buffer.from('not a frame at all'),
    encodeFrame(Buffer.from('{}')).fill(7, 4, 8),
  ]) {
    await appendFile(journalFile(), tail);
    expect(await reopened()).toEqual([record(1), record(2)]);
  }
});

test('any flipped bit in a frame is noticed', () => {
  const frame = encodeFrame(encodeRecord(record(1)));
  for (let bit = 0; bit < frame.length * 8; bit += 1) {
    const broken = Buffer.from(frame);
    broken[bit >> 3] = (broken[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(decodeFrames(broken).payloads).toEqual([]);
  }
});

test('a snapshot replaces what came before it, and what is appended meanwhile follows it', async () => {
  const { journal } = await openFileJournal(directory);
  const early = [kept(journal, record(1)), kept(journal, record(2))];
  const snapshot = journal.snapshot([record(100)]);
  const late = [kept(journal, record(3)), kept(journal, record(4))];
  await Promise.all([...early, snapshot, ...late]);
  await journal.close();
  expect((await readdir(directory)).sort()).toEqual(['journal-00000002', 'snapshot-00000002']);
  expect(await reopened()).toEqual([record(100), record(3), record(4)]);
});

test('a process that ended while its snapshot was being written opens from the one before', async () => {
  await written(2);
  await writeFile(join(directory, 'journal-00000002'), encodeFrame(encodeRecord(record(3))));
  await writeFile(join(directory, 'snapshot-00000002.draft'), 'half a snapsh');
  expect(await reopened()).toEqual([record(1), record(2), record(3)]);
  expect((await readdir(directory)).sort()).toEqual(['journal-00000001', 'journal-00000002']);
});

test('damage anywhere but at the end of the last journal is refused, and nothing is touched', async () => {
  await written(2);
  const damaged = await readFile(journalFile());
  damaged[12] = (damaged[12] ?? 0) ^ 1;
  await writeFile(journalFile(), damaged);
  await writeFile(join(directory, 'journal-00000002'), encodeFrame(encodeRecord(record(3))));
  await expect(openFileJournal(directory)).rejects.toBeInstanceOf(JournalDamaged);
  expect(await readFile(journalFile())).toEqual(damaged);
  // The refusal gave the directory back.
  await (await lockDirectory(directory))();
});

test('acknowledgements come in order, each once, and only when the record is in the file', async () => {
  const { journal } = await openFileJournal(directory);
  const order: number[] = [];
  const found: boolean[] = [];
  for (let at = 1; at <= 50; at += 1) {
    journal.append(record(at), () => order.push(at));
    if (at % 10 === 0) {
      await journal.flushed();
      found.push((await readFile(journalFile())).includes(`"n${at}"`));
    }
  }
  await journal.flushed();
  expect(order).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
  expect(found).toEqual([true, true, true, true, true]);
  await journal.close();
});

test('a full backlog and a due snapshot are told', async () => {
  const { journal } = await openFileJournal(directory, { backlogBytesMax: 100, journalBytesMax: 100 });
  expect([journal.overloaded, journal.snapshotDue]).toEqual([false, false]);
  const writing = Promise.all(Array.from({ length: 5 }, (_, at) => kept(journal, record(at))));
  expect([journal.overloaded, journal.snapshotDue]).toEqual([true, true]);
  await writing;
  expect([journal.overloaded, journal.snapshotDue]).toEqual([false, true]);
  await journal.snapshot([record(1)]);
  expect(journal.snapshotDue).toBe(false);
  await journal.close();
});

test('one directory has one owner; the claim of a process that is gone is taken over', async () => {
  const unlock = await lockDirectory(directory);
  await expect(lockDirectory(directory)).rejects.toBeInstanceOf(DirectoryInUse);
  await unlock();
  // A pid that cannot be alive, and our own pid as it was used by an earlier process.
  for (const stale of ['4194999 123 boot', `${process.pid} 1 another-boot`, 'rubbish', '']) {
    await writeFile(join(directory, 'lock'), stale);
    await (await lockDirectory(directory))();
  }
  expect(await readdir(directory)).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'a killed owner whose parent has not asked for its exit code has let go of the directory',
  async () => {
    // The inner process ends once the shell has become a sleep, which never waits for children.
    const parent = spawn('sh', ['-c', 'sleep 1 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [said] = await once(parent.stdout, 'data');
      const zombie = Number(String(said));
      const fields = async () =>
        (await readFile(`/proc/${zombie}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
      await expect.poll(async () => (await fields())[0], { timeout: 20_000 }).toBe('Z');
      const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
      await writeFile(join(directory, 'lock'), `${zombie} ${(await fields())[19]} ${boot}`);
      await (await lockDirectory(directory))();
    } finally {
      parent.kill('SIGKILL');
    }
  },
);
