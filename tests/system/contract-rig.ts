import {
  type Amount,
  amount,
  type Instrument,
  ORDER_STATUS,
  ORDER_TYPE,
  type OrderStatus,
  POSITION_SIDE,
  SIDE,
  stepsToAmount,
  TIME_IN_FORCE,
  type VenuePosition,
} from '@crossbook/domain';
import type {
  ContractOrderTerms,
  SettingOutcome,
  VenueContracts,
  VenueCredentials,
  VenueOrderRequest,
  VenueTrading,
} from '@crossbook/venues/trading';
import type { ContractVenue } from './contract-venues.ts';
import { PUBLIC_HALVES } from './public-halves.ts';
import { askUntil, bidBelowRoom, must } from './simulator-venue.ts';
import { nextId, type TradingRig } from './trading-rig.ts';

/** One-way, cross, opening: what an order says of its position where a test says nothing else. */
export const OPENS: ContractOrderTerms = {
  ...{ side: POSITION_SIDE.NET, positionMode: 'one-way', marginMode: 'cross', reduceOnly: false },
};
/** The same, closing. */
export const REDUCES: ContractOrderTerms = { ...OPENS, reduceOnly: true };

/** A change that must have been made. */
export function expectDone(outcome: SettingOutcome): void {
  if (outcome.outcome !== 'done') throw new Error(JSON.stringify(outcome));
}

/** Makes every member that a rig opens an account of its own, also where suites share a simulator. */
let membersOpened = 0;

/** Contracts of one venue whose market stands still, by the connector that orders on pairs go through too. */
export class ContractRig {
  readonly venue: ContractVenue;
  readonly trading: TradingRig;
  readonly connector: VenueTrading;
  readonly contracts: VenueContracts;
  readonly btc: Instrument;
  readonly bid: Amount;
  readonly ask: Amount;
  /** What `size` counts of the contract. */
  readonly size: Amount;
  #master: VenueCredentials | undefined;

  private constructor(
    venue: ContractVenue,
    trading: TradingRig,
    market: { readonly btc: Instrument; readonly bid: Amount; readonly ask: Amount },
  ) {
    this.venue = venue;
    this.trading = trading;
    this.connector = trading.connector('over its socket');
    if (this.connector.contracts === undefined) throw new Error(`${venue.name} trades no contracts`);
    this.contracts = this.connector.contracts;
    this.btc = market.btc;
    this.bid = market.bid;
    this.ask = market.ask;
    this.size = amount(venue.size);
  }

  static async open(venue: ContractVenue, trading: TradingRig): Promise<ContractRig> {
    const { rest } = PUBLIC_HALVES[trading.venue.slug].perps(trading.simulator);
    const listed = must(await rest.instruments('SWAP'));
    const btc = listed.find(({ symbol }) => symbol === venue.symbol);
    if (btc === undefined) throw new Error(`${venue.symbol} is not listed`);
    const depth = must(await rest.depth(btc, 5));
    const best = (side: 'bids' | 'asks') => stepsToAmount(depth[side][0]?.[0] ?? 0, btc.tickSize);
    return new ContractRig(venue, trading, { btc, bid: best('bids'), ask: best('asks') });
  }

  /** The best bid of a book that stands still and has room between its sides. */
  bidBelowRoom(): Promise<Amount> {
    const { simulator, venue } = this.trading;
    const { rest } = PUBLIC_HALVES[venue.slug].perps(simulator);
    return bidBelowRoom({ rest, simulator }, this.btc);
  }

  /** A new account, prepared, with its money behind contracts at a leverage of 20. */
  async member(usdt = '10000'): Promise<VenueCredentials> {
    const credentials = await this.#funded(usdt);
    expectDone(await this.contracts.prepare(credentials));
    expectDone(await this.leverage(credentials, 20));
    return credentials;
  }

  /** Where contracts have a wallet of their own, money goes there by the same transfer that pays members. */
  async #funded(usdt: string): Promise<VenueCredentials> {
    if (!this.venue.ownPocket) return await this.trading.member({ USDT: usdt });
    this.#master ??= await this.trading.simulator.member('master', { USDT: '1000000' });
    const master = this.#master;
    membersOpened += 1;
    const label = `contracts-${membersOpened}`;
    const opened = await askUntil(
      (outcome) => outcome === 'found',
      () => this.connector.openMemberAccount(master, label),
    );
    if (opened.outcome !== 'found') throw new Error(opened.outcome);
    const { accountId, credentials } = opened.value;
    const moved = await this.connector.transfer(master, {
      ...{ clientId: nextId().slice(0, 32), to: accountId, asset: 'USDT', amount: amount(usdt) },
      pocket: 'futures',
    });
    if (moved.outcome !== 'done') throw new Error(JSON.stringify(moved));
    return credentials;
  }

  leverage(credentials: VenueCredentials, leverage: number): Promise<SettingOutcome> {
    const change = { leverage, marginMode: 'cross', side: POSITION_SIDE.NET } as const;
    return this.contracts.setLeverage(credentials, this.btc, change);
  }

  order(part: Partial<VenueOrderRequest> = {}): VenueOrderRequest {
    return {
      ...{ clientId: nextId(), instrument: this.btc, side: SIDE.BUY, type: ORDER_TYPE.LIMIT },
      ...{ timeInForce: TIME_IN_FORCE.GTC, quantity: this.size, contract: OPENS },
      ...part,
    };
  }

  /** A buy that rests: 2 % below the market. */
  resting(part: Partial<VenueOrderRequest> = {}): VenueOrderRequest {
    return this.order({ price: this.times(this.bid, 98), ...part });
  }

  /** So many hundredths of a price, on the tick. */
  times(price: Amount, hundredths: number): Amount {
    const { tickSize } = this.btc;
    return stepsToAmount(Number((price * BigInt(hundredths)) / 100n / tickSize), tickSize);
  }

  /** Places an order and gives how it stands once it has ended or rests. */
  async placed(member: VenueCredentials, order: VenueOrderRequest, wanted: OrderStatus) {
    const sent = await this.connector.place(member, order);
    if (sent.outcome !== 'accepted') throw new Error(JSON.stringify(sent));
    const found = await askUntil(
      (outcome) => outcome === 'found',
      () => this.connector.find(member, order.instrument, order.clientId),
    );
    if (found.outcome !== 'found' || found.value.status !== wanted) throw new Error(JSON.stringify(found));
    return found.value;
  }

  /** A market order that fills, and its fills. */
  async filled(member: VenueCredentials, part: Partial<VenueOrderRequest> = {}) {
    const order = this.order({ type: ORDER_TYPE.MARKET, ...part });
    const state = await this.placed(member, order, ORDER_STATUS.FILLED);
    const fills = must(await this.connector.fillsOfOrder(member, this.btc, state.venueOrderId));
    return { order, state, fills };
  }

  /** What an account holds of the contract. */
  async held(member: VenueCredentials): Promise<readonly VenuePosition[]> {
    return must(await this.contracts.positions(member, [this.btc])).filter(({ quantity }) => quantity !== 0n);
  }

  /** What an account paid in and realised. */
  async wallet(member: VenueCredentials): Promise<Amount> {
    return must(await this.contracts.pool(member)).wallet;
  }
}
