import type { CloseRow, VenueReason } from '@crossbook/contract';
import { detailsWord } from '../../../i18n/notice-words.ts';
import { roleBeside } from '../../../stores/member/own-service.ts';
import { Details } from '../../../ui/Details.tsx';

/** What is said of something that was not done. */
export interface Said {
  readonly message: string;
  /** The exchange's own code behind it. */
  readonly code?: string | null | undefined;
}

/** A call that was refused, or that nobody answered. */
export type NotDone =
  | { readonly ok: false; readonly kind: 'silent' }
  | {
      readonly ok: false;
      readonly kind: 'refused';
      readonly message: string;
      readonly venue?: VenueReason | null;
    };

/** Of a call. @param silence what to say where no answer came. */
export function saidOf(answer: NotDone, silence: string): Said {
  if (answer.kind === 'silent') return { message: silence };
  return { message: answer.message, code: answer.venue?.venueCode };
}

/** Of one row of an answer. */
export function saidOfRow(
  { reason, venueCode }: Pick<CloseRow, 'reason' | 'venueCode'>,
  silence: string,
): Said {
  return { message: reason ?? silence, code: venueCode };
}

/** The words, and the exchange's own code to unfold where they do not name it. */
export function Words({ message, code }: Said) {
  const more = code != null && !message.includes(code);
  return (
    <>
      {message}
      {more && <Details name={detailsWord()}>{code}</Details>}
    </>
  );
}

/** What became of asking, at the end of a dialog: it stays there. */
export function Answer({ said }: { readonly said: Said | undefined }) {
  return (
    <div
      role={roleBeside('status', said?.message)}
      data-fault={said !== undefined || undefined}
      className="text-xs text-danger empty:hidden"
    >
      {said !== undefined && <Words {...said} />}
    </div>
  );
}
