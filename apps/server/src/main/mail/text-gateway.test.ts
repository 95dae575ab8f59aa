import { createServer } from 'node:http';
import type { Millis } from '@crossbook/domain';
import { afterEach, expect, test } from 'vitest';
import { gatewayTexts, noticeByText } from './text-gateway.ts';

const NOW = 1_760_000_000_000 as Millis;
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A gateway that answers with a status and keeps what it was asked. */
async function gateway(status: number, headers: Readonly<Record<string, string>> = {}) {
  const asked: { readonly authorization: string | undefined; readonly body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    asked.push({ authorization: request.headers.authorization, body: JSON.parse(text) });
    response.writeHead(status, headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { asked, texts: gatewayTexts({ url: `http://127.0.0.1:${port}/sms`, token: 'secret' }) };
}

const MESSAGE = { to: '+819012345678', text: '1234' };

test('a message is posted once with the token', async () => {
  const { asked, texts } = await gateway(202);
  await texts.send(MESSAGE, NOW);
  expect(asked).toEqual([{ authorization: 'Bearer secret', body: MESSAGE }]);
});

test.each([
  [500, {}],
  [401, {}],
  [302, { location: 'http://127.0.0.1:1/' }],
])('a gateway that answers %i has not accepted it, and is not asked again', async (status, headers) => {
  const { asked, texts } = await gateway(status, headers);
  await expect(texts.send(MESSAGE, NOW)).rejects.toThrow();
  expect(asked).toHaveLength(1);
});

test('news that a gateway does not take are a line of the log, and stop nobody', async () => {
  const lines: string[] = [];
  const log = { warn: (_facts: object, event: string) => lines.push(event) };
  await noticeByText((await gateway(500)).texts, log)(MESSAGE, NOW);
  await noticeByText((await gateway(202)).texts, log)(MESSAGE, NOW);
  expect(lines).toEqual(['a text message was not accepted']);
});
