import type { SettingRow } from '@crossbook/contract';
import {
  AMOUNT_ONE,
  type Amount,
  ceilTo,
  decimalsOf,
  divDown,
  floorTo,
  formatAmountFixed,
  type Instrument,
  mulDown,
  ORDER_TYPE,
  type OrderType,
  SIDE,
  type Side,
  TIME_IN_FORCE,
  type TimeInForce,
  ZERO,
} from '@crossbook/domain';
import { entryAmount, readNumberEntry, stepEntry } from '../ticket/number-entry.ts';
import { baseStep, countsContracts } from './contract-size.ts';

/** What a size is given in: coins, their value in quote, the margin behind them, or the venue's contracts. */
export const SIZE_UNITS = ['coin', 'value', 'margin', 'contracts'] as const;
/** One such unit. */
export type SizeUnit = (typeof SIZE_UNITS)[number];

/** What stands in the ticket of a contract. Texts are exactly what the fields show: nothing typed is ever changed. */
export interface ContractTicketState {
  /** Which of hedge mode's tabs is open; `open` in one-way mode. */
  readonly tab: 'open' | 'close';
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly price: string;
  readonly size: string;
  readonly unit: SizeUnit;
  /** Where the slider was put, 0 to 100; `undefined` once a size was typed. */
  readonly percent: number | undefined;
  /** One-way mode: never grows nor flips the position. */
  readonly reduceOnly: boolean;
}

/** What the ticket's fields need to know. */
export interface ContractEntryFacts {
  readonly instrument: Instrument;
  readonly setting: SettingRow | undefined;
  readonly bestBid: Amount | undefined;
  readonly bestAsk: Amount | undefined;
  /** The largest size of the armed side in coins, when it is known: what the slider shares out. */
  readonly largest: Amount | undefined;
  /** Of an order that waits: the price it will be sent at, whatever the market is now; none in it until it is filled in. */
  readonly waitsFor?: { readonly price: Amount | undefined };
}

/** What a person, the book or a key may do to the ticket. */
export type ContractTicketAction =
  | { readonly kind: 'tab'; readonly tab: 'open' | 'close' }
  | { readonly kind: 'side'; readonly side: Side }
  | { readonly kind: 'type'; readonly type: OrderType }
  | { readonly kind: 'time-in-force'; readonly timeInForce: TimeInForce }
  | { readonly kind: 'unit'; readonly unit: SizeUnit }
  | { readonly kind: 'reduce-only'; readonly reduceOnly: boolean }
  | { readonly kind: 'write'; readonly field: 'price' | 'size'; readonly text: string }
  | { readonly kind: 'step'; readonly field: 'price' | 'size'; readonly steps: number }
  | { readonly kind: 'percent'; readonly percent: number }
  | { readonly kind: 'best' }
  | { readonly kind: 'pick-price'; readonly price: Amount }
  | { readonly kind: 'pick-size'; readonly size: Amount };

/** An untouched ticket. */
export function emptyContractTicket(kept: {
  /** 2 is a market order; others begin with a limit. */
  readonly orderKind: number;
  readonly timeInForce: TimeInForce;
  readonly sizeUnit: string;
}): ContractTicketState {
  return {
    ...{ tab: 'open', side: SIDE.BUY, timeInForce: kept.timeInForce },
    type: kept.orderKind === 2 ? ORDER_TYPE.MARKET : ORDER_TYPE.LIMIT,
    ...{ price: '', size: '', percent: undefined, reduceOnly: false },
    unit: sizeUnitOf(kept.sizeUnit),
  };
}

function sizeUnitOf(kept: string): SizeUnit {
  return SIZE_UNITS.find((unit) => unit === kept) ?? 'coin';
}

/** Whether the order can only make a position smaller. */
export function onlyCloses(
  state: Pick<ContractTicketState, 'tab' | 'reduceOnly'>,
  setting: SettingRow | undefined,
): boolean {
  return setting?.positionMode === 'hedge' ? state.tab === 'close' : state.reduceOnly;
}

