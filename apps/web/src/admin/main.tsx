import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadAdminWords } from '../i18n/admin-words.ts';
import { activateLanguage } from '../i18n/i18n.ts';
import { readSelf } from '../stores/admin/admin-service.ts';
import { followHistory } from '../stores/admin/place.ts';
import { loadBoot } from '../stores/app/boot.ts';
import { setClock } from '../stores/app/clock.ts';
import { type Settings, settingsStore } from '../stores/app/settings.ts';
import '../theme/theme.css';
import { focusFirstWrong } from '../ui/first-wrong.ts';
import { AdminApp } from './AdminApp.tsx';

/** The composition root of the back office: the only reader of the browser's clock and randomness in this bundle. */
setClock({ now: () => Date.now(), randomBytes: () => crypto.getRandomValues(new Uint8Array(10)) });

function applyAppearance({ theme, palette }: Settings): void {
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.palette = palette;
}

// Staff choose among all three languages.
async function speak({ language }: Settings): Promise<void> {
  await loadAdminWords(language);
  await activateLanguage(language);
}

applyAppearance(settingsStore.getState());
settingsStore.subscribe((settings, before) => {
  applyAppearance(settings);
  if (settings.language !== before.language) void speak(settings);
});
followHistory();
focusFirstWrong(document);
await Promise.all([loadBoot(), speak(settingsStore.getState()), readSelf()]);

const place = document.getElementById('root');
if (place === null) throw new Error('admin.html has no #root');
createRoot(place).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <AdminApp />
    </I18nProvider>
  </StrictMode>,
);
