import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { noticeWords } from '../../i18n/notice-words.ts';
import { type Notice, noticesStore } from '../../stores/app/notices.ts';
import { settingsStore } from '../../stores/app/settings.ts';
import { showToast, Toaster } from '../../ui/Toaster.tsx';

let shown = 0;

function show(notices: readonly Notice[]): void {
  for (const notice of notices) {
    if (notice.serial <= shown) continue;
    shown = notice.serial;
    const { tone, key, message, detail, stays, quiet } = notice;
    if (quiet) continue;
    const second = detail === undefined ? {} : { detail: noticeWords(detail) };
    showToast({
      tone,
      text: noticeWords(message),
      key,
      ...second,
      ...(stays === undefined ? {} : { stays }),
    });
  }
}

/** Shows new notices as toasts. */
export function Notices() {
  const t = useText();
  const theme = useStore(settingsStore, (settings) => settings.theme);
  useEffect(() => {
    show(noticesStore.getState().notices);
    return noticesStore.subscribe(({ notices }) => show(notices));
  }, []);
  return <Toaster theme={theme} label={t('common.notifications')} />;
}
