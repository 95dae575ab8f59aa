import type { CallAnswer, Caller, CallRequest, CallResponse } from '@crossbook/contract';
import { sha256Hex } from '../keyed-hash.ts';
import { refusal } from '../ports.ts';
import { recoveredPassword } from './password-changes.ts';
import { carryOut, type SecurityDeps } from './security-desk.ts';

/**
 * x/account/Freeze: the link of a mail, pressed by its reader. It ends what is logged in, takes off the account's second factors
 * where the first of them is less than a day old, and can do nothing else.
 */
export async function freeze(
  deps: SecurityDeps,
  caller: Caller,
  { token, captcha }: CallRequest<'x/account/Freeze'>,
): Promise<CallAnswer<CallResponse<'x/account/Freeze'>>> {
  if ((await deps.captcha.redeem(captcha, caller.now)) === undefined)
    return refusal({ error: 'captcha-invalid' });
  const hash = sha256Hex(token);
  const user = await deps.security.freezeTokenOwner(hash, caller.now);
  if (user === undefined) return refusal({ error: 'flow-invalid' });
  const done = await carryOut(deps, caller, {
    ...{ user, call: 'x/account/Freeze', ends: 'all', tells: 'frozen' },
    proofs: [{ kind: 'freeze', hash }],
    effects: [{ kind: 'freeze' }],
  });
  return done.ok ? { ok: true, value: {} } : done;
}

/** x/account/Unfreeze: mailbox, authenticator where set, and a new password; the lock on money begins anew. */
export async function unfreeze(
  deps: SecurityDeps,
  caller: Caller,
  request: CallRequest<'x/account/Unfreeze'>,
): Promise<CallAnswer<CallResponse<'x/account/Unfreeze'>>> {
  const recovered = await recoveredPassword(deps, caller, { ...request, purpose: 'unfreeze' });
  if (!recovered.ok) return recovered;
  const { member, hash, proofs, drops } = recovered;
  const done = await carryOut(deps, caller, {
    ...{ user: member.user, call: 'x/account/Unfreeze', proofs, ends: 'all', locks: 'unfreeze' },
    effects: [...drops, { kind: 'unfreeze' }, { kind: 'password', hash }, { kind: 'provider-unlink' }],
    tells: 'unfrozen',
  });
  return done.ok ? { ok: true, value: {} } : done;
}
