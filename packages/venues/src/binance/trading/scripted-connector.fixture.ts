import { scriptedVenue } from '../../trading/scripted-transport.fixture.ts';
import { createBinanceTrading } from './binance-trading.ts';

/** A connector over scripted sockets, HTTP and time; its socket is not open yet. */
export function scriptedConnector() {
  const { options, ...venue } = scriptedVenue();
  const trading = createBinanceTrading({ ...options, wsApiUrl: 'ws://venue/ws-api/v3' });
  return { ...venue, trading };
}

/** The same with an open socket. */
export function connectedConnector() {
  const all = scriptedConnector();
  all.sockets.newest.open();
  return all;
}