/** Which leg the order is about: none in one-way mode; buying in the Close tab closes the short leg. */
export function effectOfOrder(
  { tab, side }: Pick<ContractTicketState, 'tab' | 'side'>,
  setting: SettingRow | undefined,
): 0 | 1 | 2 {
  if (setting?.positionMode !== 'hedge') return 0;
  return (side === SIDE.BUY) === (tab === 'open') ? 1 : 2;
}

/** The leverage that the order would carry; 1 while it is not known. */
export function leverageOf(effect: 0 | 1 | 2, setting: SettingRow | undefined): number {
  if (setting === undefined) return 1;
  return effect === 2 ? setting.leverageShort : setting.leverageLong;
}

/** The price that sizes are converted at: what the order waits for, the limit, or the best of the other side. */
export function conversionPrice(
  state: Pick<ContractTicketState, 'type' | 'price' | 'side'>,
  { bestBid, bestAsk, waitsFor }: Pick<ContractEntryFacts, 'bestBid' | 'bestAsk' | 'waitsFor'>,
): Amount | undefined {
  if (waitsFor !== undefined) return waitsFor.price;
  const best = state.side === SIDE.BUY ? bestAsk : bestBid;
  if (state.type === ORDER_TYPE.MARKET) return best;
  const price = entryAmount(state.price);
  return price === undefined || price === ZERO ? undefined : price;
}

/** The units that an instrument offers. */
export function unitsOf(instrument: Instrument): readonly SizeUnit[] {
  return SIZE_UNITS.filter((unit) => unit !== 'contracts' || countsContracts(instrument));
}

/** Base coins that a size stands for, on the lot, cut; `undefined` while it is empty or its price is not known. */
export function coinsOf(state: ContractTicketState, facts: ContractEntryFacts): Amount | undefined {
  const entered = entryAmount(state.size);
  if (entered === undefined || entered === ZERO) return undefined;
  const { instrument, setting } = facts;
  if (state.unit === 'contracts') return mulDown(entered, instrument.contractValue);
  if (state.unit === 'coin') return entered;
  const price = conversionPrice(state, facts);
  if (price === undefined || price === ZERO) return undefined;
  const leverage = BigInt(leverageOf(effectOfOrder(state, setting), setting));
  const value = state.unit === 'margin' ? entered * leverage : entered;
  return floorTo(divDown(value as Amount, price), baseStep(instrument));
}

/** What the venue counts for a size in coins; exact where the coins lie on the lot. */
export function venueQuantity(coins: Amount, { contractValue }: Pick<Instrument, 'contractValue'>): Amount {
  return divDown(coins, contractValue);
}

/** A size in coins as a text of a unit. */
function sizeText(coins: Amount, state: ContractTicketState, facts: ContractEntryFacts): string {
  const { instrument, setting } = facts;
  if (coins === ZERO) return '';
  if (state.unit === 'coin') {
    const step = baseStep(instrument);
    return formatAmountFixed(floorTo(coins, step), decimalsOf(step));
  }
  if (state.unit === 'contracts') {
    const counted = floorTo(venueQuantity(coins, instrument), instrument.lotSize);
    return formatAmountFixed(counted, decimalsOf(instrument.lotSize));
  }
  const price = conversionPrice(state, facts);
  if (price === undefined) return '';
  const leverage = BigInt(leverageOf(effectOfOrder(state, setting), setting));
  const value = (coins * price) / AMOUNT_ONE;
  // Up to the cent, so that the same coins come back.
  const cents = ceilTo((state.unit === 'margin' ? value / leverage + 1n : value) as Amount, CENT);
  return formatAmountFixed(cents, 2);
}

const CENT = (AMOUNT_ONE / 100n) as Amount;

/** The ticket after one action. */
export function reduceContract(
  state: ContractTicketState,
  action: ContractTicketAction,
  facts: ContractEntryFacts,
): ContractTicketState {
  switch (action.kind) {
    case 'tab':
      return { ...state, tab: action.tab, percent: undefined };
    case 'side':
      return { ...state, side: action.side, percent: undefined };
    case 'type':
      return { ...state, type: action.type, timeInForce: TIME_IN_FORCE.GTC, percent: undefined };
    case 'time-in-force':
      return { ...state, timeInForce: action.timeInForce };
    case 'unit':
      return inUnit(state, action.unit, facts);
    case 'reduce-only':
      return { ...state, reduceOnly: action.reduceOnly, percent: undefined };
    case 'write':
      return write(state, action.field, action.text);
    case 'step':
      return write(
        state,
        action.field,
        stepEntry(state[action.field], stepOf(action.field, state, facts), action.steps),
      );
    case 'percent':
      return atPercent(state, action.percent, facts);
    case 'best':
      return best(state, facts);
    case 'pick-price':
      return write({ ...state, type: ORDER_TYPE.LIMIT }, 'price', priceText(action.price, facts));
    case 'pick-size':
      return {
        ...inUnit(state, 'coin', facts),
        size: sizeText(action.size, { ...state, unit: 'coin' }, facts),
        percent: undefined,
      };
  }
}

