import { assert, type Lots, type Millis, ok, type Result, refused } from '@crossbook/domain';
import type { AccountNumber } from '../exchange.ts';
import type {
  ConditionalChange,
  ConditionalPage,
  ConditionalRef,
  ConditionalRefusal,
  NewConditional,
  NewConditionalLeg,
  PerpConditional,
  PerpConditionals,
  PositionStops,
  WaitingConditional,
} from '../perp-conditionals.ts';
import type { SimPositionKey } from '../perp-exchange.ts';
import { ended } from '../triggers/conditional-order.ts';
import type { Trigger } from '../triggers/trigger.ts';
import { isFull, type TakenLeg, takenLeg } from './conditional-checks.ts';
import type { DeskDoor } from './contract-orders.ts';
import type { FollowedPrices } from './followed-prices.ts';
import { pageOf } from './pages.ts';
import { type ProtectedLeg, protectingLegs } from './position-stops.ts';
import type { DeskTools } from './state/contract-desk.ts';
import { ContractStep } from './state/contract-step.ts';
import { closableLots, positionKeyOf } from './state/reduce-only.ts';

type Answer<Value> = Promise<Result<Value, ConditionalRefusal>>;

/** What members do with conditional orders. */
export class ConditionalOrders implements PerpConditionals {
  readonly #tools: DeskTools;
  readonly #door: DeskDoor;
  readonly #prices: FollowedPrices;

  constructor(tools: DeskTools, door: DeskDoor, prices: FollowedPrices) {
    this.#tools = tools;
    this.#door = door;
    this.#prices = prices;
  }

  check(asked: NewConditional): Result<true, ConditionalRefusal> {
    const taken = this.#taken(asked);
    return taken.ok ? ok(true) : taken;
  }

