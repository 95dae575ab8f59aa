import { type Amount, amount } from '@crossbook/domain';

/** Contracts of one venue as tests of processes know them. */
export interface ContractVenue {
  readonly name: string;
  readonly platformType: 43 | 41 | 42;
  readonly symbol: string;
  /** One lot of the symbol, in what the venue counts. */
  readonly lot: Amount;
  /** A position of about 1,300 USDT. */
  readonly size: string;
  /** Whether contracts have a wallet of their own, to which their money is moved. */
  readonly ownPocket: boolean;
  /** A closing order larger than its leg is cut to it; refused elsewhere. */
  readonly cutsLegs?: true;
  /** Of a leg, what rests to close it counts with a new order: both together may not be larger. */
  readonly sumsCloses?: true;
  /** Beginnings of the names of its calls at the simulator, for faults; what it lacks is said with every order. */
  readonly calls: Readonly<Partial<Record<ContractCall, string>> & Record<'place' | 'amend', string>>;
}

/** A call of a connector that changes something about contracts. */
export type ContractCall =
  | 'place'
  | 'cancel'
  | 'amend'
  | 'leverage'
  | 'marginMode'
  /** The same where what is held goes along. */
  | 'movedMode'
  | 'positionMode'
  | 'margin'
  | 'pocket';

/** The venues whose contracts are connected. */
export const CONTRACT_VENUES: readonly ContractVenue[] = [
  {
    ...{ name: 'Binance', platformType: 43, symbol: 'BTCUSDT', lot: amount('0.001'), size: '0.02' },
    ownPocket: true,
    calls: {
      ...{ place: 'fapi.order.place', cancel: 'fapi.order.cancel', amend: 'fapi.order.modify' },
      leverage: 'fapi.leverage',
      marginMode: 'fapi.marginType',
      positionMode: 'fapi.positionSide',
      margin: 'fapi.positionMargin',
      pocket: 'broker',
    },
  },
  {
    ...{ name: 'OKX', platformType: 41, symbol: 'BTC-USDT-SWAP', lot: amount('0.01'), size: '2' },
    ...{ ownPocket: false, sumsCloses: true },
    calls: {
      ...{ place: 'order.place', cancel: 'order.cancel', amend: 'order.amend' },
      leverage: 'account.leverage',
      positionMode: 'account.positionMode',
      margin: 'account.margin',
    },
  },
  {
    ...{ name: 'Bybit', platformType: 42, symbol: 'BTCUSDT', lot: amount('0.001'), size: '0.02' },
    ...{ ownPocket: false, cutsLegs: true },
    calls: {
      ...{ place: 'order.create', cancel: 'order.cancel', amend: 'order.amend' },
      leverage: 'position.leverage',
      marginMode: 'account.marginMode',
      movedMode: 'account.marginMode',
      positionMode: 'position.mode',
      margin: 'position.margin',
    },
  },
];

const ETH: Readonly<Record<ContractVenue['platformType'], Pick<ContractVenue, 'symbol' | 'lot' | 'size'>>> = {
  43: { symbol: 'ETHUSDT', lot: amount('0.001'), size: '0.4' },
  41: { symbol: 'ETH-USDT-SWAP', lot: amount('0.01'), size: '4' },
  42: { symbol: 'ETHUSDT', lot: amount('0.01'), size: '0.4' },
};

/** The same venue with another of its contracts. */
export function otherContract(venue: ContractVenue): ContractVenue {
  return { ...venue, ...ETH[venue.platformType] };
}
