import type { TextSender } from '../../accounts/ports.ts';
import type { HttpLog } from '../../http/call-routes.ts';
import type { OutboxMails } from '../../storage/stores/outbox-mails.ts';

const TIMEOUT_MILLIS = 10_000;

/** Where the operator's text messages go: `POST {"to": "+81...", "text": "..."}` with a bearer token; 2xx means accepted. */
export interface TextGateway {
  readonly url: string;
  readonly token: string;
}

/** Sends text messages by an HTTP gateway. Never tries again by itself: each one costs the operator money. */
export function gatewayTexts({ url, token }: TextGateway): TextSender {
  return {
    async send(message) {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(message),
        signal: AbortSignal.timeout(TIMEOUT_MILLIS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the text gateway answered ${response.status}`);
    },
  };
}

/** Keeps text messages in the outbox, for paper mode. */
export function outboxTexts(outbox: OutboxMails): TextSender {
  return {
    send: ({ to, text }, now) => outbox.send({ to, subject: 'SMS', body: text }, now),
  };
}

/** Tells phones what has happened already: a failure is a line of the log, and stops nobody. */
export function noticeByText(texts: TextSender | undefined, log: Pick<HttpLog, 'warn'>): TextSender['send'] {
  return async (message, now) => {
    try {
      await texts?.send(message, now);
    } catch (error) {
      log.warn({ error }, 'a text message was not accepted');
    }
  };
}
