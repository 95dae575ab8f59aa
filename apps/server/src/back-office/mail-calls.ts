import type { AdminCaller, AdminHandlers, AdminMailRow } from '@crossbook/contract';
import { refusal } from '../accounts/ports.ts';
import type { Act, Page, PageOf } from './ports.ts';

/** Mails that eight tries could not hand over, kept for a week. */
export interface MailDesk {
  /** Newest first. */
  failed(page: PageOf): Promise<Page<AdminMailRow>>;
  /** Puts one, or all, back into the queue, audited. @returns how many. */
  retry(act: Act, mail: string | undefined): Promise<number>;
}

/** What the calls about mails need. */
export interface MailCallsDeps {
  readonly mails: MailDesk;
  readonly actOf: (caller: AdminCaller, call: string, reason: string) => Act;
}

/** Mails that could not be sent: nobody reads them here, and whom they are for stays as it was. */
export function mailCalls({
  mails,
  actOf,
}: MailCallsDeps): Pick<AdminHandlers, 'x/admin/Mails' | 'x/admin/MailRetry'> {
  return {
    'x/admin/Mails': async (_caller, { limit, cursor }) => {
      const { rows, next } = await mails.failed({ limit, cursor });
      return { ok: true, value: { rows: [...rows], next } };
    },
    'x/admin/MailRetry': async (caller, { mail, reason }) => {
      const again = await mails.retry(actOf(caller, 'x/admin/MailRetry', reason), mail);
      // Sent meanwhile, or over.
      if (again === 0) return refusal({ error: 'subject-unknown' });
      return { ok: true, value: { mails: again } };
    },
  };
}
