import { type ScriptedSockets, scriptedVenue } from '../../trading/scripted-transport.fixture.ts';
import type { HttpAnswer, HttpRequest } from '../../transport.ts';
import type { VenueCredentials } from '../../venue-answers.ts';
import type { UserStreamHandlers } from '../../venue-streams.ts';
import { createOkxTrading } from './okx-trading.ts';

/** A key for tests. */
export const CREDENTIALS: VenueCredentials = {
  apiKey: 'the-api-key',
  secret: 'the-secret',
  passphrase: 'the-passphrase',
};

/** A good answer of OKX. */
export function okxAnswer(...data: readonly unknown[]): HttpAnswer {
  return { status: 200, headers: {}, text: JSON.stringify({ code: '0', msg: '', data }) };
}

/** A refusal as a whole. */
export function okxRefusal(code: string, status = 200): HttpAnswer {
  return { status, headers: {}, text: JSON.stringify({ code, msg: 'refused', data: [] }) };
}

/** A refusal of the one item that was asked for. */
export function okxItemRefusal(sCode: string, code = '1'): HttpAnswer {
  const data = [{ ordId: '', clOrdId: '', sCode, sMsg: 'refused' }];
  return { status: 200, headers: {}, text: JSON.stringify({ code, msg: '', data }) };
}

/** A connector over scripted sockets, HTTP and time, which knows the code of BTC-USDT. */
export function scriptedConnector() {
  const { options, ...venue } = scriptedVenue();
  const trading = createOkxTrading({
    ...options,
    privateSocketUrl: 'ws://venue/ws/v5/private',
    businessSocketUrl: 'ws://venue/ws/v5/business',
    sendHttp: (request) =>
      request.url.includes('/public/instruments')
        ? Promise.resolve(okxAnswer({ instId: 'BTC-USDT', instIdCode: 7_001 }))
        : options.sendHttp(request),
  });
  return { ...venue, trading };
}

/** The same with the private socket of `CREDENTIALS` logged on and subscribed. */
export async function connectedConnector(handlers: Partial<UserStreamHandlers> = {}) {
  const all = scriptedConnector();
  const nothing = (): void => undefined;
  const stream = all.trading.userStream(CREDENTIALS, {
    onOpen: nothing,
    onOrder: nothing,
    onBalances: nothing,
    onClosed: nothing,
    onMalformed: nothing,
    ...handlers,
  });
  // The list of codes is read.
  await new Promise<void>((done) => setImmediate(done));
  logOn(all.sockets);
  return { ...all, stream };
}

/** Plays the far end of a log-on and its two subscriptions on the newest socket. */
export function logOn(sockets: ScriptedSockets): void {
  sockets.newest.open();
  sockets.newest.say({ event: 'login', code: '0', msg: '', connId: 'a4d3ae55' });
  for (const channel of ['orders', 'account']) {
    sockets.newest.say({ id: 'subscribe', event: 'subscribe', arg: { channel }, connId: 'a4d3ae55' });
  }
}

/** The last frame the connector wrote. */
export function lastFrame(
  sockets: ScriptedSockets,
): Record<string, unknown> & { args: Record<string, unknown>[] } {
  return JSON.parse(sockets.newest.heard.at(-1) ?? '{}') as never;
}

/** Path and query of a request. */
export function pathOf(request: HttpRequest | undefined): string {
  return (request?.url ?? '').replace('http://venue', '');
}
