import type { Millis } from '@crossbook/domain';
import { type Database, type DatabaseAddress, openDatabase } from '../storage/postgres/database.ts';
import {
  claimMasterKey,
  holdMasterKey,
  type KeyHold,
  MasterKeyRefused,
} from '../storage/stores/keys/master-keys.ts';
import { timers } from './outside/outside.ts';

export { MasterKeyRefused };

const TRY_AGAIN_MILLIS = 1_000;
const BEING_CHANGED =
  'the master key of this database is being changed: start again when npm run rotate-key has ended';

async function hold(owner: Database, masterKey: Uint8Array, now: Millis): Promise<KeyHold> {
  const held = await holdMasterKey(owner.address, 'shared');
  if (held === undefined) throw new MasterKeyRefused(BEING_CHANGED);
  try {
    await claimMasterKey(owner, masterKey, now);
    return held;
  } catch (error) {
    await held.release();
    throw error;
  }
}

/**
 * Keeps the master key from being changed under a running hub. Where the database went away and the key was changed meanwhile, `end`
 * is told, and the hub must stop: it can open nothing any more.
 * @throws MasterKeyRefused when the key is not the one of this database.
 */
export async function guardMasterKey(deps: {
  readonly address: DatabaseAddress;
  readonly masterKey: Uint8Array;
  readonly clock: () => Millis;
  end(why: string): void;
}): Promise<{ stop(): Promise<void> }> {
  const owner = openDatabase({ address: deps.address, connectionsMax: 1 });
  let held: KeyHold | undefined;
  let stopped = false;
  const again = (): void => {
    if (stopped) return;
    hold(owner, deps.masterKey, deps.clock()).then(watch, (error: unknown) => {
      if (error instanceof MasterKeyRefused) deps.end(error.message);
      else timers.after(TRY_AGAIN_MILLIS, again);
    });
  };
  const watch = (now: KeyHold): void => {
    held = now;
    if (stopped) void now.release();
    void now.lost.then(again);
  };
  try {
    watch(await hold(owner, deps.masterKey, deps.clock()));
  } catch (error) {
    await owner.close();
    throw error;
  }
  return {
    async stop() {
      stopped = true;
      await held?.release();
      await owner.close();
    },
  };
}
