import { createApiClient } from '../../wire/api-client.ts';
import { bootStore } from '../app/boot.ts';
import { notify } from '../app/notices.ts';
import { settingsStore } from '../app/settings.ts';
import { endSession, sessionStore } from './session.ts';

function booted() {
  const state = bootStore.getState();
  return state.status === 'ready' ? state.config : undefined;
}

/** Calls the own service by name: `call('user/login', {...})`. Refusals become toasts unless `quiet`. Never throws. */
export const call = createApiClient({
  fetch: (input, init) => fetch(input, init),
  base: () => (booted()?.hosts.own ?? '').replace(/\/$/, ''),
  tenant: () => booted()?.tenant ?? '',
  language: () => settingsStore.getState().language,
  token: () => sessionStore.getState().token,
  onTokenInvalid: endSession,
  // A refusal changed nothing: a warning. What may have changed something is an error.
  onRefusal: (text, code) =>
    notify(code === 1005 || code === 1006 ? 'error' : 'warning', { text }, `refusal:${text}`),
});
