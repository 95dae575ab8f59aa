import {
  type Amount,
  amount,
  type ContractSetting,
  formatAmount,
  type LeverageTier,
  type MarginPool,
  type Millis,
  ORDER_STATUS,
  type PositionSide,
  SIDE,
  type Side,
  type VenueFill,
  type VenueIncome,
  type VenueOrderId,
  type VenuePosition,
  type VenueTradeId,
  ZERO,
} from '@crossbook/domain';
import type {
  ContractReadFor,
  SettingOutcome,
  VenueContracts,
  VenueOrderRequest,
} from '@crossbook/venues/trading';
import type { TradingDesk } from '../desk.ts';
import { BTCUSDT_PERP, CALLER, openTradingWorld, type TradingWorld } from '../trading-world.fixture.ts';

/** What Binance counts for what is asked of it: positions are two calls, where there are any. */
const WEIGHTS: Readonly<Record<string, number>> = {
  ...{ prepare: 5, setting: 10, positions: 10, 'no positions': 5, pool: 5, tiers: 1, income: 30 },
  ...{ setLeverage: 1, setMarginMode: 1, setPositionMode: 1, adjustMargin: 1 },
};

/** A venue that fills every contract order at once at 100 and keeps one account's books: what the hub's must equal. */
export class ContractVenue implements VenueContracts {
  readonly #world: TradingWorld;
  readonly calls: string[] = [];
  readonly atFirst = { leverage: 20, marginMode: 'cross', positionMode: 'one-way' } as const;
  tierRows: readonly LeverageTier[] = [];
  readonly fills: VenueFill[] = [];
  readonly sent: VenueOrderRequest[] = [];
  setting_: ContractSetting = {
    ...{ platform: 1, symbol: 'BTCUSDT', marginMode: 'cross', positionMode: 'one-way' },
    ...{ leverageLong: 10, leverageShort: 10 },
  };
  wallet = amount('1000');
  incomes: VenueIncome[] = [];
  readonly open = new Map<PositionSide, VenuePosition>();
  price = amount('100');
  answers: Pick<Partial<VenueContracts>, 'setting' | 'prepare'> = {};
  /** How long each list takes to show what has happened; what the account has and is asked for is never old. */
  readonly lagMillis = { fills: 0, income: 0, positions: 0 };
  readonly #past: { readonly at: Millis; readonly positions: readonly VenuePosition[] }[] = [];
  /** What the next changes of settings are answered with; done, once there are no more. */
  changes: (SettingOutcome & { readonly carriedOut?: boolean; readonly besides?: () => void })[] = [];
  #count = 0;
  #weighed = 0;

  constructor(world: TradingWorld) {
    this.#world = world;
  }

  get now(): Millis {
    return this.#world.time.clock();
  }

  readonly prepare: VenueContracts['prepare'] = async (...given) => {
    this.calls.push('prepare');
    return this.answers.prepare?.(...given) ?? { outcome: 'done' };
  };

  readonly setting: VenueContracts['setting'] = async (...given) => {
    this.calls.push('setting');
    return this.answers.setting?.(...given) ?? { ok: true, value: this.setting_ };
  };

