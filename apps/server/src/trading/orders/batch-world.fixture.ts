import type { CallRequest, CallResponse } from '@crossbook/contract';
import { amount, type OrderId } from '@crossbook/domain';
import type { SendOutcome, VenueOrderRequest } from '@crossbook/venues/trading';
import type { TradingDesk } from '../desk.ts';
import {
  BTCUSDT,
  CALLER,
  OPEN,
  openTradingWorld,
  stateOf,
  type TradingWorld,
} from '../trading-world.fixture.ts';

type ScaledRequest = CallRequest<'x/trade/PlaceScaled'>;

/** A buy of twenty orders of a pair at OKX, which places ten of them by one call; they hold 190 in all. */
export const TWENTY: ScaledRequest = {
  ...{ platformType: 41, tinstType: 1, symbol: 'BTCUSDT', side: 1, timeInForce: 1, skew: 0 },
  ...{ from: amount('104.5'), to: amount('85.5'), count: 20, quantity: amount('2') },
  clientId: '01890000-0000-7000-8000-00000000abcd' as OrderId,
};

/** A member with money at OKX, where several orders go by one call. */
export async function openBatchWorld(usdt: string): Promise<TradingWorld> {
  const world = await openTradingWorld();
  world.second = 2;
  world.instruments.splice(0, world.instruments.length, { ...BTCUSDT, platform: 2 });
  await world.account(CALLER.user, 2);
  await world.fund('USDT', usdt, CALLER.user, 2);
  return world;
}

/** What a venue answers that has taken an order, which rests. */
export function taken({ clientId }: VenueOrderRequest): SendOutcome {
  const state = stateOf({ id: clientId as string as OrderId, symbol: 'BTCUSDT' }, OPEN, '0', clientId);
  return { outcome: 'accepted', state: { ...state, clientId }, fills: [] };
}

/** The venue takes every order of a call but those that a test has something else for; keeps the calls. */
export function venueTakes(
  world: TradingWorld,
  but: (at: number, call: number) => SendOutcome | undefined = () => undefined,
): VenueOrderRequest[][] {
  const calls: VenueOrderRequest[][] = [];
  world.venue.answers.placeSeveral = async (_credentials, requests) => {
    calls.push([...requests]);
    return requests.map((request, at) => but(at, calls.length) ?? taken(request));
  };
  return calls;
}

/** The member asks for the scaled order; time goes on until the answer is there. */
export async function askFor(
  world: TradingWorld,
  part: Partial<ScaledRequest> = {},
  desk: TradingDesk = world.desk,
): Promise<CallResponse<'x/trade/PlaceScaled'>> {
  const caller = { ...CALLER, now: world.time.clock() };
  let over = false;
  const asked = desk.handlers['x/trade/PlaceScaled'](caller, { ...TWENTY, ...part }).finally(() => {
    over = true;
  });
  // Whoever waits for it hears of its end.
  void asked.catch(() => undefined);
  while (!over) await world.pass(100, 100);
  const answer = await asked;
  if (!answer.ok) throw new Error(answer.code.error);
  return answer.value;
}
