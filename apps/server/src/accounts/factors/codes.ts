import type { CallAnswer, Caller, CallRequest, CallResponse } from '@crossbook/contract';
import { type Millis, uuidV7 } from '@crossbook/domain';
import { ACCOUNT_BUDGETS, type AccountBudgets, type SenderBudgetName } from '../budgets.ts';
import { contactOf, contactRefusal, reachedAt } from '../contacts.ts';
import { keyedHash, type SecretKey, sameText, sha256Hex } from '../keyed-hash.ts';
import type { MailWriter } from '../mails.ts';
import {
  type CodeLetter,
  type CodePurpose,
  type CodeStore,
  type Mail,
  type MailSender,
  type MailText,
  type MemberStore,
  type NewCode,
  type RandomBytes,
  type Refused,
  refusal,
  type TextSender,
} from '../ports.ts';
import type { SecurityProfile, SecurityStore } from '../security-ports.ts';
import type { Captcha } from './captcha.ts';
import type { Devices } from './devices.ts';

/** Validity of a code (spec section 9). */
export const CODE_LIFE_MILLIS = 30 * 60_000;
/** How long a "this was not me" link freezes an account. */
export const FREEZE_LINK_LIFE_MILLIS = 7 * 86_400_000;
/** Guesses one 4-digit code stands. */
export const CODE_TRIES_MAX = 5;

/** A mail with a long code to one target is followed by the next after this long. */
const LONG_CODE_SPACING_MILLIS = 10 * 60_000;
const SHORT_DIGITS = 4;
/** Who may use a long code. */
const ANYBODY = '';

/** What the code flows need. */
export interface CodeDeps {
  readonly codes: CodeStore;
  readonly members: MemberStore;
  readonly captcha: Captcha;
  readonly budgets: AccountBudgets;
  readonly devices: Devices;
  readonly security: Pick<SecurityStore, 'profile' | 'profileOf'>;
  readonly mail: MailSender;
  readonly mails: MailWriter;
  /** Absent: nothing can be sent to a phone. */
  readonly texts: TextSender | undefined;
  readonly key: SecretKey;
  readonly random: RandomBytes;
  /** Where links in mails lead, for a caller at this origin. */
  readonly linkBase: (origin: string) => string;
}

/** The link of a token that freezes an account: what stands behind `#` is sent to nobody. */
export function freezeLink(
  { linkBase }: Pick<CodeDeps, 'linkBase'>,
  { origin }: Caller,
  token: string,
): string {
  return `${linkBase(origin)}/freeze#${token}`;
}

