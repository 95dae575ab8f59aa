import type { CallAnswer, Caller, CallRequest, CallResponse } from '@crossbook/contract';
import { isEmail, type Millis, normaliseEmail, uuidV7 } from '@crossbook/domain';
import type { AccountBudgets } from './budgets.ts';
import type { Captcha } from './captcha.ts';
import { keyedHash, type SecretKey, sameText } from './keyed-hash.ts';
import type { MailWriter } from './mails.ts';
import {
  type CodePurpose,
  type CodeStore,
  type MailSender,
  type MemberStore,
  type RandomBytes,
  refusal,
} from './ports.ts';

/** Validity of a code (spec section 9). */
export const CODE_LIFE_MILLIS = 30 * 60_000;
/** Guesses one code stands. */
export const CODE_TRIES_MAX = 5;

/** What the code flows need. */
export interface CodeDeps {
  readonly codes: CodeStore;
  readonly members: MemberStore;
  readonly captcha: Captcha;
  readonly budgets: AccountBudgets;
  readonly mail: MailSender;
  readonly mails: MailWriter;
  readonly key: SecretKey;
  readonly random: RandomBytes;
}

/** Four digits, each of the 10 000 as likely as any other. */
function drawCode(random: RandomBytes): string {
  // 60 000 is the largest multiple of 10 000 below 2^16: what lies above is drawn again.
  for (;;) {
    const drawn = Buffer.from(random(2)).readUInt16BE(0);
    if (drawn < 60_000) return String(drawn % 10_000).padStart(4, '0');
  }
}

/** Parts: id, target, purpose and the digits, so that a stored hash is worth nothing in another row. */
function codeHash(key: SecretKey, ...parts: readonly [string, string, CodePurpose, string]): string {
  return keyedHash(key, 'code', ...parts);
}

/** The token that says "the holder verified this very code for this address and purpose". */
export function flowToken(key: SecretKey, id: string, target: string, purpose: CodePurpose): string {
  return `${id}.${keyedHash(key, 'flow', id, target, purpose)}`;
}

/** The code a flow token was given for; `undefined` when it is forged or of another address or purpose. */
export function codeOfFlow(
  flow: string,
  target: string,
  purpose: CodePurpose,
  key: SecretKey,
): string | undefined {
  const id = flow.slice(0, 36);
  if (!/^[0-9a-f-]{36}$/.test(id)) return undefined;
  return sameText(flow, flowToken(key, id, target, purpose)) ? id : undefined;
}

/**
 * sms/sms: sends a code to an address given before login. Answers alike whether the address is registered: then the mail
 * says so instead of carrying a code.
 */
export async function sendCode(
  deps: CodeDeps,
  caller: Caller,
  request: CallRequest<'sms/sms'>,
): Promise<CallAnswer<CallResponse<'sms/sms'>>> {
  const target = normaliseEmail(request.target);
  if (!isEmail(target)) return refusal({ error: 'email-invalid' });
  if (!(await deps.captcha.redeem(request.captcha, caller.now))) return refusal({ error: 'captcha-invalid' });
  const limited =
    (await deps.budgets.take('codeSendsPerAddress', caller.address, caller.now)) ??
    (await deps.budgets.take('codeSendsPerTarget', target, caller.now));
  if (limited !== undefined) return limited;
  const id = uuidV7(caller.now, deps.random(10));
  const code = drawCode(deps.random);
  await deps.codes.replace({
    id,
    target,
    purpose: request.purpose,
    hash: codeHash(deps.key, id, target, request.purpose, code),
    tries: CODE_TRIES_MAX,
    createdAt: caller.now,
    expiresAt: (caller.now + CODE_LIFE_MILLIS) as Millis,
  });
  const known = await deps.members.byEmail(target);
  const text =
    known === undefined
      ? deps.mails.registerCode(caller.language, code)
      : deps.mails.alreadyRegistered(caller.language);
  await deps.mail.send({ to: target, ...text }, caller.now);
  return { ok: true, value: { validMinutes: CODE_LIFE_MILLIS / 60_000 } };
}

/**
 * user/checkcode: verifies without using up and answers a flow token. The try is taken before the comparison, in one
 * statement, so parallel guesses never compare more often than allowed.
 */
export async function checkCode(
  deps: CodeDeps,
  caller: Caller,
  request: CallRequest<'user/checkcode'>,
): Promise<CallAnswer<CallResponse<'user/checkcode'>>> {
  const target = normaliseEmail(request.target);
  if (!isEmail(target)) return refusal({ error: 'email-invalid' });
  const limited =
    (await deps.budgets.look('codeFailuresOfAll', 'all', caller.now)) ??
    (await deps.budgets.take('codeTriesPerAddress', caller.address, caller.now)) ??
    (await deps.budgets.take('codeTriesPerTarget', target, caller.now));
  if (limited !== undefined) return limited;
  const stored = await deps.codes.takeTry(target, request.purpose, caller.now);
  const right =
    stored !== undefined &&
    sameText(stored.hash, codeHash(deps.key, stored.id, target, request.purpose, request.code));
  if (!right) {
    await deps.budgets.take('codeFailuresOfAll', 'all', caller.now);
    return refusal({ error: 'code-wrong' });
  }
  await deps.codes.markVerified(stored.id, caller.now);
  await deps.budgets.restart('codeTriesPerTarget', target);
  return { ok: true, value: { flow: flowToken(deps.key, stored.id, target, request.purpose) } };
}