  /** What a test answers instead; whether the change is carried out all the same it says itself. */
  async #change(
    name: 'setLeverage' | 'setMarginMode' | 'setPositionMode' | 'adjustMargin',
    change: () => void,
  ): Promise<SettingOutcome> {
    this.calls.push(name);
    const answer: (typeof this.changes)[number] = this.changes.shift() ?? { outcome: 'done' };
    answer.besides?.();
    if (answer.outcome === 'done' || answer.carriedOut === true) change();
    return answer;
  }

  readonly setLeverage: VenueContracts['setLeverage'] = (_credentials, _instrument, { leverage }) =>
    this.#change('setLeverage', () => {
      this.setting_ = { ...this.setting_, leverageLong: leverage, leverageShort: leverage };
    });

  readonly setMarginMode: VenueContracts['setMarginMode'] = (_credentials, _instrument, marginMode) =>
    this.#change('setMarginMode', () => {
      this.setting_ = { ...this.setting_, marginMode };
    });

  readonly setPositionMode: VenueContracts['setPositionMode'] = (_credentials, _instrument, positionMode) =>
    this.#change('setPositionMode', () => {
      this.setting_ = { ...this.setting_, positionMode };
    });

  readonly adjustMargin: VenueContracts['adjustMargin'] = (
    _credentials,
    _instrument,
    { position, amount: more },
  ) => this.#change('adjustMargin', () => this.moveMargin(position.side, more));

  /** Margin of an isolated position is moved. */
  moveMargin(leg: PositionSide, more: Amount): void {
    const position = this.open.get(leg);
    if (position?.isolatedMargin === undefined) throw new Error('no isolated position');
    this.#count += 1;
    const isolatedMargin = (position.isolatedMargin + more) as Amount;
    this.open.set(leg, { ...position, isolatedMargin, version: this.#count });
  }

  /** What positions are not read for any more: its part of the venue's budget is used up, for so long. */
  readonly spent = new Set<ContractReadFor>();
  static readonly spentMillis = 6_500;

  readonly positions: VenueContracts['positions'] = async (_account, _instruments, askedFor) => {
    if (this.spent.has(askedFor ?? 'reconciliation'))
      return { ok: false, code: 'refused', retryAfterMillis: ContractVenue.spentMillis };
    const value = this.#listed().filter(({ quantity }) => quantity !== 0n);
    this.calls.push(value.length === 0 ? 'no positions' : 'positions');
    return { ok: true, value };
  };

  #listed(): readonly VenuePosition[] {
    const { positions: lag } = this.lagMillis;
    if (lag === 0) return [...this.open.values()];
    return this.#past.findLast(({ at }) => at <= this.now - lag)?.positions ?? [];
  }

  /** What a list shows by now. */
  shown<Row extends { readonly time: Millis }>(
    list: 'fills' | 'income',
    rows: readonly Row[],
  ): readonly Row[] {
    return rows.filter(({ time }) => time <= this.now - this.lagMillis[list]);
  }

  /** The weight of everything that was asked of it since it was asked before. */
  weight(): number {
    const asked = this.calls.slice(this.#weighed);
    this.#weighed = this.calls.length;
    return asked.reduce((sum, call) => sum + (WEIGHTS[call] ?? 0), 0);
  }

  async pool() {
    this.calls.push('pool');
    const pool: MarginPool = {
      ...{
        asset: 'USDT',
        wallet: this.wallet,
        unrealisedPnl: ZERO,
        positionInitial: ZERO,
        orderInitial: ZERO,
      },
      ...{ maintenance: ZERO, available: this.wallet, withdrawable: this.wallet, updatedAt: this.now },
    };
    return { ok: true, value: pool } as const;
  }

  async tiers() {
    this.calls.push('tiers');
    return { ok: true, value: this.tierRows } as const;
  }

  readonly income: VenueContracts['income'] = async (_credentials, { since }) => {
    this.calls.push('income');
    const rows = this.shown('income', this.incomes).filter(({ time }) => time >= since);
    return { ok: true, value: { rows } };
  };

  /** Trades at the venue: the position, the wallet and the entries of the income list follow. */
  trade(
    side: Side,
    quantity: Amount,
    part: {
      readonly leg?: PositionSide;
      readonly cause?: 'trade' | 'liquidation' | 'deleveraging';
      readonly order?: string;
      /** No fee is taken; a fill that realises nothing either has no entry in the income list. */
      readonly free?: boolean;
    } = {},
  ): VenueFill {
    const { leg = 0, cause = 'trade', order = `o${this.#count}`, free = false } = part;
    this.#count += 1;
    const before = this.open.get(leg);
    const held = before?.quantity ?? ZERO;
    const direction = (side === SIDE.BUY) === (leg !== 2) ? 1n : -1n;
    const closing =
      held !== 0n && held > 0n !== direction > 0n ? minimum(quantity, held < 0n ? -held : held) : 0n;
    const entry = before?.entryPrice ?? this.price;
    const long = leg === 1 || (leg === 0 && held > 0n);
    const gain = long ? this.price - entry : entry - this.price;
    const realisedPnl = ((closing * gain) / 10n ** 18n) as Amount;
    const fee = (free ? ZERO : (((quantity * this.price) / 10n ** 18n) * 5n) / 10_000n) as Amount;
    const after = (held + direction * quantity) as Amount;
    this.wallet = (this.wallet + realisedPnl - fee) as Amount;
    this.#keep(leg, after, { held, entry, closing, quantity });
    const tradeId = `t${this.#count}` as VenueTradeId;
    const fill: VenueFill = {
      ...{ tradeId, venueOrderId: order as VenueOrderId, price: this.price, quantity },
      quoteQuantity: ((quantity * this.price) / 10n ** 18n) as Amount,
      ...{ fee, feeAsset: 'USDT', maker: false, time: this.now },
      contract: { realisedPnl, side: leg, cause, buys: side === SIDE.BUY },
    };
    this.fills.push(fill);
    const entry_ = { symbol: 'BTCUSDT', asset: 'USDT', tradeId, time: this.now };
    if (realisedPnl !== 0n)
      this.incomes.push({ ...entry_, id: `p${this.#count}`, kind: 'realised-pnl', amount: realisedPnl });
    if (fee !== 0n)
      this.incomes.push({ ...entry_, id: `c${this.#count}`, kind: 'commission', amount: -fee as Amount });
    return fill;
  }

  #keep(
    leg: PositionSide,
    quantity: Amount,
    was: {
      readonly held: bigint;
      readonly entry: Amount;
      readonly closing: bigint;
      readonly quantity: Amount;
    },
  ): void {
    const grows = was.closing === 0n;
    const size = was.held < 0n ? -was.held : was.held;
    const flipped = was.closing > 0n && was.closing < was.quantity;
    const averaged = grows
      ? (((size * was.entry + was.quantity * this.price) / (size + was.quantity)) as Amount)
      : was.entry;
    this.open.set(leg, {
      ...{ platform: this.setting_.platform, symbol: 'BTCUSDT', side: leg, quantity, ...this.#aside(leg) },
      ...{ entryPrice: flipped ? this.price : averaged, markPrice: this.price, leverage: 10 },
      ...{ unrealisedPnl: ZERO, initialMargin: ZERO, maintenanceMargin: ZERO, adlRank: 0, status: 'normal' },
      ...{ version: this.#count, updatedAt: this.now },
      // Half way down; no price liquidates a short.
      ...(quantity > 0n && leg !== 2 ? { liquidationPrice: (this.price / 2n) as Amount } : {}),
    });
    this.#past.push({ at: this.now, positions: [...this.open.values()] });
  }

  /** Ten behind every position that stands alone, until it is moved. */
  #aside(leg: PositionSide): Pick<VenuePosition, 'marginMode' | 'isolatedMargin'> {
    const { marginMode } = this.setting_;
    if (marginMode === 'cross') return { marginMode };
    return { marginMode, isolatedMargin: this.open.get(leg)?.isolatedMargin ?? amount('10') };
  }

  /** An entry of the income list that belongs to no trade. */
  pay(kind: VenueIncome['kind'], text: string, id = `i${this.incomes.length}`): void {
    const paid = amount(text);
    this.wallet = (this.wallet + paid) as Amount;
    this.incomes.push({ id, kind, symbol: 'BTCUSDT', asset: 'USDT', amount: paid, time: this.now });
  }
}

function minimum(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

/** A world whose venue trades contracts, and a member with 1,000 USDT behind them. */
export async function openPerpsWorld(): Promise<PerpsWorld> {
  const world = await openTradingWorld();
  const venue = new ContractVenue(world);
  world.venue.contracts = venue;
  await world.account();
  await world.fundFutures('1000');
  world.best = { bid: amount('99.9'), ask: amount('100'), receivedAt: world.time.clock() };
  world.venue.answers.place = async (_credentials, request) => {
    venue.sent.push(request);
    const { contract, quantity = ZERO, side } = request;
    const fill = venue.trade(side, quantity, {
      order: request.clientId,
      ...(contract === undefined ? {} : { leg: contract.side }),
    });
    const state = {
      ...{ clientId: request.clientId, venueOrderId: fill.venueOrderId, symbol: 'BTCUSDT' },
      ...{ status: ORDER_STATUS.FILLED, cumulativeQuantity: quantity, cumulativeQuote: fill.quoteQuantity },
      time: venue.now,
    };
    return { outcome: 'accepted', state, fills: [fill] };
  };
  world.venue.answers.fillsSince = async (_credentials, _instrument, since) => ({
    ok: true,
    value: venue.shown('fills', venue.fills).filter(({ time }) => time >= since),
  });
  return { world, venue, close: () => world.close() };
}

/** A trading world and the venue of its contracts. */
export interface PerpsWorld {
  readonly world: TradingWorld;
  readonly venue: ContractVenue;
  close(): Promise<void>;
}

/** Places an order on the contract as a member who saw what the venue has. */
export function placeContractOrder(
  { world, venue, desk = world.desk }: PerpsWorld & { readonly desk?: TradingDesk },
  part: Readonly<Record<string, unknown>> = {},
) {
  const { marginMode, leverageLong: leverage } = venue.setting_;
  world.best = { bid: amount('99.9'), ask: venue.price, receivedAt: world.time.clock() };
  const request = {
    ...{ platformType: 43, tinstType: 2, symbol: BTCUSDT_PERP.symbol, side: SIDE.BUY, orderType: 2 },
    ...{ timeInForce: 1, quantity: amount('1'), marginMode, leverage },
    ...part,
  } as const;
  const caller = { ...CALLER, now: world.time.clock() };
  return desk.handlers['connextrade/PlaceOrder'](caller, request as never);
}

/** The wallet behind contracts as text, with what is held. */
export async function futuresWallet({ world }: PerpsWorld): Promise<string> {
  const [row] = await world.ledger.tradingBalances(CALLER.user, 1, 'FUTURES');
  if (row === undefined) return '0';
  return row.held === 0n
    ? formatAmount(row.total)
    : `${formatAmount(row.total)} (${formatAmount(row.held)} held)`;
}
