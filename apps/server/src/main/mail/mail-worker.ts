import type { Millis } from '@crossbook/domain';
import { type MailSender, NOBODY } from '../../accounts/ports.ts';
import type { HttpLog } from '../../http/call-routes.ts';
import type { MailQueue } from '../../storage/stores/mail-queue.ts';

const EVERY_MILLIS = 5_000;

/** Sends what is in the queue: at once when told of new mails, else every five seconds. */
export interface MailWorker {
  start(): void;
  wake(): void;
  /** Resolves when no mail is on its way any more. */
  stop(): Promise<void>;
}

/** What the worker needs. */
export interface MailWorkerParts {
  readonly queue: MailQueue;
  readonly sender: MailSender;
  readonly clock: () => Millis;
  readonly log: HttpLog;
}

/** Makes a worker that sends one mail after the other. */
export function mailWorker({ queue, sender, clock, log }: MailWorkerParts): MailWorker {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;
  const sendAll = async (): Promise<void> => {
    for (;;) {
      const queued = stopped ? undefined : await queue.take(clock());
      if (queued === undefined) return;
      try {
        if (queued.mail.to !== NOBODY) await sender.send(queued.mail, clock());
        await queue.sent(queued.id);
      } catch (error) {
        const kept = await queue.failed(queued, clock());
        log.warn({ error, tries: queued.tries + 1, kept }, 'a mail was not accepted');
      }
    }
  };
  const wake = (): void => {
    working ??= sendAll()
      .catch((error) => log.warn({ error }, 'the mail queue could not be read'))
      .finally(() => {
        working = undefined;
      });
  };
  return {
    wake,
    start() {
      timer = setInterval(wake, EVERY_MILLIS);
      timer.unref();
      wake();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await working;
    },
  };
}
