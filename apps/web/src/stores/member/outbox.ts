/** A mail of the embedded outbox (paper money only). */
export interface OutboxMail {
  readonly id: number;
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly sentAt: number;
}

/** Reads the outbox, newest first; of one recipient when given. `undefined` when it could not be read. */
export async function readOutbox(to?: string): Promise<readonly OutboxMail[] | undefined> {
  const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`;
  try {
    const response = await fetch(`/dev/outbox.json${query}`, { headers: { Accept: 'application/json' } });
    if (!response.ok) return undefined;
    const mails: unknown = await response.json();
    return Array.isArray(mails) ? (mails as readonly OutboxMail[]) : undefined;
  } catch {
    return undefined;
  }
}

/** The code in a mail, 4 or 12 digits, if it carries one: no year, no port, no part of an address. */
export function codeOfMail(mail: Pick<OutboxMail, 'subject' | 'body'>): string | undefined {
  return /(?<![0-9A-Za-z:._/#-])(?:[0-9]{12}|[0-9]{4})(?![0-9A-Za-z:_/-])/.exec(
    `${mail.subject}\n${mail.body}`,
  )?.[0];
}
