import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { startSimulator } from './simulator-process.mjs';

/** How long a test of real clients may take. */
export const LONG = { timeout: 180_000 };

/**
 * A simulator of a test file's own: started before its tests, stopped after them. Its address is known from then on.
 * `limited`: clients that do not wait ask faster than OKX allows, and limits have tests of their own.
 */
export function playedSimulator(seed, { limited = true } = {}) {
  const closers = [];
  const played = {
    /** Closes a client before the simulator ends; a socket client of an SDK with all its sockets. */
    closing(client) {
      closers.push(() => (client.closeAll === undefined ? client.close() : client.closeAll(true)));
      return client;
    },
    /** The keys of a fresh account with so much of some assets; OKX's have a passphrase. */
    async account(venue, label, funds = { USDT: '100000' }) {
      const { apiKey, secret, passphrase } = await played.admin('POST', 'keys', { venue, label });
      for (const [asset, amount] of Object.entries(funds)) {
        const creditId = `${label}-${asset}`;
        await played.admin('POST', 'credit', { venue, label, asset, amount, creditId });
      }
      return passphrase === undefined ? { apiKey, secret } : { apiKey, secret, passphrase };
    },
  };
  before(async () => {
    const env = limited ? {} : { SIM_LIMITS: 'off' };
    Object.assign(played, await startSimulator(['--seed', String(seed)], env));
  }, LONG);
  after(async () => {
    await Promise.allSettled(closers.map((close) => close()));
    assert.equal(await played.stop(), 0);
  });
  return played;
}
