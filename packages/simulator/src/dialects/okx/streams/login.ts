import { ok, type Result, refused } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import { sameText } from '../../wire/hmac.ts';
import type { Desk } from '../desk.ts';
import { type ParamBag, ParamReader } from '../params.ts';
import { LOGIN_PATH, signatureFits } from '../sign.ts';
import { cannotBeEmpty, SOCKET_ERRORS, type SocketError } from './socket-errors.ts';

/** A log-on is worth as long as this. */
const LOGIN_MILLIS_MAX = 30_000;

/** Who logged on, and with which key. */
export interface Login {
  readonly account: AccountNumber;
  readonly apiKey: string;
}

/** Whose log-on it is: `[{apiKey, passphrase, timestamp, sign}]`, the time in seconds (OKX v5 guide, "Login"). */
export function readLogin(desk: Desk, args: readonly ParamBag[]): Result<Login, SocketError> {
  const [bag] = args;
  if (bag === undefined || args.length > 1) return refused(SOCKET_ERRORS.loginFailed);
  const reader = new ParamReader(bag);
  const fields = { apiKey: '', passphrase: '', timestamp: '', sign: '' };
  for (const name of ['apiKey', 'passphrase', 'timestamp', 'sign'] as const) {
    const value = reader.text(name);
    if (value === undefined) return refused(cannotBeEmpty(name));
    fields[name] = value;
  }
  const { apiKey, passphrase, timestamp, sign } = fields;
  if (!/^[0-9]{10}(\.[0-9]{1,6})?$/.test(timestamp)) return refused(SOCKET_ERRORS.badTimestamp);
  if (Math.abs(desk.now() - Number(timestamp) * 1_000) > LOGIN_MILLIS_MAX) {
    return refused(SOCKET_ERRORS.timestampExpired);
  }
  const owner = desk.venue.spot.keyOwner(apiKey);
  if (owner === undefined) return refused(SOCKET_ERRORS.badKey);
  if (!sameText(owner.passphrase ?? '', passphrase)) return refused(SOCKET_ERRORS.badPassphrase);
  const payload = `${timestamp}GET${LOGIN_PATH}`;
  if (!signatureFits(owner.secret, payload, sign)) return refused(SOCKET_ERRORS.badSign);
  return ok({ account: owner.account, apiKey });
}
