import { createTransport } from 'nodemailer';
import type { MailSender } from '../../accounts/ports.ts';
import { isLoopback } from '../../http/own-origin.ts';

const TIMEOUT_MILLIS = 10_000;

/** Sends mails by SMTP. @param url smtp:// or smtps:// with user and password; @param from the sender shown. */
export function smtpMail(url: string, from: string): MailSender & { close(): void } {
  const parsed = new URL(url);
  const secure = parsed.protocol === 'smtps:';
  const transport = createTransport({
    host: parsed.hostname,
    port: parsed.port === '' ? (secure ? 465 : 587) : Number(parsed.port),
    secure,
    // Without TLS a mail is handed over on this machine only, and no password is ever sent.
    requireTLS: !secure && (parsed.username !== '' || !isLoopback(parsed.hostname)),
    pool: true,
    maxConnections: 2,
    connectionTimeout: TIMEOUT_MILLIS,
    greetingTimeout: TIMEOUT_MILLIS,
    socketTimeout: TIMEOUT_MILLIS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(parsed.username === ''
      ? {}
      : {
          auth: { user: decodeURIComponent(parsed.username), pass: decodeURIComponent(parsed.password) },
        }),
  });
  return {
    async send(mail) {
      await transport.sendMail({ from, to: mail.to, subject: mail.subject, text: mail.body });
    },
    close: () => transport.close(),
  };
}
