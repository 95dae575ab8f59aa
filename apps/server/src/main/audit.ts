import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Millis } from '@crossbook/domain';
import type { AuditBreak, AuditChain, AuditHead, AuditVerdict } from '../storage/stores/audit-chain.ts';
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
  /** Absent = the newest head is kept nowhere but in the database. */
  readonly file: HeadFile | undefined;
  /** Another machine that heads are told to. */
  readonly sink?: AuditSink | undefined;
  readonly log: { error(facts: object, event: string): void };
  tellOperator(mail: OperatorMail): Promise<void>;
  readonly steady: () => Millis;
}

/** What a verification found, and whether it had a head of outside to compare with. */
export type KeeperVerdict = AuditVerdict & { readonly headKept: boolean };

/** Seals and verifies for as long as the hub runs. */
export interface AuditKeeper {
  /** Gives everything that waits its place. Never rejects: what goes wrong is logged, and tried again. */
  seal(): Promise<void>;
  /**
   * Verifies the whole log for all who ask meanwhile: one at a time.
   * @param oldMillisMax a verdict younger than this is answered again.
   */
  verdict(oldMillisMax: number): Promise<KeeperVerdict>;
  /** Verifies the whole log; a break is an incident that the operator is mailed, once. Never rejects. */
  verify(): Promise<void>;
  start(): void;
  /** Ends after the work under way. */
  stop(): Promise<void>;
}

const SEAL_EVERY_MILLIS = 1_000;
const VERIFY_EVERY_MILLIS = 3_600_000;

/** One piece of work at a time; what comes in between is left out. */
export function auditKeeper({ chain, file, sink, log, tellOperator, steady }: AuditKeeperDeps): AuditKeeper {
  let working: Promise<void> = Promise.resolve();
  let idle = true;
  let stops: readonly (() => void)[] = [];
  let reported: AuditBreak | undefined;
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
  const seal = () =>
    alone(async () => {
      for (let head = await chain.seal(); head !== undefined; head = await chain.seal()) {
        await file?.write(head);
        sink?.tell(head);
      }
      sink?.send();
    });
  const verify = () =>
    alone(async () => {
      const { broken } = await chain.verify(await file?.read());
      if (broken === undefined || reported !== undefined) return;
      reported = broken;
      log.error({ broken }, 'incident: the audit log was changed');
      const body = `${breakText(broken)}\n\nnpm run audit -- verify shows it. Compare with your backups.\n`;
      await tellOperator({ subject: 'Incident: the audit log was changed', body });
    });
  const verifyNow = async (): Promise<KeeperVerdict> => {
    // What was written before the question has its place by then.
    await working;
    const at = steady();
    const known = await file?.read();
    const verdict = { ...(await chain.verify(known)), headKept: known !== undefined };
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
      await sink?.stop();
    },
  };
}

/** A break in words. */
export function breakText({ seq, entry, what }: AuditBreak): string {
  const where = [seq === undefined ? '' : `place ${seq}`, entry === undefined ? '' : `row ${entry}`];
  return `${what}: ${where.filter((part) => part !== '').join(', ')}`;
}
