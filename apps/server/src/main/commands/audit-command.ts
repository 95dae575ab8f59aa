import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createAuditChain } from '../../storage/stores/audit-chain.ts';
import { auditKeysOf } from '../../storage/stores/keys/master-keys.ts';
import { breakText, headFile } from '../audit.ts';
import { loadSecrets } from '../secrets.ts';
import { NO_DATABASE, thisInstallation } from './installation.ts';

/**
 * `npm run audit -- verify`: recomputes the chain over the whole audit log and compares its end with the head kept in the
 * data directory. Answers 0 when it is intact, 1 with the first break, 2 when nothing could be verified.
 */

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function run(): Promise<number> {
  if (process.argv[2] !== 'verify' || process.argv.length > 3) {
    say('usage: npm run audit -- verify');
    return 2;
  }
  const { dataDir, masterKey, openOwner } = thisInstallation();
  if (masterKey === undefined && !existsSync(join(dataDir, 'master.key'))) {
    say(`No key: the chain is verified with HUB_MASTER_KEY, or master.key of ${dataDir}.`);
    return 2;
  }
  const secrets = loadSecrets(masterKey, dataDir, () => new Uint8Array());
  const database = openOwner();
  if (database === undefined) {
    say(NO_DATABASE);
    return 2;
  }
  try {
    const known = await headFile(dataDir).read();
    const keys = await auditKeysOf(database.pool, secrets);
    const { head, waiting, broken } = await createAuditChain(database, keys).verify(known);
    if (broken !== undefined) {
      say(`BROKEN  ${breakText(broken)}`);
      return 1;
    }
    say(`The audit log is intact: ${head.seq} rows, ${waiting} wait for their place.`);
    if (known === undefined)
      say('No head is kept in the data directory: a tail that was cut off would not show.');
    return 0;
  } finally {
    await database.close();
  }
}

process.exitCode = await run();
