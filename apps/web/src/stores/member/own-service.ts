import { createApiClient } from '../../wire/api-client.ts';
import { bootStore } from '../app/boot.ts';
import { notify } from '../app/notices.ts';
import { settingsStore } from '../app/settings.ts';
import { endSession, sessionStore } from './session.ts';

function booted() {
  const state = bootStore.getState();
  return state.status === 'ready' ? state.config : undefined;
}

/** A transfer that was refused; its event says so too. */
const TRANSFER_REFUSED = 4007;

/** Says that a call was refused. @param about id of what was refused: a notice of its event replaces this one. */
export function notifyRefusal(text: string, code: number, about: string | undefined): void {
  // A refusal changed nothing: a warning. What may have changed something is an error.
  const tone = code === 1005 || code === 1006 ? 'error' : 'warning';
  notify(tone, { text }, code === TRANSFER_REFUSED && about !== undefined ? about : `refusal:${text}`);
}

/** Calls the own service by name: `call('user/login', {...})`. Refusals become toasts unless `quiet`. Never throws. */
export const call = createApiClient({
  fetch: (input, init) => fetch(input, init),
  base: () => (booted()?.hosts.own ?? '').replace(/\/$/, ''),
  tenant: () => booted()?.tenant ?? '',
  language: () => settingsStore.getState().language,
  token: () => sessionStore.getState().token,
  onTokenInvalid: endSession,
  onRefusal: notifyRefusal,
});
