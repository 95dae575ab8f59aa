import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { detailsOf, noticeWords } from '../../i18n/notice-words.ts';
import { EVENT_TELLINGS } from '../../stores/app/notice-events.ts';
import { type Notice, type NoticeAction, noticesStore } from '../../stores/app/notices.ts';
import { changeTradeSettings, settingsStore } from '../../stores/app/settings.ts';
import { tradeLink } from '../../stores/market/market.ts';
import { askToClose } from '../../stores/trading/ticket/close-asked.ts';
import { showToast, Toaster } from '../../ui/toasts/Toaster.tsx';

let shown = 0;

/** Leads to where something can be done about a notice. */
function useNoticeActions(): (action: NoticeAction) => void {
  const navigate = useNavigate();
  return useCallback(
    (action) => {
      if (action.does === 'add-margin') {
        void navigate({ to: '/wallet/TransferSub' });
        return;
      }
      changeTradeSettings({ futuresTab: action.does === 'close' ? 'positions' : 'closed' });
      if (action.does === 'close') askToClose(action.platform);
      void navigate(tradeLink({ ...action, symbolType: 'SWAP' }));
    },
    [navigate],
  );
}

function show(notices: readonly Notice[], act: (action: NoticeAction) => void): void {
  for (const notice of notices) {
    if (notice.serial <= shown) continue;
    shown = notice.serial;
    const { tone, key, message, detail, event, venue, actions = [] } = notice;
    const telling = event === undefined ? undefined : EVENT_TELLINGS[event];
    if (telling?.toast === 'none') continue;
    const second = detail === undefined ? {} : { detail: noticeWords(detail, venue) };
    showToast({
      tone,
      text: noticeWords(message, venue),
      key,
      ...second,
      ...detailsOf(venue),
      shown: telling?.toast,
      actions: actions.map((action) => ({
        label: noticeWords({ id: action.label }),
        onAct: () => act(action),
      })),
    });
  }
}

/** Shows new notices as toasts. */
export function Notices() {
  const t = useText();
  const act = useNoticeActions();
  const theme = useStore(settingsStore, (settings) => settings.theme);
  useEffect(() => {
    show(noticesStore.getState().notices, act);
    return noticesStore.subscribe(({ notices }) => show(notices, act));
  }, [act]);
  return <Toaster theme={theme} label={t('common.notifications')} />;
}
