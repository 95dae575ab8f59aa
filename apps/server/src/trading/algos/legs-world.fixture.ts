import { amount, type OrderId } from '@crossbook/domain';
import type { TradingDesk } from '../desk.ts';
import { openPerpsWorld, type PerpsWorld } from '../perps/perps-world.fixture.ts';
import { BTCUSDT_PERP, CALLER, until } from '../trading-world.fixture.ts';
import { AlgoVenue } from './algo-world.fixture.ts';

/** The order whose legs are followed. */
export const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
/** That order with both legs. */
export const TARGETS = { takeProfit: amount('120'), stopLoss: amount('80'), clientId: ID };
/** The contract at Bybit. */
export const BYBIT_PERP = { ...BTCUSDT_PERP, platform: 3 } as const;

/** Contracts, and a venue that keeps what waits for a price. */
export interface LegsWorld {
  readonly perps: PerpsWorld;
  readonly venue: AlgoVenue;
}

/** As at Binance's contracts: the venue names a child itself. */
export async function openLegsWorld(): Promise<LegsWorld> {
  const perps = await openPerpsWorld();
  const venue = new AlgoVenue(perps.world);
  venue.childClientId = () => 'of the venue';
  perps.world.venue.algos = venue;
  return { perps, venue };
}

/** As at Bybit: a child has no name of ours. */
export async function openBybitWorld(): Promise<LegsWorld> {
  const { perps, venue } = await openLegsWorld();
  const { world } = perps;
  world.second = 3;
  world.instruments.splice(0, world.instruments.length, BYBIT_PERP);
  await world.account(CALLER.user, 3);
  await world.fund('USDT', '1000', CALLER.user, 3);
  venue.childClientId = () => '';
  return { perps, venue };
}

/** What stands of the order's legs: `stop waiting`. */
export async function legStates({ world }: PerpsWorld): Promise<readonly string[]> {
  return (await world.deps.algos.ofParent(ID)).map(({ plan, state }) => `${plan.kind} ${state}`).sort();
}

/** Waits until both legs stand. */
export function bothStand(perps: PerpsWorld): Promise<void> {
  return until(async () => (await legStates(perps)).join() === 'stop waiting,take-profit waiting');
}

/** Of each position whether it lacks a leg, as its member is shown. */
export async function barePositions(desk: TradingDesk, platformType: 41 | 42 | 43 = 43) {
  const answer = await desk.handlers['connextrade/CurPositionList'](CALLER, { platformType });
  return answer.ok ? answer.value.positions.map(({ unprotected }) => unprotected ?? false) : [];
}
