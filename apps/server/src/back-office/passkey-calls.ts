import type { AdminCaller, AdminHandlers, AdminRequest, CallAnswer, Caller } from '@crossbook/contract';
import { uuidV7 } from '@crossbook/domain';
import { networkOf } from '../accounts/budgets.ts';
import { type ChallengePurpose, makeChallenge } from '../accounts/factors/passkey-challenge.ts';
import {
  answerOptions,
  madePasskey,
  type PasskeyAnswer,
  provedPasskey,
  registerOptions,
} from '../accounts/factors/passkeys.ts';
import { keyedHash, type SecretKey } from '../accounts/keyed-hash.ts';
import type { PasskeySiteOf } from '../accounts/passkey-ports.ts';
import { type RandomBytes, refusal } from '../accounts/ports.ts';
import {
  type AdminPasskey,
  type AdminPasskeyStore,
  PASSKEYS_PER_ADMIN_MAX,
  type UsedPasskey,
} from './passkey-ports.ts';
import { actingOf } from './ports.ts';

/** What passkeys of admins need. */
export interface AdminPasskeyDeps {
  readonly passkeys: AdminPasskeyStore;
  readonly passkeySite: PasskeySiteOf;
  /** Of challenges, and of how authenticators know admins. */
  readonly challengeKey: SecretKey;
  readonly random: RandomBytes;
  readonly productName: string;
}

/** The calls about one's own passkeys. */
export type AdminPasskeyCall = Extract<
  keyof AdminHandlers,
  `x/admin/Passkey${'s' | 'StepUpOptions' | 'LogInOptions' | 'AddOptions' | 'Add' | 'Remove'}`
>;

/** A member's challenge is never one of an admin. */
const OFFICE = 'back office';

/** Who logs in has no session: the answer comes from the network that asked. */
export function logInPurpose({ address }: Caller): ChallengePurpose {
  return { ceremony: 'login', asker: `${OFFICE} ${networkOf(address)}`, about: OFFICE };
}

/** A step-up is answered in the session that asked. */
export function stepUpPurpose({ sessionId, admin }: AdminCaller): ChallengePurpose {
  return { ceremony: 'step-up', asker: `${OFFICE} ${sessionId}`, about: `admin ${admin}` };
}

function addPurpose(caller: AdminCaller): ChallengePurpose {
  return { ...stepUpPurpose(caller), ceremony: 'register' };
}

/** A passkey of an admin that has answered; `undefined` for anything else. Whether it did so before is for the store to say. */
export async function usedPasskey(
  { passkeySite, challengeKey: key }: AdminPasskeyDeps,
  caller: Caller,
  answered: {
    readonly answer: PasskeyAnswer;
    readonly passkey: AdminPasskey | undefined;
    readonly purpose: ChallengePurpose;
  },
): Promise<UsedPasskey | undefined> {
  const { answer, passkey, purpose } = answered;
  const site = passkeySite(caller.origin);
  if (passkey === undefined || site === undefined) return undefined;
  const proved = await provedPasskey(answer, passkey, { key, site, purpose, now: caller.now });
  return proved && { id: passkey.id, admin: passkey.admin, ...proved };
}

async function optionsFor(
  { passkeySite, challengeKey, random }: AdminPasskeyDeps,
  caller: Caller,
  asked: { readonly purpose: ChallengePurpose; readonly known: readonly AdminPasskey[] },
): Promise<CallAnswer<{ options: string }>> {
  const site = passkeySite(caller.origin);
  if (site === undefined) return refusal({ error: 'passkey-host' });
  const challenge = makeChallenge(challengeKey, random, { purpose: asked.purpose, now: caller.now });
  return { ok: true, value: { options: await answerOptions(site, challenge, asked.known) } };
}

async function addOptions(
  deps: AdminPasskeyDeps,
  caller: AdminCaller,
): Promise<CallAnswer<{ options: string }>> {
  const { passkeySite, challengeKey, random, passkeys } = deps;
  if (caller.demo) return refusal({ error: 'demo-refused' });
  const site = passkeySite(caller.origin);
  if (site === undefined) return refusal({ error: 'passkey-host' });
  const known = await passkeys.of(caller.admin);
  if (known.length >= PASSKEYS_PER_ADMIN_MAX) return refusal({ error: 'passkey-limit' });
  const productName = `${deps.productName} admin`;
  const challenge = makeChallenge(challengeKey, random, { purpose: addPurpose(caller), now: caller.now });
  const owner = { handle: handleFor(deps, caller), name: caller.adminName, nickname: caller.adminName };
  return {
    ok: true,
    value: { options: await registerOptions({ site, challenge, productName, known, owner }) },
  };
}

function handleFor({ challengeKey }: AdminPasskeyDeps, { admin }: AdminCaller): string {
  return keyedHash(challengeKey, 'passkey admin', String(admin));
}

async function add(
  deps: AdminPasskeyDeps,
  caller: AdminCaller,
  { credential, name }: AdminRequest<'x/admin/PasskeyAdd'>,
): Promise<CallAnswer<Record<string, never>>> {
  if (caller.demo) return refusal({ error: 'demo-refused' });
  const { passkeySite, challengeKey: key, random, passkeys } = deps;
  const site = passkeySite(caller.origin);
  if (site === undefined) return refusal({ error: 'passkey-host' });
  const made = await madePasskey(credential, { key, site, purpose: addPurpose(caller), now: caller.now });
  if (made === undefined) return refusal({ error: 'passkey-failed' });
  const id = uuidV7(caller.now, random(10));
  const passkey = { ...made.passkey, id, name, handle: handleFor(deps, caller) };
  const outcome = await passkeys.add(actingOf(caller), passkey, made.challenge);
  return outcome === 'ok' ? { ok: true, value: {} } : refusal({ error: outcome });
}

/** Passkeys that an admin has; logging in and stepping up by one are calls of the log-in. */
export function passkeyCalls(deps: AdminPasskeyDeps): Pick<AdminHandlers, AdminPasskeyCall> {
  const { passkeys } = deps;
  return {
    'x/admin/PasskeyLogInOptions': (caller) =>
      optionsFor(deps, caller, { purpose: logInPurpose(caller), known: [] }),
    'x/admin/PasskeyStepUpOptions': async (caller) =>
      optionsFor(deps, caller, {
        purpose: stepUpPurpose(caller),
        known: await passkeys.of(caller.admin),
      }),
    'x/admin/Passkeys': async ({ admin }) => {
      const rows = (await passkeys.of(admin)).map(({ id, name, createdAt, lastUsedAt, backedUp }) => {
        return { id, name, createdAt, lastUsedAt: lastUsedAt ?? null, backedUp };
      });
      return { ok: true, value: { rows } };
    },
    'x/admin/PasskeyAddOptions': (caller) => addOptions(deps, caller),
    'x/admin/PasskeyAdd': (caller, request) => add(deps, caller, request),
    'x/admin/PasskeyRemove': async (caller, { id }) =>
      (await passkeys.remove(actingOf(caller), id))
        ? { ok: true, value: {} }
        : refusal({ error: 'field-invalid', field: 'id', allowed: 'an id of x/admin/Passkeys' }),
  };
}
