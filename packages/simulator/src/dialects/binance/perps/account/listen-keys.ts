import { ok, refused } from '@crossbook/domain';
import { type Answer, accountOf, type Caller, type Endpoint } from '../../endpoint.ts';
import { ERRORS } from '../../errors.ts';
import type { FuturesDesk } from '../desk.ts';
import { memberEndpoint, WITH_KEY } from '../member-endpoint.ts';

const LISTEN_KEY_LENGTH = 60;

/** An account has one listen key, so a call need not name it. */
function about(
  run: (desk: FuturesDesk, account: ReturnType<typeof accountOf>) => string | undefined,
): Parameters<typeof memberEndpoint>[2] {
  return (_, desk) => ({
    weight: 1,
    run: (caller: Caller): Answer => {
      const listenKey = run(desk, accountOf(caller));
      return listenKey === undefined ? refused(ERRORS.noListenKey) : ok({ listenKey });
    },
  });
}

const start = about(({ userStreams, randomText }, account) =>
  userStreams.openListenKey(account, randomText(LISTEN_KEY_LENGTH)),
);

const keep = about(({ userStreams }, account) => {
  const key = userStreams.listenKeyOf(account);
  return key !== undefined && userStreams.keepListenKey(key, account) ? key : undefined;
});

const stop: Parameters<typeof memberEndpoint>[2] = (_, desk) => ({
  weight: 1,
  run: (caller) => {
    const account = accountOf(caller);
    const key = desk.userStreams.listenKeyOf(account);
    const stopped = key !== undefined && desk.userStreams.closeListenKey(key, account);
    return stopped ? ok({}) : refused(ERRORS.noListenKey);
  },
});

/** The keys of private streams, through both doors. */
export const LISTEN_KEY_CALLS: readonly Endpoint<FuturesDesk>[] = [
  memberEndpoint(WITH_KEY, 'userDataStream.start POST /fapi/v1/listenKey', start),
  memberEndpoint(WITH_KEY, 'userDataStream.ping PUT /fapi/v1/listenKey', keep),
  memberEndpoint(WITH_KEY, 'userDataStream.stop DELETE /fapi/v1/listenKey', stop),
];
