import { Languages, Moon, Sun } from 'lucide-react';
import { useStore } from 'zustand';
import { LANGUAGE_NAMES, useText } from '../../i18n/i18n.ts';
import { changeSettings, type Language, settingsStore } from '../../stores/app/settings.ts';
import { offeredLanguages, spokenLanguage } from '../../stores/member/language.ts';
import { sessionStore } from '../../stores/member/session.ts';
import { classNames } from '../../ui/class-names.ts';
import { Menu, MenuChoice } from '../../ui/Menu.tsx';
import { BAR_ENTRY } from './bar-entry.ts';

/** The language picker. Korean is offered only to members with tkropen. */
export function LanguagePicker() {
  const t = useText();
  const session = useStore(sessionStore);
  const chosen = useStore(settingsStore, (settings) => settings.language);
  return (
    <Menu
      align="end"
      label={t('nav.language')}
      triggerClass={classNames(BAR_ENTRY, 'w-8 justify-center px-0')}
      trigger={<Languages size={16} aria-hidden="true" />}
    >
      <MenuChoice
        value={spokenLanguage(chosen, session)}
        options={offeredLanguages(session).map((code) => ({ value: code, label: LANGUAGE_NAMES[code] }))}
        onChange={(code) => changeSettings({ language: code as Language })}
      />
    </Menu>
  );
}

/** Switches between dark and light. */
export function ThemeToggle() {
  const t = useText();
  const theme = useStore(settingsStore, (settings) => settings.theme);
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button
      type="button"
      aria-label={t(`nav.theme.${other}`)}
      onClick={() => changeSettings({ theme: other })}
      className={classNames(BAR_ENTRY, 'w-8 justify-center px-0')}
    >
      {theme === 'dark' ? <Sun size={16} aria-hidden="true" /> : <Moon size={16} aria-hidden="true" />}
    </button>
  );
}
