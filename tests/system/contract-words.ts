import {
  amount,
  divDown,
  ORDER_TYPE,
  type PlatformSlug,
  POSITION_SIDE,
  plus,
  SIDE,
  TIME_IN_FORCE,
} from '@crossbook/domain';
import type { VenueOrderRequest } from '@crossbook/venues/trading';
import { type ContractRig, OPENS, REDUCES } from './contract-rig.ts';

/** The refusals about contracts that tests of connectors provoke at a venue, by its own codes. */
export interface ContractWords {
  /** A part of an order, and the code of its refusal. */
  orders(rig: ContractRig): readonly (readonly [part: Partial<VenueOrderRequest>, venueCode: string])[];
  readonly settings: {
    readonly modeWithOrder: string;
    readonly modeWithPosition: string;
    readonly leverageTooHigh: string;
    readonly marginOfCross: string;
  };
}

const offTick = ({ bid }: ContractRig) => ({ price: plus(bid, amount('0.000001')) });
const sized = ({ bid }: ContractRig, quantity: string) => ({ price: bid, quantity: amount(quantity) });
/** Ten coins: more than the member's money carries, wherever the market stands. */
const tooLarge = (rig: ContractRig) => ({
  price: rig.bid,
  quantity: divDown(amount('10'), rig.btc.contractValue),
});
const strange = ({ btc, bid }: ContractRig, symbol: string) => ({
  instrument: { ...btc, symbol },
  price: bid,
});
/** A hundredth above the best offers, which other tests may have taken. */
const taking = (rig: ContractRig) => ({
  price: rig.times(rig.ask, 101),
  timeInForce: TIME_IN_FORCE.POST_ONLY,
});
const nothingToReduce = { type: ORDER_TYPE.MARKET, side: SIDE.SELL, contract: REDUCES };
const otherMode = {
  ...{ type: ORDER_TYPE.MARKET },
  contract: { ...OPENS, positionMode: 'hedge', side: POSITION_SIDE.LONG },
} as const;
const NOT_EXPRESSIBLE = [{ contract: OPENS }, 'LOCAL_NOT_EXPRESSIBLE'] as const;

/** Refusals of contracts at each venue. */
export const CONTRACT_WORDS: Readonly<Record<PlatformSlug, ContractWords>> = {
  binance: {
    orders: (rig) => [
      [taking(rig), '-5022'],
      [offTick(rig), '-1111'],
      [sized(rig, '0.0001'), '-1111'],
      [tooLarge(rig), '-2019'],
      [{ price: rig.times(rig.ask, 200) }, '-4016'],
      [{ side: SIDE.SELL, price: rig.times(rig.bid, 50) }, '-4024'],
      [nothingToReduce, '-2022'],
      [otherMode, '-4061'],
      [strange(rig, 'NOSUCHUSDT'), '-1121'],
      NOT_EXPRESSIBLE,
    ],
    settings: {
      ...{ modeWithOrder: '-4067', modeWithPosition: '-4068' },
      ...{ leverageTooHigh: '-4028', marginOfCross: '-4049' },
    },
  },
  okx: {
    orders: (rig) => [
      [offTick(rig), '51000'],
      [sized(rig, '0.001'), '51121'],
      [tooLarge(rig), '51008'],
      [nothingToReduce, '51169'],
      [otherMode, '51000'],
      [strange(rig, 'NO-SUCH-SWAP'), '51001'],
      NOT_EXPRESSIBLE,
    ],
    settings: {
      ...{ modeWithOrder: '59000', modeWithPosition: '59000' },
      ...{ leverageTooHigh: '59102', marginOfCross: '59300' },
    },
  },
  bybit: {
    orders: (rig) => [
      [offTick(rig), '10001'],
      [sized(rig, '0.0001'), '10001'],
      [tooLarge(rig), '110007'],
      [{ price: rig.times(rig.ask, 200) }, '110003'],
      [nothingToReduce, '110017'],
      [otherMode, '10001'],
      [strange(rig, 'NOSUCHUSDT'), '10001'],
      NOT_EXPRESSIBLE,
    ],
    settings: {
      ...{ modeWithOrder: '110028', modeWithPosition: '110024' },
      ...{ leverageTooHigh: '110013', marginOfCross: '110015' },
    },
  },
};
