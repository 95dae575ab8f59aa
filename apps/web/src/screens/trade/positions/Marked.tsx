import '../../../i18n/later-words.ts';
import type { ReactNode } from 'react';
import { MARK_GONE_MILLIS, MARK_OLD_MILLIS } from '../../../calculators/contracts/mark-age.ts';
import { useText } from '../../../i18n/i18n.ts';

/**
 * A figure made of the mark price. Of an old mark it steps back and its tip says the age; of one older still nothing is shown but
 * in the tip, where the last figure stands with its age.
 */
export function Marked(props: {
  readonly view: { readonly markAgeMillis: number };
  /** The figure as text. */
  readonly value: string;
  /** How it is shown, where that is more than the text. */
  readonly children?: ReactNode;
  readonly tone?: string;
}) {
  const { view, value, children = value, tone } = props;
  const text = useText();
  const seconds = Math.floor(view.markAgeMillis / 1_000);
  if (view.markAgeMillis > MARK_GONE_MILLIS)
    return <span title={text('trade.position.lastMarked', { value, seconds })}>–</span>;
  if (view.markAgeMillis > MARK_OLD_MILLIS) {
    return (
      <span className="text-faint opacity-70" title={text('trade.stale', { seconds })}>
        {children}
      </span>
    );
  }
  return <span className={tone}>{children}</span>;
}
