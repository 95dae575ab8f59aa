import type { CallAnswer, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import { TRUST_LIFE_MILLIS } from '../factors/devices.ts';
import { sha256Hex } from '../keyed-hash.ts';
import { refusal } from '../ports.ts';
import { carryOut, grantProof, type SecurityDeps } from './security-desk.ts';

/** What a member knows a browser by: not what the database names it, which two members of one browser would share. */
function shownId({ user }: MemberCaller, device: string): string {
  return sha256Hex(`device ${user} ${device}`);
}

/** x/account/Devices: browsers in which the member is trusted. */
export async function listDevices(
  deps: SecurityDeps,
  caller: MemberCaller,
): Promise<CallAnswer<CallResponse<'x/account/Devices'>>> {
  const rows = await deps.security.devices(caller.user, caller.sessionId, caller.now);
  const value = rows.map(({ device, trustedUntil, ...row }) => ({
    ...{ ...row, trustedUntil },
    id: shownId(caller, device),
    lastLoginAt: trustedUntil - TRUST_LIFE_MILLIS,
  }));
  return { ok: true, value };
}

/** x/account/ForgetDevice: with a grant; one of somebody else is as unknown as any. */
export async function forgetDevice(
  deps: SecurityDeps,
  caller: MemberCaller,
  { id, grant }: CallRequest<'x/account/ForgetDevice'>,
): Promise<CallAnswer<CallResponse<'x/account/ForgetDevice'>>> {
  const rows = await deps.security.devices(caller.user, caller.sessionId, caller.now);
  const found = rows.find(({ device }) => shownId(caller, device) === id);
  if (found === undefined) {
    return refusal({ error: 'field-invalid', field: 'id', allowed: 'a browser of x/account/Devices' });
  }
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'x/account/ForgetDevice' },
    proofs: [grantProof(caller, grant)],
    effects: [{ kind: 'forget-device', device: found.device }],
  });
  if (!done.ok) return done;
  const value = { ended: done.acted.ended.length };
  return { ok: true, value, ...(found.current ? { cookie: { clear: true as const } } : {}) };
}
