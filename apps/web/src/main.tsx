import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { activateLanguage } from './i18n/i18n.ts';
import { createAppRouter } from './router.tsx';
import { BootGate } from './screens/shell/BootGate.tsx';
import { loadBoot } from './stores/app/boot.ts';
import { setClock } from './stores/app/clock.ts';
import { type Settings, settingsStore } from './stores/app/settings.ts';
import { onTabVisibility } from './stores/market/live.ts';
import { currentLanguage, onLanguage } from './stores/member/language.ts';
import { rereadSession, sessionStore } from './stores/member/session.ts';
import { keepPrivateEvents } from './stores/trading/member-listener.ts';
import './theme/theme.css';
import { focusFirstWrong } from './ui/first-wrong.ts';

/** The composition root: the only reader of the browser's clock and randomness. */
setClock({ now: () => Date.now(), randomBytes: () => crypto.getRandomValues(new Uint8Array(10)) });

function applyAppearance({ theme, palette }: Settings): void {
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.palette = palette;
}

applyAppearance(settingsStore.getState());
settingsStore.subscribe(applyAppearance);
onLanguage((language) => void activateLanguage(language));

keepPrivateEvents();
focusFirstWrong(document);
const router = createAppRouter();
// Guards ran with the old session: logging in, out or being signed out must ask them again.
sessionStore.subscribe((next, before) => {
  if (next.token !== before.token) void router.invalidate();
  // Where it was never loaded there is nothing to forget; what cannot be loaded now never was.
  if (next.tid !== before.tid) {
    void import('./stores/app/query-client.ts')
      .then(({ forgetMember }) => forgetMember())
      .catch(() => undefined);
  }
});

document.addEventListener('visibilitychange', () => {
  onTabVisibility(document.visibilityState === 'visible', Date.now());
});
window.addEventListener('storage', rereadSession);

await Promise.all([loadBoot(), activateLanguage(currentLanguage())]);

const place = document.getElementById('root');
if (place === null) throw new Error('index.html has no #root');
createRoot(place).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <BootGate>
        <RouterProvider router={router} />
      </BootGate>
    </I18nProvider>
  </StrictMode>,
);

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
