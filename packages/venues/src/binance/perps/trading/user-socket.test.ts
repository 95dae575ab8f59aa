import { expect, test } from 'vitest';
import { okAnswer, scriptedVenue } from '../../../trading/scripted-transport.fixture.ts';
import type { HttpAnswer } from '../../../transport.ts';
import { Calls } from '../../account/calls.ts';
import { MARGIN_CALL } from './messages.fixture.ts';
import { openContractSocket } from './user-socket.ts';

/** Enough turns for one request and what follows its answer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

async function followed(first: HttpAnswer = okAnswer({ listenKey: 'key-1' })) {
  const { options, http, sockets, time } = scriptedVenue();
  const calls = new Calls({
    ...options,
    wsApiUrl: 'ws://venue',
    futures: { restBase: 'http://futures', socketBase: 'ws://futures' },
  });
  http.answer = () => first;
  const reported: string[] = [];
  const stream = openContractSocket({
    ...options,
    bounds: {},
    socketBase: 'ws://futures',
    calls,
    credentials: { apiKey: 'the-key', secret: 'the-secret' },
    handlers: {
      onOpen: () => reported.push('open'),
      onOrder: () => reported.push('order'),
      onBalances: () => undefined,
      onContracts: ({ cause, symbols = [] }) => reported.push([cause, ...symbols].join(' ')),
      onClosed: (why) => reported.push(`closed: ${why}`),
      onMalformed: (why) => reported.push(`malformed: ${why}`),
    },
  });
  await settle();
  const keys = () => http.requests.filter(({ url }) => url.includes('listenKey'));
  /** The newest socket of the private stream; the connector keeps one of calls besides. */
  const peer = () => {
    const found = sockets.peers.findLast(({ url }) => url.startsWith('ws://futures'));
    if (found === undefined) throw new Error('no private stream was opened');
    return found;
  };
  return { http, peer, time, reported, stream, keys };
}

test('the key is asked for without a signature, and its socket is live at once', async () => {
  const { keys, peer, reported, stream } = await followed();
  expect(keys()).toMatchObject([
    {
      method: 'POST',
      url: 'http://futures/fapi/v1/listenKey',
      body: '',
      headers: { 'x-mbx-apikey': 'the-key' },
    },
  ]);
  expect(peer().url).toBe('ws://futures/private/ws?listenKey=key-1');
  peer().open();
  expect(reported).toEqual(['open']);
  stream.close();
});

test('the key is kept alive while its socket is open, and made anew when the venue says that it has ended', async () => {
  const { http, time, keys, peer, reported, stream } = await followed();
  peer().open();
  const alive = async (minutes: number): Promise<void> => {
    for (let passed = 0; passed < minutes * 60_000; passed += 5_000) {
      time.advance(5_000);
      peer().say({ result: [], id: 1 });
      await settle();
    }
  };
  await alive(26);
  expect(keys().at(-1)).toMatchObject({ method: 'PUT', url: 'http://futures/fapi/v1/listenKey' });
  http.answer = ({ method }) =>
    method === 'PUT'
      ? { status: 400, headers: {}, text: '{"code":-1125,"msg":"This listenKey does not exist."}' }
      : okAnswer({ listenKey: 'key-2' });
  await alive(24);
  expect(reported).toEqual(['open', 'closed: listen key ended']);
  time.advance(1_000);
  await settle();
  peer().open();
  expect([peer().url, reported.at(-1)]).toEqual(['ws://futures/private/ws?listenKey=key-2', 'open']);
  stream.close();
});

test('an event that the key expires ends the link, and the next one has a new key', async () => {
  const { http, time, peer, reported, stream } = await followed();
  peer().open();
  http.answer = () => okAnswer({ listenKey: 'key-2' });
  peer().say({ e: 'listenKeyExpired', E: 1, listenKey: 'key-1' });
  expect(reported).toEqual(['open', 'closed: listen key expired']);
  time.advance(1_000);
  await settle();
  expect(peer().url).toBe('ws://futures/private/ws?listenKey=key-2');
  stream.close();
});

test('a key that is refused is told, and asked for again with growing delays', async () => {
  const denied = { status: 401, headers: {}, text: '{"code":-2015,"msg":"Invalid API-key."}' };
  const { time, keys, reported, stream } = await followed(denied);
  expect(reported).toEqual(['closed: no listen key: venue answered -2015']);
  time.advance(1_000);
  await settle();
  expect(keys().length).toBeGreaterThan(1);
  stream.close();
  const asked = keys().length;
  time.advance(100_000);
  await settle();
  expect(keys().length).toBe(asked);
});

test('a margin call names the contracts that are in danger', async () => {
  const { peer, reported, stream } = await followed();
  peer().open();
  peer().say({ ...MARGIN_CALL, p: ['BTCUSDT', 'ETHUSDT'].map((s) => ({ ...MARGIN_CALL.p[0], s })) });
  peer().say({ ...MARGIN_CALL, p: undefined });
  expect(reported).toEqual(['open', 'margin-call BTCUSDT ETHUSDT', 'malformed: MARGIN_CALL']);
  stream.close();
});
