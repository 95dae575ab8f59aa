import { type Language, settingsStore } from '../app/settings.ts';
import { type SessionState, sessionStore } from './session.ts';

/** Languages the picker offers: Korean only when the member's tkropen flag is set (spec sections 1 and 6). */
export function offeredLanguages({
  token,
  tkropen,
}: Pick<SessionState, 'token' | 'tkropen'>): readonly Language[] {
  return token !== undefined && tkropen ? ['en', 'ja', 'ko'] : ['en', 'ja'];
}

/** The language the page speaks: the chosen one, or English where it is not offered. */
export function spokenLanguage(chosen: Language, session: Pick<SessionState, 'token' | 'tkropen'>): Language {
  return offeredLanguages(session).includes(chosen) ? chosen : 'en';
}

/** The language of this browser now. */
export function currentLanguage(): Language {
  return spokenLanguage(settingsStore.getState().language, sessionStore.getState());
}

/** Calls when the spoken language changes: another choice, a login, a log out, a flag that arrived. */
export function onLanguage(change: (language: Language) => void): void {
  let spoken = currentLanguage();
  const look = () => {
    const next = currentLanguage();
    if (next === spoken) return;
    spoken = next;
    change(next);
  };
  settingsStore.subscribe(look);
  sessionStore.subscribe(look);
}
