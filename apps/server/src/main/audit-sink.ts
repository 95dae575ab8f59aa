import type { Millis } from '@crossbook/domain';
import type { AuditHead } from '../storage/stores/audit-start.ts';

/** So often the newest head goes out, and a failed one is tried again. */
export const SINK_SPACING_MILLIS = 60_000;
const TIMEOUT_MILLIS = 5_000;

/** Where heads of the audit log go: `POST {"seq": 7, "hash": "..."}` with a bearer token where there is one; 2xx means kept. */
export interface AuditSinkAddress {
  readonly url: string;
  readonly token: string | undefined;
}

/** Tells another machine the newest head, so that whoever owns this one cannot cut the log off unseen. */
export interface AuditSink {
  /** There is a newer head. */
  tell(head: AuditHead): void;
  /** Sends what is newest where its time has come. Never waits and never throws: a failure is one line of the log for each outage. */
  send(): void;
  /** Ends after the request under way. */
  stop(): Promise<void>;
}

/** Makes the sink. */
export function auditSink({
  address,
  steady,
  log,
}: {
  readonly address: AuditSinkAddress;
  readonly steady: () => Millis;
  readonly log: { error(facts: object, event: string): void };
}): AuditSink {
  let waiting: AuditHead | undefined;
  let sentAt: Millis | undefined;
  let failed = false;
  let sending: Promise<void> | undefined;

  const post = async (head: AuditHead): Promise<void> => {
    const response = await fetch(address.url, {
      method: 'POST',
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        ...(address.token === undefined ? {} : { authorization: `Bearer ${address.token}` }),
      },
      body: JSON.stringify({ seq: head.seq, hash: head.hash }),
      signal: AbortSignal.timeout(TIMEOUT_MILLIS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the audit sink answered ${response.status}`);
  };
  const attempt = async (head: AuditHead): Promise<void> => {
    try {
      await post(head);
      if (waiting === head) waiting = undefined;
      failed = false;
    } catch (error) {
      if (!failed) log.error({ error }, 'a head of the audit log was not taken by its sink');
      failed = true;
    }
  };
  return {
    tell(head) {
      waiting = head;
    },
    send() {
      const due = sentAt === undefined || steady() - sentAt >= SINK_SPACING_MILLIS;
      if (waiting === undefined || sending !== undefined || !due) return;
      sentAt = steady();
      sending = attempt(waiting).finally(() => {
        sending = undefined;
      });
    },
    async stop() {
      await sending;
    },
  };
}
