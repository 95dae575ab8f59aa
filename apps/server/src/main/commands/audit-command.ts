import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../storage/postgres/database.ts';
import { createAuditChain, verifyWith } from '../../storage/stores/audit-chain.ts';
import { verifyAuditFile } from '../../storage/stores/audit-file.ts';
import type { AuditKeys } from '../../storage/stores/audit-start.ts';
import { JOURNAL_BEGIN, verifyJournals } from '../../storage/stores/journal-seals.ts';
import { auditKeysOf } from '../../storage/stores/keys/master-keys.ts';
import { breakText, headFile } from '../audit.ts';
import { loadSecrets } from '../secrets.ts';
import { notAsked, onDatabase, say, thisInstallation } from './installation.ts';

/**
 * `npm run audit -- verify`: recomputes the chain over the whole audit log, compares its end with the head kept in the data
 * directory, and every row of the journals of money with the seals that the chain has of them. `npm run audit -- verify-file <path>` does so with a file of `/admin`, and looks whether the log still has its
 * last place. Both answer 0 when all is intact, 1 with the first break, 2 when nothing could be verified.
 */

async function verifyFile(database: Database, keys: AuditKeys, path: string): Promise<number> {
  const { after, head, broken } = verifyAuditFile(await readFile(path, 'utf8'), keys);
  if (broken !== undefined) {
    say(`BROKEN  line ${broken.line}: ${broken.what}`);
    return 1;
  }
  const [stored] = await database.query<{ hash: string | null; gone: boolean }>(
    `select coalesce((select hash from audit_heads where seq = $1), (select hash from audit_cuts where seq = $1)) as hash,
       exists (select from audit_cuts where seq > $1) as gone`,
    [head.seq],
  );
  // Places that the log has let go are told by the file alone.
  const isGone = stored?.hash === null && stored.gone;
  if (head.seq > 0 && !isGone && stored?.hash !== head.hash) {
    say(`BROKEN  the file is intact up to place ${head.seq}, which the log has no more`);
    return 1;
  }
  say(`The file is intact: places ${after + 1} to ${head.seq}.`);
  return 0;
}

async function run(): Promise<number> {
  const [, , what, path] = process.argv;
  const isFile = what === 'verify-file' && path !== undefined;
  if ((what !== 'verify' && !isFile) || process.argv.length > (isFile ? 4 : 3))
    return notAsked('usage: npm run audit -- verify | verify-file <path>');
  const { dataDir, masterKey } = thisInstallation();
  if (masterKey === undefined && !existsSync(join(dataDir, 'master.key')))
    return notAsked(`No key: the chain is verified with HUB_MASTER_KEY, or master.key of ${dataDir}.`);
  const secrets = loadSecrets(masterKey, dataDir, () => new Uint8Array());
  return onDatabase(async (database) => {
    const keys = await auditKeysOf(database.pool, secrets);
    if (isFile) return await verifyFile(database, keys, path);
    const known = await headFile(dataDir).read();
    let until = JOURNAL_BEGIN.until;
    const { verdict, broken } = await verifyWith(createAuditChain(database, keys), known, async (begin) => {
      const found = await verifyJournals(database, JOURNAL_BEGIN, {
        rowsMax: Infinity,
        carried: begin?.carried,
      });
      until = found.place.until;
      return found.broken;
    });
    const { head, waiting, cut } = verdict;
    if (verdict.broken !== undefined) {
      say(`BROKEN  ${breakText(verdict.broken)}`);
      return 1;
    }
    const first = cut?.seq ?? 0;
    say(`The audit log is intact: ${head.seq - first} rows, ${waiting} wait for their place.`);
    if (cut !== undefined)
      say(`It begins after place ${first}, signed: rows of before were older than seven years.`);
    if (broken !== undefined) {
      say(`BROKEN  ${breakText(broken)}`);
      say(`        ${('row' in broken ? broken.row : undefined) ?? 'there is no such row'}`);
      return 1;
    }
    const { decisions, transfers } = until;
    say(`The journals of money are as sealed: decisions up to ${decisions}, movements up to ${transfers}.`);
    if (known === undefined)
      say('No head is kept in the data directory: a tail that was cut off would not show.');
    return 0;
  });
}

process.exitCode = await run();