  async place(asked: NewConditional): Answer<readonly WaitingConditional[]> {
    const taken = this.#taken(asked);
    if (!taken.ok) return taken;
    const { symbol } = asked.legs[0].sends;
    this.#door.ready(symbol);
    const step = new ContractStep(this.#tools);
    const attached = asked.position === undefined ? {} : { attached: { position: asked.position } };
    return this.#settled(step, this.#made(step, taken.value, attached));
  }

  async amend(
    account: AccountNumber,
    ref: ConditionalRef,
    change: ConditionalChange,
  ): Answer<WaitingConditional> {
    const { symbol = '' } = this.find(account, ref)?.sends ?? {};
    const desk = this.#door.look(symbol);
    // It may have fired by what was traded until now.
    const order = this.#waiting(account, ref);
    if (order === undefined || desk === undefined) return refused('UNKNOWN_ORDER');
    const { price: _, attached: __, ...bare } = order.sends;
    const { price = order.sends.price ?? 'MARKET', quantity = order.sends.quantity } = change;
    const { attached = order.sends.attached ?? 'NONE' } = change;
    const sends = {
      ...{ ...bare, quantity },
      ...(price === 'MARKET' ? {} : { price }),
      ...(attached === 'NONE' ? {} : { attached }),
    };
    const kind = price === 'MARKET' ? 'MARKET' : sends.kind === 'MARKET' ? 'LIMIT' : sends.kind;
    const asked: NewConditionalLeg = {
      purpose: order.purpose,
      trigger: changed(order.trigger, change),
      sends: { ...sends, kind },
    };
    const taken = takenLeg(asked, desk, { tools: this.#tools, prices: this.#prices });
    if (!taken.ok) return taken;
    this.#door.ready(symbol);
    const step = new ContractStep(this.#tools);
    const after: WaitingConditional = { ...order, ...taken.value, updatedAt: step.time };
    step.conditional(after, 'AMENDED');
    return this.#settled(step, after);
  }

  async cancel(account: AccountNumber, ref: ConditionalRef): Answer<readonly PerpConditional[]> {
    const order = this.#waiting(account, ref);
    if (order === undefined) return refused('UNKNOWN_ORDER');
    const { symbol } = order.sends;
    this.#door.ready(symbol);
    const { contracts, habits } = this.#tools;
    const siblings = habits.groupIsOne ? (contracts.conditionals.index(symbol)?.siblings(order) ?? []) : [];
    const step = new ContractStep(this.#tools);
    return this.#settled(step, cancelled(step, [order, ...siblings]));
  }

  async cancelAll(account: AccountNumber, symbol?: string): Promise<readonly PerpConditional[]> {
    const orders = this.#tools.contracts.conditionals.waiting(account, symbol);
    if (orders.length === 0) return [];
    for (const one of new Set(orders.map(({ sends }) => sends.symbol))) this.#door.ready(one);
    const step = new ContractStep(this.#tools);
    const done = await this.#settled(step, cancelled(step, orders));
    return done.value;
  }

  async protect(
    key: SimPositionKey,
    stops: PositionStops,
    lots?: Lots,
  ): Answer<readonly WaitingConditional[]> {
    const desk = this.#door.look(key.symbol);
    if (desk === undefined) return refused('UNKNOWN_SYMBOL');
    const planned = protectingLegs(key, { stops, lots }, this.#tools);
    if (!planned.ok) return planned;
    const taken: (ProtectedLeg & { readonly leg: TakenLeg })[] = [];
    for (const one of planned.value.legs) {
      const checked = takenLeg(one.leg, desk, { tools: this.#tools, prices: this.#prices });
      if (!checked.ok) return checked;
      taken.push({ ...one, leg: checked.value });
    }
    const { account, symbol } = key;
    const fresh = taken.filter(({ known }) => known === undefined);
    if (isFull(this.#tools, { account, symbol, onPosition: true }, fresh.length))
      return refused('MAX_NUM_ALGO_ORDERS');
    this.#door.ready(symbol);
    const step = new ContractStep(this.#tools);
    cancelled(step, planned.value.removed);
    for (const { known, leg } of taken)
      if (known !== undefined) step.conditional({ ...known, ...leg, updatedAt: step.time }, 'AMENDED');
    const attached = { position: lots === undefined ? ('WHOLE' as const) : ('PART' as const) };
    const legs = fresh.map(({ leg }) => leg);
    // What closes all of a position ends with it, and needs no group for that.
    if (lots !== undefined) this.#made(step, legs, { attached });
    else for (const leg of legs) this.#made(step, [leg], { attached });
    return this.#settled(step, this.protecting(key));
  }

  find(account: AccountNumber, ref: ConditionalRef): PerpConditional | undefined {
    return this.#tools.contracts.conditionals.find(account, ref);
  }

  open(account: AccountNumber, symbol?: string): readonly PerpConditional[] {
    return this.#tools.contracts.conditionals.open(account, symbol);
  }

  history(account: AccountNumber, page: ConditionalPage): readonly PerpConditional[] {
    const all = this.#tools.contracts.conditionals.allOf(account);
    return pageOf(all, page, ({ algoId: id, createdAt: time, sends: { symbol } }) => ({ id, time, symbol }));
  }

  protecting(key: SimPositionKey): readonly WaitingConditional[] {
    return this.#tools.contracts.conditionals.protecting(key);
  }

  #taken({ legs, position }: NewConditional): Result<readonly TakenLeg[], ConditionalRefusal> {
    const { account, symbol } = legs[0].sends;
    const { contracts, members } = this.#tools;
    const desk = this.#door.look(symbol);
    if (desk === undefined) return refused('UNKNOWN_SYMBOL');
    assert(members.hasAccount(account), 'an order belongs to an account');
    const taken: TakenLeg[] = [];
    for (const leg of legs) {
      assert(leg.sends.account === account && leg.sends.symbol === symbol, 'a group is of one contract');
      const checked = takenLeg(leg, desk, { tools: this.#tools, prices: this.#prices });
      if (!checked.ok) return checked;
      const namesake = contracts.conditionals.find(account, leg.sends);
      if (namesake?.state === 'WAITING') return refused('DUPLICATE_CLIENT_ID');
      const refusal = position === undefined ? undefined : this.#positionRefusal(checked.value, position);
      if (refusal !== undefined) return refused(refusal);
      taken.push(checked.value);
    }
    const onPosition = position !== undefined;
    const full = isFull(this.#tools, { account, symbol, onPosition }, legs.length);
    return full ? refused('MAX_NUM_ALGO_ORDERS') : ok(taken);
  }

  /** What ends with a position needs one, and two for all of it would be one too many. */
  #positionRefusal({ purpose, sends }: TakenLeg, position: 'WHOLE' | 'PART'): ConditionalRefusal | undefined {
    const { contracts } = this.#tools;
    const key = positionKeyOf(sends);
    if (closableLots(contracts, key, sends.side) === 0) return 'NO_POSITION';
    const stands = contracts.conditionals
      .protecting(key)
      .some((one) => one.purpose === purpose && one.attached?.position === 'WHOLE');
    return position === 'WHOLE' && stands ? 'CLOSE_EXISTS' : undefined;
  }

  #made(
    step: ContractStep,
    legs: readonly TakenLeg[],
    about: Pick<WaitingConditional, 'attached'>,
  ): WaitingConditional[] {
    const { conditionals } = this.#tools.contracts;
    const group = legs.length > 1 ? { group: conditionals.nextId } : {};
    const time: Millis = step.time;
    return legs.map((leg) => {
      const algoId = conditionals.nextId;
      const clientId = leg.sends.clientId === '' ? `stop-${algoId}` : leg.sends.clientId;
      const order: WaitingConditional = {
        ...{ ...leg, ...about, ...group, algoId, clientId, state: 'WAITING' },
        sends: { ...leg.sends, clientId },
        ...{ createdAt: time, updatedAt: time },
      };
      step.conditional(order, 'NEW');
      return order;
    });
  }

  #waiting(account: AccountNumber, ref: ConditionalRef): WaitingConditional | undefined {
    const order = this.find(account, ref);
    return order?.state === 'WAITING' ? order : undefined;
  }

  #settled<Value>(step: ContractStep, value: Value): Promise<{ readonly ok: true; readonly value: Value }> {
    return new Promise((resolve, reject) => {
      this.#tools.finish(step, (failure) =>
        failure === undefined ? resolve({ ok: true, value }) : reject(failure),
      );
    });
  }
}

function cancelled(step: ContractStep, orders: readonly WaitingConditional[]): PerpConditional[] {
  return orders.map((one) => {
    const order = ended(one, { state: 'CANCELLED', cause: 'MEMBER' }, step.time);
    step.conditional(order, 'CANCELLED');
    return order;
  });
}

/** A trailing one that is changed follows anew. */
function changed(trigger: Trigger, change: ConditionalChange): Trigger {
  const { by = trigger.by } = change;
  if (trigger.at === 'PRICE') return { ...trigger, by, price: change.trigger ?? trigger.price };
  const { back = trigger.back, activation = trigger.activation } = change;
  const { direction, best } = trigger;
  const started = activation === undefined ? {} : { activation };
  const same = back === trigger.back && activation === trigger.activation && by === trigger.by;
  const kept = same && best !== undefined ? { best } : {};
  return { at: 'TRAIL', by, direction, back, ...started, ...kept };
}
