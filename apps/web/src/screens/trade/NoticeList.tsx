import { Bell } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { EVENT_TELLINGS } from '../../stores/app/notice-events.ts';
import { noticesStore } from '../../stores/app/notices.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { lazyPart } from '../../ui/read-ahead.ts';

const NoticeRows = lazyPart(async () => (await import('./live/NoticeRows.tsx')).NoticeRows);

/** What was said since the page was opened, newest first: a toast goes, this stays. */
export function NoticeList() {
  const text = useText();
  const { notices: said } = useStore(noticesStore);
  const notices = said.filter(({ event }) => event === undefined || !EVENT_TELLINGS[event].passing);
  const [open, setOpen] = useState(false);
  const { seen } = useStore(noticesStore);
  const fresh = notices.filter(({ serial }) => serial > seen).length;
  const close = (): void => {
    noticesStore.setState({ seen: notices.at(-1)?.serial ?? 0 });
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
        <Suspense>
          <NoticeRows notices={notices} />
        </Suspense>
      </Dialog>
    </>
  );
}
