import '../../../i18n/later-words.ts';
import { formatShortTime } from '../../../i18n/format.ts';
import { useText } from '../../../i18n/i18n.ts';
import { detailsOf, noticeWords } from '../../../i18n/notice-words.ts';
import { now } from '../../../stores/app/clock.ts';
import type { Notice } from '../../../stores/app/notices.ts';
import { Details } from '../../../ui/Details.tsx';
import { EmptyState } from '../../../ui/states.tsx';

const TONES: Readonly<Record<Notice['tone'], string>> = {
  success: 'bg-up',
  info: 'bg-line-strong',
  warning: 'bg-warning',
  error: 'bg-danger',
};

function Row({ notice }: { readonly notice: Notice }) {
  const { tone, message, detail, venue, at } = notice;
  const { more } = detailsOf(venue);
  return (
    <li className="flex gap-3 border-b border-line py-2 text-[13px]">
      <span aria-hidden="true" className={`mt-1.5 size-2 shrink-0 rounded-full ${TONES[tone]}`} />
      <span className="min-w-0 flex-1">
        {noticeWords(message, venue)}
        {detail !== undefined && (
          <span className="block text-xs text-soft">{noticeWords(detail, venue)}</span>
        )}
        {more !== undefined && <Details name={more[0]}>{more[1]}</Details>}
      </span>
      <time className="shrink-0 text-xs tabular-nums text-faint">{formatShortTime(at, now())}</time>
    </li>
  );
}

/** The list itself: its words are read with it. */
export function NoticeRows({ notices }: { readonly notices: readonly Notice[] }) {
  const text = useText();
  if (notices.length === 0)
    return <EmptyState title={text('common.empty')} advice={text('trade.notices.empty')} />;
  return (
    <ul className="max-h-96 overflow-y-auto">
      {notices.toReversed().map((notice) => (
        <Row key={notice.serial} notice={notice} />
      ))}
    </ul>
  );
}