/** Four digits, each of the 10 000 as likely as any other. */
function drawFour(random: RandomBytes): string {
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

/** Whom a code is for: an address, in a matter. */
export interface CodeMatter {
  readonly target: string;
  readonly purpose: CodePurpose;
}

/** What flow tokens are made of and read by. */
export interface FlowDeps {
  readonly key: SecretKey;
  readonly devices: Pick<Devices, 'askerOf'>;
}

/** The token that says "who asks from here verified this very code for this address and purpose". */
export async function flowToken(
  { key, devices }: FlowDeps,
  caller: Caller,
  id: string,
  { target, purpose }: CodeMatter,
): Promise<string> {
  return `${id}.${keyedHash(key, 'flow', id, target, purpose, await devices.askerOf(caller))}`;
}

/**
 * The code a flow token was given for; `undefined` when it is forged, of another address or purpose, or comes from another
 * browser than the one that verified the code.
 */
export async function codeOfFlow(
  deps: FlowDeps,
  caller: Caller,
  flow: string,
  matter: CodeMatter,
): Promise<string | undefined> {
  const id = flow.slice(0, 36);
  if (!/^[0-9a-f-]{36}$/.test(id)) return undefined;
  return sameText(flow, await flowToken(deps, caller, id, matter)) ? id : undefined;
}

/** A network's budget is no matter of a browser that the target has logged in with: neighbours cannot stop its owner. */
async function takeUnlessTrusted(
  deps: CodeDeps,
  caller: Caller,
  { budget, target }: { readonly budget: SenderBudgetName; readonly target: string },
): Promise<Refused | undefined> {
  if ((await deps.devices.trusted(target, caller)) !== undefined) return undefined;
  return deps.budgets.take(budget, { address: caller.address }, caller.now);
}

/** Whether 4-digit codes are neither made nor compared: too many were guessed wrong, of this target or of all. */
async function mustBeLong(deps: CodeDeps, target: string, now: Millis): Promise<boolean> {
  const { codeFailuresPerTarget, codeFailuresOfAll } = ACCOUNT_BUDGETS;
  return (
    (await deps.budgets.used('codeFailuresPerTarget', target, now)) >= codeFailuresPerTarget.usesMax ||
    (await deps.budgets.used('codeFailuresOfAll', 'all', now)) >= codeFailuresOfAll.usesMax
  );
}

const EVENTS = {
  recover: 'recover-code',
  login: 'log-in-code',
  bind: 'modify-new-code',
  'otp-reset': 'otp-reset-code',
  unfreeze: 'unfreeze-code',
  'modify-old': 'modify-old-code',
  'modify-new': 'modify-new-code',
  regain: 'regain-code',
} as const;

/** Codes that open an account again go to the number only where there is no mailbox. */
function opensAgain(purpose: CodePurpose): boolean {
  return purpose === 'recover' || purpose === 'unfreeze';
}

/** Codes that are sent to whatever address was given: there it tells nothing of an account that one was not accepted. */
const SENT_TO_ALL: readonly CodePurpose[] = ['register', 'bind', 'modify-new', 'regain'];

/** Who did not ask for one of these learns of it by its mail, and can stop what goes on: somebody may have his password, or his session. */
const WITH_FREEZE_LINK: readonly CodePurpose[] = ['login', 'recover', 'modify-old'];

/** Whether what goes to members alone is sent: nothing to who asks for an account that is not there. */
function isMeant({ target, purpose }: CodeMatter, reader: SecurityProfile | undefined): boolean {
  return reader !== undefined && (!opensAgain(purpose) || reachedAt(reader).to === target);
}

/** What is sent with a code. @param reader the member of that address. */
function textOf(
  deps: CodeDeps,
  caller: Caller,
  { target, purpose, digits, freeze }: CodeMatter & { readonly digits: string; readonly freeze: string },
  reader: SecurityProfile | undefined,
): MailText {
  const { mails } = deps;
  const { address } = caller;
  // A member is written to in the language of his account, whoever asks.
  const language = reader?.language ?? caller.language;
  const isKnown = reader !== undefined;
  if (target.startsWith('+')) {
    const tells = purpose === 'register' && isKnown;
    const body = tells ? mails.registeredText(language) : mails.textMessage(language, digits);
    return { subject: 'SMS', body };
  }
  if (purpose === 'register')
    return isKnown ? mails.alreadyRegistered(reader) : mails.registerCode(language, digits);
  return mails.security(EVENTS[purpose], {
    ...{ language, antiPhishing: reader?.antiPhishing, code: digits },
    ...{ address, at: new Date(caller.now).toISOString() },
    ...(WITH_FREEZE_LINK.includes(purpose) ? { freezeLink: freezeLink(deps, caller, freeze) } : {}),
  });
}

/** Keeps a code. @returns false where a long one is on its way already. */
async function keepCode(
  { codes }: CodeDeps,
  code: NewCode,
  letter: CodeLetter | undefined,
): Promise<boolean> {
  if (code.asker === ANYBODY) return codes.keepForAnybody(code, LONG_CODE_SPACING_MILLIS, letter);
  await codes.replace(code, letter);
  return true;
}

/** Sends now what is sent to everybody alike, so that who asked hears where it was not accepted. */
async function sendNow(deps: CodeDeps, { id }: NewCode, mail: Mail, now: Millis): Promise<void> {
  try {
    if (!mail.to.startsWith('+')) await deps.mail.send(mail, now);
    else await deps.texts?.send({ to: mail.to, text: mail.body }, now);
  } catch (error) {
    // Else the next who asks would be told of a mail that never went out.
    await deps.codes.forget(id);
    throw error;
  }
}

/**
 * Mails a code of 4 digits to who asked, or one of 12 to whoever has the mail: at most every ten minutes one, so that
 * asking for them fills nobody's mailbox, and the newest serves whoever asked meanwhile. Where a mail goes to members alone it is
 * written with the code and sent after the answer, by statements that are the same for an account that is not there: neither
 * their number nor a mail server tells whose address it is.
 */
async function mailCode(
  deps: CodeDeps,
  caller: Caller,
  { target, purpose, long }: CodeMatter & { readonly long: boolean },
): Promise<void> {
  const id = uuidV7(caller.now, deps.random(10));
  const digits = Array.from({ length: long ? 3 : 1 }, () => drawFour(deps.random)).join('');
  const code: NewCode = {
    ...{ id, target, purpose, tries: CODE_TRIES_MAX },
    asker: long ? ANYBODY : await deps.devices.askerOf(caller),
    hash: codeHash(deps.key, id, target, purpose, digits),
    createdAt: caller.now,
    expiresAt: (caller.now + CODE_LIFE_MILLIS) as Millis,
  };
  const reader = await deps.security.profileOf(target);
  const freeze = Buffer.from(deps.random(16)).toString('base64url');
  const mail: Mail = { to: target, ...textOf(deps, caller, { target, purpose, digits, freeze }, reader) };
  // Of a number too, whose text has no room for it: the statements are the same whatever was typed.
  const token = { hash: sha256Hex(freeze), expiresAt: (caller.now + FREEZE_LINK_LIFE_MILLIS) as Millis };
  if (!SENT_TO_ALL.includes(purpose)) {
    const letter = { mail, isMeant: isMeant({ target, purpose }, reader) };
    await keepCode(deps, code, WITH_FREEZE_LINK.includes(purpose) ? { ...letter, freeze: token } : letter);
  } else if (await keepCode(deps, code, undefined)) {
    await sendNow(deps, code, mail, caller.now);
  }
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
  const { purpose } = request;
  const contact = contactOf(request.target);
  if (contact === undefined) return contactRefusal(request.target, 'target');
  // Before anything is looked up: whose number it is shows in nothing.
  if (contact.kind === 'mobile' && deps.texts === undefined) return refusal({ error: 'texts-unavailable' });
  const work = await deps.captcha.redeem(request.captcha, caller.now);
  if (work === undefined) return refusal({ error: 'captcha-invalid' });
  const refused = await sendTo(deps, caller, { target: contact.to, purpose });
  return refused ?? { ok: true, value: { validMinutes: CODE_LIFE_MILLIS / 60_000 } };
}

/**
 * Sends a code within the budgets of who asks; too many to one target become long ones, seldom. Where texts cannot be sent
 * nobody is told that one was.
 */
export async function sendTo(
  deps: CodeDeps,
  caller: Caller,
  { target, purpose }: CodeMatter,
): Promise<Refused | undefined> {
  if (target.startsWith('+') && deps.texts === undefined) return refusal({ error: 'texts-unavailable' });
  const device = await deps.devices.of(caller);
  const sender = { address: caller.address, device, about: target };
  const limited =
    (await takeUnlessTrusted(deps, caller, { budget: 'codeSendsPerAddress', target })) ??
    (await deps.budgets.take('codeSendsPerPair', sender, caller.now));
  if (limited !== undefined) return limited;
  if ((purpose === 'register' || purpose === 'regain') && target.startsWith('+')) {
    const usedUp = await deps.budgets.takeOfStrangers('signUpTexts', caller.now);
    if (usedUp !== undefined) return usedUp;
  }
  const mails = await deps.budgets.count('codeMailsPerTarget', target, caller.now);
  const long =
    mails > ACCOUNT_BUDGETS.codeMailsPerTarget.usesMax || (await mustBeLong(deps, target, caller.now));
  await mailCode(deps, caller, { target, purpose, long });
  return undefined;
}

/** user/checkcode: verifies without using up and answers a flow token. */
export async function checkCode(
  deps: CodeDeps,
  caller: Caller,
  request: CallRequest<'user/checkcode'>,
): Promise<CallAnswer<CallResponse<'user/checkcode'>>> {
  const { purpose } = request;
  const contact = contactOf(request.target);
  if (contact === undefined) return contactRefusal(request.target, 'target');
  const target = contact.to;
  const checked = await compareCode(deps, caller, { target, purpose, code: request.code });
  if (!checked.ok) return checked;
  return { ok: true, value: { flow: await flowToken(deps, caller, checked.id, { target, purpose }) } };
}

/**
 * Compares a code and marks it verified. A guess at what this sender never asked for is compared with nothing and costs
 * its target nothing.
 */
export async function compareCode(
  deps: CodeDeps,
  caller: Caller,
  { target, purpose, code }: CodeMatter & { readonly code: string },
): Promise<{ readonly ok: true; readonly id: string } | Refused> {
  const limited = await takeUnlessTrusted(deps, caller, { budget: 'codeTriesPerAddress', target });
  if (limited !== undefined) return limited;
  const short = code.length === SHORT_DIGITS;
  const place = { target, purpose, asker: short ? await deps.devices.askerOf(caller) : ANYBODY };
  const id = await deps.codes.liveId(place, caller.now);
  if (id === undefined) return refusal({ error: 'code-wrong' });
  const counters = {
    target: deps.budgets.counterOf('codeFailuresPerTarget', target),
    all: deps.budgets.counterOf('codeFailuresOfAll', 'all'),
  };
  const hash = codeHash(deps.key, id, target, purpose, code);
  const came = await deps.codes.compare(id, hash, caller.now, short ? counters : undefined);
  if (came === 'right') return { ok: true, id };
  if (came !== 'longer') return refusal({ error: 'code-wrong' });
  await mailCode(deps, caller, { target, purpose, long: true });
  return refusal({ error: 'code-longer' });
}
