import { ScriptedHttp, ScriptedSockets, ScriptedTime } from '../../trading/scripted-transport.fixture.ts';
import { createBinanceTrading } from './binance-trading.ts';

/** A connector over scripted sockets, HTTP and time; its socket is not open yet. */
export function scriptedConnector() {
  const time = new ScriptedTime();
  const sockets = new ScriptedSockets();
  const http = new ScriptedHttp();
  const trading = createBinanceTrading({
    restBase: 'http://venue/',
    wsApiUrl: 'ws://venue/ws-api/v3',
    clock: time.clock,
    random: () => 0.5,
    timers: time,
    sendHttp: http.send,
    openSocket: sockets.open,
  });
  return { time, sockets, http, trading };
}

/** The same with an open socket. */
export function connectedConnector() {
  const all = scriptedConnector();
  all.sockets.newest.open();
  return all;
}
