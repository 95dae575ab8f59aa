import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import type { Millis } from '@crossbook/domain';
import { afterEach, describe, expect, test } from 'vitest';
import { startTestHub } from '../testing.ts';
import { smtpMail } from './smtp-mail.ts';

/** As much of RFC 5321 as a client needs to hand over a mail. `refuse` answers RCPT with 550. */
function smtpServer(refuse: boolean) {
  const received: string[] = [];
  const heard: string[] = [];
  const server = createServer((socket: Socket) => {
    let buffer = '';
    let data: string[] | undefined;
    const answer = (line: string): string => {
      if (data !== undefined) {
        if (line !== '.') {
          data.push(line);
          return '';
        }
        received.push(data.join('\n'));
        data = undefined;
        return '250 taken\r\n';
      }
      heard.push(line);
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'STAR') return '502 no such command\r\n';
      if (verb === 'RCPT' && refuse) return '550 no such mailbox\r\n';
      if (verb === 'DATA') {
        data = [];
        return '354 go on\r\n';
      }
      return verb === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n';
    };
    socket.write('220 test\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      buffer += String(chunk);
      for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
        const reply = answer(buffer.slice(0, end));
        buffer = buffer.slice(end + 2);
        if (reply !== '') socket.write(reply);
      }
    });
  });
  return { server, received, heard };
}

let running: Server | undefined;
afterEach(() => {
  running?.close();
});

async function startServer(refuse: boolean) {
  const { server, received, heard } = smtpServer(refuse);
  running = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `smtp://127.0.0.1:${port}`, received, heard };
}

describe('mail by SMTP', () => {
  test('subject, body and recipient arrive as written', async () => {
    const { url, received } = await startServer(false);
    const mail = smtpMail(url, 'Crossbook <no-reply@example.org>');
    await mail.send({ to: 'ada@example.org', subject: 'Hello', body: 'Your code: 1234\n' }, 0 as Millis);
    mail.close();
    expect(received[0]).toContain('To: ada@example.org');
    expect(received[0]).toContain('Subject: Hello');
    expect(received[0]).toContain('Your code: 1234');
  });

  test('a server without TLS gets neither a password nor, elsewhere than on this machine, a mail', async () => {
    const { url, received, heard } = await startServer(false);
    for (const other of [
      url.replace('smtp://', 'smtp://ada:hunter2@'),
      url.replace('127.0.0.1', '0.0.0.0'),
    ]) {
      const mail = smtpMail(other, 'Crossbook <no-reply@example.org>');
      const sent = mail.send({ to: 'ada@example.org', subject: 'Hello', body: 'x' }, 0 as Millis);
      await expect(sent).rejects.toThrow(/STARTTLS|TLS/);
      mail.close();
    }
    expect(received).toEqual([]);
    expect(heard.map((line) => line.slice(0, 4))).toContain('STAR');
    expect(heard.join('\n')).not.toMatch(/AUTH|hunter2|MAIL FROM/);
  });

  test('a mail that is not accepted rejects, and the call says that nothing was sent', async () => {
    const { url } = await startServer(true);
    const hub = await startTestHub({ environment: { SMTP_URL: url } });
    const browser = hub.visitor();
    const answer = await browser.call('sms/sms', {
      target: 'ada@example.org',
      purpose: 'register',
      captcha: await browser.captcha(),
    });
    expect(answer).toMatchObject({ code: 1005, data: null });
    expect(JSON.stringify(hub.logged)).toContain('call failed');
    await hub.close();
  });

  test('a code to the phone of a member is sent once, after the answer; a gateway that refuses it tells nobody', async () => {
    const asked: string[] = [];
    const gateway = createHttpServer((request, response) => {
      request.setEncoding('utf8').on('data', (chunk) => asked.push(String(chunk)));
      request.on('end', () => response.writeHead(500).end());
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    const address = gateway.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const texts = { SMS_GATEWAY_URL: `http://127.0.0.1:${port}/sms`, SMS_GATEWAY_TOKEN: 'token' };
    const hub = await startTestHub({ environment: texts });
    await hub.database.owner.query(
      `insert into members (mobile, password_hash, nickname, referral_code, created_at)
       values ('+819012340001', '', 'n', 'ADAADAAD', 0)`,
    );
    const ask = async (target: string) => {
      const browser = hub.visitor();
      return browser.call('sms/sms', { target, purpose: 'recover', captcha: await browser.captcha() });
    };
    const answer = await ask('+819012340001');
    expect(answer.code).toBe(1);
    expect(await ask('+819012340002')).toEqual(answer);
    const left = () => hub.database.owner.query('select 1 from mail_queue');
    await expect.poll(async () => (await left()).length, { timeout: 20_000 }).toBe(0);
    expect(asked).toEqual([expect.stringMatching(/"to":"\+819012340001","text":"[^"]*[0-9]{4}/)]);
    await hub.close();
    gateway.close();
  });

  test('what goes to members alone waits for no mail server, and what that says tells nobody who is one', async () => {
    const { url } = await startServer(true);
    const hub = await startTestHub({ environment: { SMTP_URL: url } });
    await hub.database.owner.query(
      `insert into members (email, password_hash, nickname, referral_code, created_at)
       values ('ada@example.org', '', 'n', 'ADAADAAD', 0)`,
    );
    const ask = async (target: string) => {
      const browser = hub.visitor();
      return browser.call('sms/sms', { target, purpose: 'recover', captcha: await browser.captcha() });
    };
    const answer = await ask('ada@example.org');
    expect(answer.code).toBe(1);
    expect(await ask('nobody@example.org')).toEqual(answer);
    // The member's is tried again later; nobody's is never tried.
    const waiting = () => hub.database.owner.query('select 1 from mail_queue where tries > 0');
    const all = () => hub.database.owner.query('select 1 from mail_queue');
    await expect.poll(async () => [(await all()).length, (await waiting()).length]).toEqual([1, 1]);
    await hub.close();
  });
});
