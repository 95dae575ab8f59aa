import { type Lots, ok, type Result, refused } from '@crossbook/domain';
import type { ConditionalRefusal, PositionStops, WaitingConditional } from '../perp-conditionals.ts';
import type { SimPositionKey } from '../perp-exchange.ts';
import type { TrailingTrigger, Trigger } from '../triggers/trigger.ts';
import type { TakenLeg } from './conditional-checks.ts';
import { closingOrder, stopTrigger } from './state/attached-stops.ts';
import type { DeskTools } from './state/contract-desk.ts';

/** One order that a position is to have, and the one that it replaces. */
export interface ProtectedLeg {
  readonly leg: TakenLeg;
  readonly known?: WaitingConditional;
}

/** What becomes of the orders that protect a position; or why nothing does. */
export function protectingLegs(
  key: SimPositionKey,
  asked: { readonly stops: PositionStops; readonly lots: Lots | undefined },
  { contracts }: DeskTools,
): Result<
  { readonly legs: readonly ProtectedLeg[]; readonly removed: readonly WaitingConditional[] },
  ConditionalRefusal
> {
  const held = contracts.position(key);
  if (held === undefined) return refused('NO_POSITION');
  const side = held.quantity > 0 ? 'SELL' : 'BUY';
  const { account, symbol, side: positionSide, marginMode } = key;
  const closes = { account, symbol, side, positionSide, marginMode } as const;
  const whole = contracts.conditionals.protecting(key).filter((one) => one.attached?.position === 'WHOLE');
  const legs: ProtectedLeg[] = [];
  const removed: WaitingConditional[] = [];
  for (const { purpose, leg } of askedLegs(asked.stops)) {
    const known = asked.lots === undefined ? whole.find((one) => one.purpose === purpose) : undefined;
    if (leg === 'NONE') {
      if (known !== undefined) removed.push(known);
      continue;
    }
    const trigger = 'trigger' in leg ? stopTrigger(leg, purpose, { side }) : trailing(leg, side);
    const limit = 'trigger' in leg ? leg.limit : undefined;
    const sends = closingOrder(closes, {
      limit,
      quantity: asked.lots ?? 'WHOLE',
      clientId: known?.clientId ?? '',
    });
    if (known !== undefined && isSame(known, trigger, sends)) continue;
    legs.push({ leg: { purpose, trigger, sends }, ...(known === undefined ? {} : { known }) });
  }
  return legs.length + removed.length === 0 ? refused('UNCHANGED') : ok({ legs, removed });
}

function trailing(
  leg: Pick<TrailingTrigger, 'by' | 'back' | 'activation'>,
  side: 'BUY' | 'SELL',
): TrailingTrigger {
  return { at: 'TRAIL', direction: side === 'SELL' ? 'FALL' : 'RISE', ...leg };
}

function askedLegs({ takeProfit, stopLoss, trailing: trail }: PositionStops) {
  return [
    ...(takeProfit === undefined ? [] : [{ purpose: 'TAKE_PROFIT' as const, leg: takeProfit }]),
    ...(stopLoss === undefined ? [] : [{ purpose: 'STOP' as const, leg: stopLoss }]),
    ...(trail === undefined ? [] : [{ purpose: 'TRAILING' as const, leg: trail }]),
  ];
}

/** Whether it is asked for what stands; how far a trailing one has followed does not count. */
function isSame(known: WaitingConditional, asked: Trigger, sends: WaitingConditional['sends']): boolean {
  const { trigger } = known;
  if (known.sends.price !== sends.price || trigger.by !== asked.by) return false;
  if (trigger.at === 'PRICE' || asked.at === 'PRICE')
    return trigger.at === 'PRICE' && asked.at === 'PRICE' && trigger.price === asked.price;
  const backOf = ({ back }: typeof trigger) => ('bips' in back ? `${back.bips} bips` : `${back.ticks} ticks`);
  return backOf(trigger) === backOf(asked) && trigger.activation === asked.activation;
}
