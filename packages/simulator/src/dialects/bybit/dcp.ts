import { DCP_PRODUCTS } from './disconnects.ts';
import { accountOf, type Desk, type Endpoint, type Run, reply, signedCall } from './endpoint.ts';
import { invalid } from './errors.ts';
import type { ParamReader } from './params.ts';

/** What cancels everything when its owner's connections are gone (order/dcp, account/dcp-info, 2026-07-24). */

const SECONDS_MIN = 3;
const SECONDS_MAX = 300;
const CALLS_PER_SECOND_MAX = 5;

/** Sets the window, which switches it on. */
function setWindow(reader: ParamReader, desk: Desk): Run {
  const product = reader.choice('product', DCP_PRODUCTS, invalid('product')) ?? 'OPTIONS';
  const seconds = reader.integer('timeWindow') ?? 0;
  if (seconds < SECONDS_MIN || seconds > SECONDS_MAX) reader.refuse(invalid('timeWindow'));
  return (caller) => {
    desk.guards.set(accountOf(caller), product, seconds);
    return reply({});
  };
}

function windows(_: ParamReader, desk: Desk): Run {
  return (caller) => {
    const set = [...desk.guards.windows(accountOf(caller))];
    const dcpInfos = set.map(([product, seconds]) => ({
      ...{ product, dcpStatus: 'ON', timeWindow: String(seconds) },
    }));
    return reply({ dcpInfos });
  };
}

/** The window and what is set of it. */
export const DCP_ENDPOINTS: readonly Endpoint[] = [
  signedCall('order.dcp POST /v5/order/disconnected-cancel-all', CALLS_PER_SECOND_MAX, setWindow),
  signedCall('account.dcp GET /v5/account/query-dcp-info', CALLS_PER_SECOND_MAX, windows),
];
