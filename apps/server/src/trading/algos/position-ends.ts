import { PLATFORMS } from '@crossbook/domain';
import type { AccountOwner } from '../account-pages.ts';
import { ATTACHED, isEnded, type PlaceOfAlgos, POSITION_CLOSED } from '../algo.ts';
import { ALGOS_AT_ONCE_MAX, fewAtOnce } from '../few-at-once.ts';
import { sharedRun } from '../shared-run.ts';
import { algoLane, algoShare } from './algo-intent.ts';
import { cancelWaiting } from './change-algo.ts';
import { isLeftOver } from './next-placement.ts';
import type { AlgoPlacing } from './place-algo.ts';
import { recordAlgo } from './record-algo.ts';

/** What nobody told of is found by looking at everybody's that often. */
const AGAIN_MILLIS = 60_000;
/** Legs that are cancelled in one look at a venue; the rest in the next. */
const PER_LOOK_MAX = 100;

/** Ends what only reduces with the position that it was for. */
export interface PositionEnds {
  /** Something has filled in a contract. */
  look(owner: AccountOwner, symbol: string): void;
  start(): void;
  stop(): void;
}

/**
 * Makes it. Whether a position has been flat since is asked of the booked fills, never of a memory: what was closed while
 * this process was away is found as what is closed now, and a leg of the position that stands is never among them.
 */
export function createPositionEnds(world: AlgoPlacing): PositionEnds {
  const { deps, lanes } = world.placing;
  let stopTimer = (): void => undefined;
  const shared = sharedRun<void>();
  const lookAt = async (of: PlaceOfAlgos): Promise<void> => {
    const left = await deps.algos.withoutPosition(PER_LOOK_MAX, of);
    await fewAtOnce(left, ALGOS_AT_ONCE_MAX, async ({ id }) => {
      const waits = await lanes.run(algoLane(id), async () => {
        const algo = await deps.algos.byId(id);
        if (algo === undefined || isEnded(algo) || algo.cancelPending) return false;
        await recordAlgo(deps, algo, { reason: POSITION_CLOSED });
        return true;
      });
      if (waits) await cancelWaiting(world, id);
    });
    await lookAtMade(world, of);
  };
  // Many events of one contract are one look, and a venue that does not answer holds up no other.
  const look = (of: PlaceOfAlgos): void => {
    shared(`${of.platform} ${of.user} ${of.symbol}`, () => lookAt(of)).catch((error: unknown) =>
      deps.log.note('what protected a closed position was not cancelled', { error: String(error) }),
    );
  };
  const lookEverywhere = (): void => {
    for (const { platform } of PLATFORMS) look({ platform });
  };
  return {
    look: ({ user, platform }, symbol) => look({ platform, user, symbol }),
    start() {
      lookEverywhere();
      stopTimer = deps.timers.every(AGAIN_MILLIS, lookEverywhere);
    },
    stop: () => stopTimer(),
  };
}

/** What the exchange made it binds itself; where something has filled, what of it may be left over is asked about. */
async function lookAtMade(
  { placing: { deps }, machine }: AlgoPlacing,
  { user, platform, symbol }: PlaceOfAlgos,
): Promise<void> {
  if (user === undefined || symbol === undefined) return;
  for (const leg of await deps.algos.openOf(user, { platform, symbolType: 'SWAP', symbol })) {
    if (leg.payloadHash === ATTACHED && (await isLeftOver(deps, leg)))
      machine.lookupSoon(leg.id, algoShare(leg));
  }
}
