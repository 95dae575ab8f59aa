import type { VenueReason } from '@crossbook/contract';
import { text } from '../../i18n/i18n.ts';
import { type ApiSurroundings, type CallResult, createApiClient } from '../../wire/api-client.ts';
import { bootStore } from '../app/boot.ts';
import { now } from '../app/clock.ts';
import { type Notice, noticesStore, notify } from '../app/notices.ts';
import { settingsStore } from '../app/settings.ts';
import { heedRefusal } from '../app/terms-sheet.ts';
import { refuseToken, sessionStore } from './session.ts';

function booted() {
  const state = bootStore.getState();
  return state.status === 'ready' ? state.config : undefined;
}

/** A transfer that was refused; its event says so too. */
const TRANSFER_REFUSED = 4007;

/** Orders and positions have the codes of the three thousands. */
function isOfTrading(code: number): boolean {
  return code >= 3_000 && code < 4_000;
}

/** Names the notice of a refusal: the same words twice are one. */
export function refusalKey(text: string): string {
  return `refusal:${text}`;
}

/** Says that a call was refused. @param about id of what was refused: a notice of its event replaces this one. */
export function notifyRefusal(
  text: string,
  code: number,
  about: string | undefined,
  venue?: VenueReason | null,
): void {
  heedRefusal(code);
  // A refusal changed nothing: a warning. What may have changed something is an error.
  const tone = code === 1005 || code === 1006 ? 'error' : 'warning';
  const key = code === TRANSFER_REFUSED && about !== undefined ? about : refusalKey(text);
  notify(tone, { text }, key, isOfTrading(code) ? { event: 'failed', venue } : {});
}

function lastRefusal(words: string | undefined) {
  const said = (notice: Notice): boolean =>
    'text' in notice.message &&
    notice.message.text === words &&
    notice.key?.startsWith(refusalKey('')) === true;
  return noticesStore.getState().notices.findLast(said);
}

/**
 * The live region that words beside a field or button are: none where the toast of a refusal says the same, so that a reader of
 * screens hears them once. The field keeps them as its description.
 */
export function roleBeside<Role extends 'alert' | 'status'>(
  role: Role,
  words: string | undefined,
): Role | undefined {
  return lastRefusal(words) === undefined ? role : undefined;
}

/** How long ago the toast of a refusal may be for the same words not to be said again. */
const JUST_SAID_MILLIS = 1_000;

/** Says why something was not done, where the toast of a refused call has not just said so. */
export function sayNotDone(words: string): void {
  const said = lastRefusal(words);
  if (said === undefined || now() - said.at > JUST_SAID_MILLIS)
    notify('warning', { text: words }, refusalKey(words));
}

/** Where the own service is, and who asks it. */
export const ownService: ApiSurroundings = {
  fetch: (input, init) => fetch(input, init),
  base: () => (booted()?.hosts.own ?? '').replace(/\/$/, ''),
  tenant: () => booted()?.tenant ?? '',
  language: () => settingsStore.getState().language,
  token: () => sessionStore.getState().token,
  onTokenInvalid: refuseToken,
  onRefusal: notifyRefusal,
};

/**
 * Calls the own service by name: `call('user/login', {...})`. Refusals become toasts, also where a form shows them too; what
 * the page reads by itself is `quiet`. Never throws.
 */
export const call = createApiClient(ownService);

/** What went wrong, in words to stand beside a form; `undefined` for an answer that is none of that. */
export function problemOf(answer: CallResult<unknown>): string | undefined {
  if (answer.ok) return undefined;
  return answer.kind === 'refused' ? answer.message : text('common.noAnswer');
}

/** The code of a refusal; `undefined` where the call was answered, or not answered at all. */
export function refusalCode(answer: CallResult<unknown>): number | undefined {
  return answer.ok || answer.kind !== 'refused' ? undefined : answer.code;
}

/** Whether a call was refused with this code of the catalogue. */
export function isRefused(answer: CallResult<unknown>, code: number): boolean {
  return refusalCode(answer) === code;
}
