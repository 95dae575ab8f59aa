import { scriptedVenue } from '../../trading/scripted-transport.fixture.ts';
import { createBinanceTrading } from './binance-trading.ts';

/** A connector over scripted sockets, HTTP and time; its socket is not open yet. */
export function scriptedConnector(futures?: { restBase: string; socketBase: string }) {
  const { options, ...venue } = scriptedVenue();
  const wsApiUrl = 'ws://venue/ws-api/v3';
  const trading = createBinanceTrading({ ...options, wsApiUrl, ...(futures && { futures }) });
  return { ...venue, trading };
}

/** The same with an open socket. */
export function connectedConnector() {
  const all = scriptedConnector();
  all.sockets.newest.open();
  return all;
}