/** The ticket once its order was sent: another order is another size, and may open again. */
export function afterSending(state: ContractTicketState): ContractTicketState {
  return { ...state, size: '', percent: undefined, reduceOnly: false };
}

/**
 * The ticket when another contract comes on screen. Price and reduce-only mean nothing there; nor does the size, unless it
 * is the same coin at another exchange, counted alike.
 * @param keptUnit what sizes there are given in.
 */
export function onOtherContract(
  state: ContractTicketState,
  sameCoin: boolean,
  keptUnit: string,
): ContractTicketState {
  const unit = sizeUnitOf(keptUnit);
  const size = sameCoin && unit === state.unit && unit !== 'contracts' ? state.size : '';
  return { ...afterSending(state), unit, price: '', size, tab: 'open' };
}

/** The same order in another unit: its digits change, what is sent does not. */
function inUnit(state: ContractTicketState, unit: SizeUnit, facts: ContractEntryFacts): ContractTicketState {
  if (unit === state.unit) return state;
  const coins = coinsOf(state, facts);
  const next = { ...state, unit };
  return { ...next, size: coins === undefined ? '' : sizeText(coins, next, facts) };
}

function write(state: ContractTicketState, field: 'price' | 'size', text: string): ContractTicketState {
  const entry = readNumberEntry(text);
  if (entry === undefined) return state;
  return { ...state, [field]: entry, percent: field === 'price' ? state.percent : undefined };
}

function stepOf(
  field: 'price' | 'size',
  { unit }: ContractTicketState,
  { instrument }: ContractEntryFacts,
): Amount {
  if (field === 'price') return instrument.tickSize;
  if (unit === 'coin') return baseStep(instrument);
  return unit === 'contracts' ? instrument.lotSize : (AMOUNT_ONE as Amount);
}

function priceText(price: Amount, { instrument }: ContractEntryFacts): string {
  return formatAmountFixed(price, decimalsOf(instrument.tickSize));
}

/** BBO: the other side's best, which fills at once; one's own side's best when only making. */
function best(state: ContractTicketState, facts: ContractEntryFacts): ContractTicketState {
  const making = state.timeInForce === TIME_IN_FORCE.POST_ONLY;
  const price = (state.side === SIDE.BUY) === making ? facts.bestBid : facts.bestAsk;
  return price === undefined ? state : write(state, 'price', priceText(price, facts));
}

function atPercent(
  state: ContractTicketState,
  percent: number,
  facts: ContractEntryFacts,
): ContractTicketState {
  const share = BigInt(Math.max(0, Math.min(100, Math.round(percent))));
  if (facts.largest === undefined) return { ...state, percent };
  const coins = ((facts.largest * share) / 100n) as Amount;
  return { ...state, percent, size: sizeText(floorTo(coins, baseStep(facts.instrument)), state, facts) };
}

/** Where the slider stands: where it was put, else the share of a typed size; whole percent. */
export function contractPercent(state: ContractTicketState, facts: ContractEntryFacts): number {
  if (state.percent !== undefined) return state.percent;
  const coins = coinsOf(state, facts);
  const { largest } = facts;
  if (coins === undefined || largest === undefined || largest === ZERO) return 0;
  const share = (coins * 100n) / largest;
  return Number(share > 100n ? 100n : share);
}

/** Whether all of a position is meant: an intent that the hub resolves, never a number. */
export function meansWhole(state: ContractTicketState, setting: SettingRow | undefined): boolean {
  return onlyCloses(state, setting) && state.percent === 100;
}
