import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { amount, type Millis } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { QuietMarket, quietFacts } from '../accounts/quiet-market.fixture.ts';
import { openExchange } from '../core.ts';
import type { AccountNumber } from '../exchange.ts';

// A device that opens like any file and refuses every byte.
const FULL_DISK = '/dev/full';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'full-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test.skipIf(!existsSync(FULL_DISK))(
  'when the disk is full nothing is acknowledged any more, nobody is told of it, and what was acknowledged is kept',
  async () => {
    const faults: boolean[] = [];
    const options = {
      market: new QuietMarket([quietFacts('AAA', 'USDT')]),
      clock: () => 1 as Millis,
      randomBytes: (size: number) => new Uint8Array(size),
      dataDirectory: directory,
      onFault: (_: unknown, fatal: boolean) => faults.push(fatal),
    };
    const exchange = await openExchange({ ...options, journalLimits: { journalBytesMax: 600 } });
    await symlink(FULL_DISK, join(directory, 'journal-00000002'));
    const account = await exchange.openAccount('alice');
    const acknowledged: string[] = [];
    const reported: bigint[] = [];
    exchange.subscribe({ onBalances: (_, __, delta) => reported.push(delta?.amount ?? 0n) });
    // The journal file grows until a snapshot changes it for the next one, which is the full disk.
    for (let at = 0; at < 40; at += 1) {
      const credited = exchange.credit(account, 'USDT', amount('1'), `c${at}`);
      await credited.then(
        () => acknowledged.push(`c${at}`),
        () => undefined,
      );
    }
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.length).toBeLessThan(40);
    expect(reported).toHaveLength(acknowledged.length);
    expect(faults).toEqual([true]);
    await expect(exchange.credit(account, 'USDT', amount('1'), 'late')).rejects.toThrow('takes no commands');
    await expect(exchange.durable()).rejects.toThrow('ENOSPC');
    await expect(exchange.close()).rejects.toThrow();

    await rm(join(directory, 'journal-00000002'));
    const again = await openExchange(options);
    expect(again.accountOfLabel('alice')).toBe(account);
    for (const creditId of acknowledged) {
      expect(await again.credit(1 as AccountNumber, 'USDT', amount('1'), creditId)).toBe(false);
    }
    await again.close();
  },
);
