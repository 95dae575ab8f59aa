import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Millis } from '@crossbook/domain';
import type { HttpLog } from '../http/call-routes.ts';
import { type RefusalBook, refusalBook } from '../http/refusal-book.ts';
import { type SecurityLog, securityLog } from '../http/security-log.ts';
import type { Database } from '../storage/postgres/database.ts';
import {
  type AuditBreak,
  type AuditChain,
  type AuditVerdict,
  verifyWith,
} from '../storage/stores/audit-chain.ts';
import { appendAll } from '../storage/stores/audit-log.ts';
import type { AuditCut, AuditHead } from '../storage/stores/audit-start.ts';
import {
  JOURNAL_BEGIN,
  type JournalBreak,
  type JournalPlace,
  type JournalSeals,
} from '../storage/stores/journal-seals.ts';
import type { AuditSink } from './audit-sink.ts';
import type { OperatorMail } from './mail/incident-mail.ts';
import { timers } from './outside/outside.ts';

/** The newest head outside of the database: what shows that the end of the log was cut off. */
export interface HeadFile {
  read(): Promise<AuditHead | undefined>;
  /** On the disk when it answers; after a crash the file holds this head or the one before. */
  write(head: AuditHead): Promise<void>;
}

/** Keeps the newest head in `audit-head.json` of the data directory. */
export function headFile(dataDir: string): HeadFile {
  const path = join(dataDir, 'audit-head.json');
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      return text === undefined ? undefined : (JSON.parse(text) as AuditHead);
    },
    async write(head) {
      const draft = `${path}.new`;
      const file: FileHandle = await open(draft, 'w', 0o600);
      try {
        await file.writeFile(`${JSON.stringify(head)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
    },
  };
}

/** What keeps the audit log sealed. */
export interface AuditKeeperDeps {
  readonly chain: AuditChain;
  /** Lets go what the log keeps no longer. */
  cut(): Promise<unknown>;
  readonly journal: JournalSeals;
  /** Refusals that wait to be written. */
  readonly refusals: Pick<RefusalBook, 'write'>;
  /** Absent = the newest head is kept nowhere but in the database. */
  readonly file: HeadFile | undefined;
  /** Another machine that heads are told to. */
  readonly sink?: AuditSink | undefined;
  readonly log: { error(facts: object, event: string): void };
  tellOperator(mail: OperatorMail): Promise<void>;
  readonly steady: () => Millis;
}

/** What is wrong: with the chain, or with a journal that it has seals of. */
export type KeeperBreak = AuditBreak | JournalBreak;

/** What a verification found, and whether it had a head of outside to compare with. */
export type KeeperVerdict = Omit<AuditVerdict, 'broken'> & {
  readonly headKept: boolean;
  readonly broken?: KeeperBreak;
};

/** Seals and verifies for as long as the hub runs. */
export interface AuditKeeper {
  /**
   * Writes what waits, seals the journals when that is due, and gives all rows their places. Never rejects: what goes wrong is
   * logged, and tried again.
   */
  seal(): Promise<void>;
  /**
   * Verifies the whole log for all who ask meanwhile: one at a time.
   * @param oldMillisMax a verdict younger than this is answered again.
   */
  verdict(oldMillisMax: number): Promise<KeeperVerdict>;
  /** Verifies the whole log; a break is an incident that the operator is mailed, once. Never rejects. */
  verify(): Promise<void>;
  start(): void;
  /** Ends after the work under way, and after everything has its place. */
  stop(): Promise<void>;
}

const SEAL_EVERY_MILLIS = 1_000;
/** How old a row of a journal is at most before it is sealed, where nobody writes for longer. */
const JOURNAL_EVERY_MILLIS = 60_000;
const VERIFY_EVERY_MILLIS = 3_600_000;
/** Rows of the journals that one verification looks at; the next one goes on behind them, and then from the beginning. */
const JOURNAL_ROWS_MAX = 250_000;
/** How often the journals are sealed in a row while the hub stops: 65,536 numbers of each a time. */
const LAST_SEALS_MAX = 20;

/** Seals the journals when that is due. */
function journalKeeper(journal: JournalSeals, steady: () => Millis) {
  let dueAt = Number.NEGATIVE_INFINITY;
  let place: JournalPlace = JOURNAL_BEGIN;
  return {
    async seal(): Promise<void> {
      if (steady() < dueAt) return;
      // What is left is asked for again at the next turn.
      if ((await journal.seal()) === 'nothing') dueAt = steady() + JOURNAL_EVERY_MILLIS;
    },
    async sealLast(): Promise<void> {
      for (let left = LAST_SEALS_MAX; left > 0 && (await journal.seal()) === 'ranges'; left -= 1);
    },
    /** Goes on where the one before ended; after the end, from the beginning. */
    async verify(cut: AuditCut | undefined): Promise<JournalBreak | undefined> {
      const { place: reached, done, broken } = await journal.verify(place, JOURNAL_ROWS_MAX, cut?.carried);
      place = done ? JOURNAL_BEGIN : reached;
      return broken;
    },
  };
}

/** One piece of work at a time; what comes in between is left out. */
export function auditKeeper(deps: AuditKeeperDeps): AuditKeeper {
  const { chain, refusals, file, sink, log, tellOperator, steady } = deps;
  const journal = journalKeeper(deps.journal, steady);
  let working: Promise<void> = Promise.resolve();
  let idle = true;
  let stops: readonly (() => void)[] = [];
  let reported: KeeperBreak | undefined;
  let asked: Promise<KeeperVerdict> | undefined;
  let newest: { readonly verdict: KeeperVerdict; readonly at: Millis } | undefined;

  const alone = (work: () => Promise<void>): Promise<void> => {
    if (!idle) return working;
    idle = false;
    working = work()
      .catch((error: unknown) => log.error({ error }, 'the audit log could not be sealed or verified'))
      .finally(() => {
        idle = true;
      });
    return working;
  };
  const sealWith = (before: () => Promise<void>) =>
    alone(async () => {
      await before();
      for (let head = await chain.seal(); head !== undefined; head = await chain.seal()) {
        await file?.write(head);
        sink?.tell(head);
      }
      sink?.send();
    });
  const seal = () =>
    sealWith(async () => {
      await refusals.write();
      await journal.seal();
    });
  const verify = () =>
    alone(async () => {
      const { broken } = await verifyWith(chain, await file?.read(), journal.verify);
      // Only what is as it was sealed is let go.
      if (broken === undefined) await deps.cut();
      if (broken === undefined || reported !== undefined) return;
      reported = broken;
      log.error({ broken: breakText(broken) }, 'incident: the audit log was changed');
      const body = `${breakText(broken)}\n\nnpm run audit -- verify shows it. Compare with your backups.\n`;
      await tellOperator({ subject: 'Incident: the audit log was changed', body });
    });
  const verifyNow = async (): Promise<KeeperVerdict> => {
    // What was written before the question has its place by then.
    await working;
    const at = steady();
    const known = await file?.read();
    const { verdict: found, broken } = await verifyWith(chain, known, journal.verify);
    const verdict = { ...found, headKept: known !== undefined, ...(broken === undefined ? {} : { broken }) };
    newest = { verdict, at };
    return verdict;
  };
  return {
    seal,
    verify,
    async verdict(oldMillisMax) {
      if (newest !== undefined && steady() - newest.at < oldMillisMax) return newest.verdict;
      asked ??= verifyNow().finally(() => {
        asked = undefined;
      });
      return asked;
    },
    start() {
      void verify();
      stops = [
        timers.every(SEAL_EVERY_MILLIS, () => void seal()),
        timers.every(VERIFY_EVERY_MILLIS, () => void verify()),
      ];
    },
    async stop() {
      for (const end of stops) end();
      await working;
      await sealWith(async () => {
        await refusals.write(true);
        await journal.sealLast();
      });
      await sink?.stop();
    },
  };
}

/** A break in words: of a journal by its number alone, for what a row says is a member's. */
export function breakText(broken: KeeperBreak): string {
  if ('journal' in broken) return `${broken.what}: row ${broken.number} of the journal of ${broken.journal}`;
  const { seq, entry, what } = broken;
  const where = [seq === undefined ? '' : `place ${seq}`, entry === undefined ? '' : `row ${entry}`];
  return `${what}: ${where.filter((part) => part !== '').join(', ')}`;
}

/** What the door notes of its calls: in the log of the process, and what it refused for the audit log. */
export function doorNotes(parts: {
  readonly database: Database;
  readonly log: HttpLog;
  readonly clock: () => Millis;
  readonly steady: () => Millis;
}): { readonly security: SecurityLog; readonly refusals: RefusalBook } {
  const { database, log, clock, steady } = parts;
  const lines = securityLog(log, steady);
  const refusals = refusalBook({ clock, steady, append: (rows) => appendAll(database, rows) });
  return {
    refusals,
    security: {
      note(outcome, event) {
        lines.note(outcome, event);
        refusals.note(outcome, event);
      },
    },
  };
}
