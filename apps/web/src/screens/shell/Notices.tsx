import { useEffect } from 'react';
import { useStore } from 'zustand';
import { groupDigits } from '../../i18n/format.ts';
import { type MessageId, type MessageValues, text, useText } from '../../i18n/i18n.ts';
import { type Notice, type NoticeMessage, noticesStore } from '../../stores/app/notices.ts';
import { settingsStore } from '../../stores/app/settings.ts';
import { showToast, Toaster } from '../../ui/Toaster.tsx';

let shown = 0;

/** Amounts come as plain decimals; people read them grouped. */
function shownValues(values: MessageValues = {}): MessageValues {
  const shown = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' && /^[0-9]+(?:\.[0-9]+)?$/.test(value) ? groupDigits(value) : value,
  ]);
  return Object.fromEntries(shown) as MessageValues;
}

function words(message: NoticeMessage): string {
  return 'text' in message ? message.text : text(message.id as MessageId, shownValues(message.values));
}

function show(notices: readonly Notice[]): void {
  for (const notice of notices) {
    if (notice.serial <= shown) continue;
    shown = notice.serial;
    const { tone, key, message, detail, stays } = notice;
    const second = detail === undefined ? {} : { detail: words(detail) };
    showToast({ tone, text: words(message), key, ...second, ...(stays === undefined ? {} : { stays }) });
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
