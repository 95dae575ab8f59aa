import { type MarginMode, ok, refused } from '@crossbook/domain';
import { failedRead } from '../../../trading/call-answers.ts';
import type { VenueCredentials, VenueRead } from '../../../venue-answers.ts';
import { asObject } from '../../../wire/guards.ts';
import type { Asking } from '../../account/calls.ts';
import { ACCOUNT_CALLS } from '../../limits.ts';
import { marginModeOf } from './positions.ts';

/** Accounts whose margin mode is remembered. */
const ACCOUNTS_MAX = 10_000;

/** The margin mode of accounts: the venue has one for the whole account and names it in no row of a position. */
export class MarginModes {
  readonly #calls: Asking;
  readonly #known = new Map<string, MarginMode>();
  /** Grows whenever a mode is forgotten: what was asked for before is told once, and not kept. */
  #forgotten = 0;

  constructor(calls: Asking) {
    this.#calls = calls;
  }

  /** Reads the mode of an account where it is not known. */
  async of(credentials: VenueCredentials): Promise<VenueRead<MarginMode>> {
    const known = this.#known.get(credentials.apiKey);
    if (known !== undefined) return ok(known);
    const before = this.#forgotten;
    const { answer } = await this.#calls.send(credentials, {
      ...{ method: 'GET', path: '/v5/account/info', limit: ACCOUNT_CALLS.read, parameters: {} },
      requestClass: 'reconciliation',
    });
    if (answer.kind !== 'result') return failedRead(answer);
    const mode = marginModeOf(answer.value.marginMode);
    if (mode === undefined) return refused('malformed');
    if (before !== this.#forgotten) return ok(mode);
    if (this.#known.size >= ACCOUNTS_MAX) this.#known.clear();
    this.#known.set(credentials.apiKey, mode);
    return ok(mode);
  }

  /**
   * What a row of the account says, whose rates are empty in isolated mode alone (account/wallet-balance): the mode may be
   * changed in the exchange's own app too, which no message tells.
   * @returns whether another mode was known, which is not told any more.
   */
  hear(credentials: VenueCredentials, account: unknown): boolean {
    const known = this.#known.get(credentials.apiKey);
    const rate = asObject(account)?.accountIMRate;
    if (known === undefined || typeof rate !== 'string' || (rate === '') === (known === 'isolated'))
      return false;
    this.forget(credentials);
    return true;
  }

  /** It may have changed: it is read before it is told again. */
  forget({ apiKey }: VenueCredentials): void {
    this.#known.delete(apiKey);
    this.#forgotten += 1;
  }
}
