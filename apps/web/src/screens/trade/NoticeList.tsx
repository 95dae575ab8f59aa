import { Bell } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { formatShortTime } from '../../i18n/format.ts';
import { useText } from '../../i18n/i18n.ts';
import { noticeWords } from '../../i18n/notice-words.ts';
import { now } from '../../stores/app/clock.ts';
import { EVENT_TELLINGS } from '../../stores/app/notice-events.ts';
import { type Notice, noticesStore } from '../../stores/app/notices.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/states.tsx';

const TONES: Readonly<Record<Notice['tone'], string>> = {
  success: 'bg-up',
  info: 'bg-line-strong',
  warning: 'bg-warning',
  error: 'bg-danger',
};

function Row({ notice }: { readonly notice: Notice }) {
  const { tone, message, detail, at } = notice;
  return (
    <li className="flex gap-3 border-b border-line py-2 text-[13px]">
      <span aria-hidden="true" className={`mt-1.5 size-2 shrink-0 rounded-full ${TONES[tone]}`} />
      <span className="min-w-0 flex-1">
        {noticeWords(message)}
        {detail !== undefined && <span className="block text-xs text-soft">{noticeWords(detail)}</span>}
      </span>
      <time className="shrink-0 text-xs tabular-nums text-faint">{formatShortTime(at, now())}</time>
    </li>
  );
}

/** What was said since the page was opened, newest first: a toast goes, this stays. */
export function NoticeList() {
  const text = useText();
  const { notices: said } = useStore(noticesStore);
  const notices = said.filter(({ event }) => event === undefined || !EVENT_TELLINGS[event].passing);
  const [open, setOpen] = useState(false);
  const [seen, setSeen] = useState(0);
  const fresh = notices.filter(({ serial }) => serial > seen).length;
  const close = (): void => {
    setSeen(notices.at(-1)?.serial ?? 0);
    setOpen(false);
  };
  const label = text('trade.notices.open', { count: fresh });
  return (
    <>
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={() => setOpen(true)}
        className="flex h-6 items-center gap-1 rounded-sm px-1 max-lg:h-11 max-lg:min-w-11 max-lg:justify-center hover:bg-hover hover:text-text"
      >
        <Bell size={14} aria-hidden="true" />
        {fresh > 0 && <span aria-hidden="true">{fresh}</span>}
      </button>
      <Dialog open={open} onClose={close} title={text('trade.notices')} closeLabel={text('common.close')}>
        {notices.length === 0 ? (
          <EmptyState title={text('common.empty')} advice={text('trade.notices.empty')} />
        ) : (
          <ul className="max-h-96 overflow-y-auto">
            {notices.toReversed().map((notice) => (
              <Row key={notice.serial} notice={notice} />
            ))}
          </ul>
        )}
      </Dialog>
    </>
  );
}
