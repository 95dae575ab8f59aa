import type { TriggerBy } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { readStored, readStoredObject, writeStored } from './browser-storage.ts';

/** Languages there are. Who may choose Korean: `language.ts`. */
export type Language = 'en' | 'ja' | 'ko';
/** Dark is the default (spec section 1). */
export type Theme = 'dark' | 'light';
/** Colours of rising and falling: the usual pair, or one for colour-blind eyes. */
export type Palette = 'green-red' | 'blue-orange';

/** Settings under the keys of spec section 2, plus theme and palette. */
export interface Settings {
  /** Whether these menus are unfolded; undefined: never folded nor unfolded, so that the place decides. */
  readonly walletMenu: boolean | undefined;
  readonly dashboardMenu: boolean | undefined;
  readonly historyMenu: boolean | undefined;
  readonly language: Language;
  /** Whether the event makes a sound. */
  readonly filledAlert: boolean;
  readonly volumeAlert: boolean;
  readonly orderAlert: boolean;
  /** 0 to 1; default 0.5 (spec section 9). */
  readonly soundVolume: number;
  readonly theme: Theme;
  readonly palette: Palette;
}

const TRIGGERS = ['last', 'mark', 'index'] as const satisfies readonly TriggerBy[];
const TICKET_KINDS = [1, 2, 3, 4] as const;
/** Kinds of the ticket: 1 limit, 2 market, 3 waits for a price, 4 scaled. */
export type TicketKind = (typeof TICKET_KINDS)[number];

/** Browser-kept trade settings of spec section 3, with the defaults of section 9. */
export interface TradeSettings {
  /** As an exchange said it last; how tickets look until it is read again. */
  readonly positionMode: 'one-way' | 'hedge';
  /** 1 GTC, 2 IOC, 3 FOK, 4 post-only; default 1. */
  readonly timeInForce: 1 | 2 | 3 | 4;
  /** Which book grouping, counted from the finest: 1 is the tick itself. */
  readonly depthDecimal: number;
  readonly chartInterval: string;
  /** A key of spec section 2; default 1, candles. */
  readonly chartType: number;
  /** Chart layouts as their chart wrote them. */
  readonly chartLayouts: string;
  readonly positionsAll: boolean;
  readonly openOrdersAll: boolean;
  /** Kinds of orders that ask before they are sent: `limit,scaled`. */
  readonly confirmOrders: string;
  /** The kind that the ticket opens with. */
  readonly orderKind: TicketKind;
  /** What a market buy of a pair is given in. */
  readonly spotUnit: 'quote' | 'base';
  /** Which price triggers follow. */
  readonly triggerBy: TriggerBy;
  /** What the size of a contract order is given in where its exchange has no choice of its own yet. */
  readonly sizeUnit: string;
  /** The same by exchange: `1=value;2=contracts`. */
  readonly sizeUnits: string;
  /** Shares of the largest size, percent, at the slider's marks and the keys 1 to 5. */
  readonly sizePresets: string;
  /** Whether the chart shows the prices at which positions break even. */
  readonly breakEvenLine: boolean;
  /** A price picked in the chart is sent at once, as the ticket stands. */
  readonly oneClick: boolean;
  /** The tab below the chart of a pair, and of a contract. */
  readonly spotTab: string;
  readonly futuresTab: string;
  /** How tables are put in order: `positions=value:desc;open=time:asc`. */
  readonly tableOrders: string;
  /** Which columns tables show, and in which order: `positions=symbol,-entry,value`. */
  readonly tableColumns: string;
  /** Sizes of the trade page's panels that were moved, by the shape of the window: `wide-book=312;full-lower=400`. */
  readonly panelSizes: string;
  /** Which exchange and symbol each history was last asked for: `futures-fills=2,BTC-USDT-SWAP`. */
  readonly recordFilters: string;
  /** Keys that send and cancel; off until the member switches them on. */
  readonly tradingKeys: boolean;
  /** Keys that are set otherwise than they come: `ticket.buy=KeyN;...`. */
  readonly keyBindings: string;
}

// The texts are the keys of spec section 2, to the letter.
const KEYS = {
  walletMenu: 'wallet menu',
  dashboardMenu: 'dashboard menu',
  historyMenu: 'history menu',
  language: 'language mode',
  filledAlert: 'filled alert',
  volumeAlert: 'trading volume alert',
  orderAlert: 'order alert',
  soundVolume: 'sound volume',
  theme: 'theme',
  palette: 'palette',
} as const satisfies Record<keyof Settings, string>;
const TRADE_KEY = 'trade settings';

/** Defaults of spec section 9. */
export const DEFAULT_SETTINGS: Settings = {
  walletMenu: undefined,
  dashboardMenu: undefined,
  historyMenu: undefined,
  language: 'en',
  filledAlert: true,
  volumeAlert: false,
  orderAlert: true,
  soundVolume: 0.5,
  theme: 'dark',
  palette: 'green-red',
};

/** Defaults of spec section 9: depth decimal 1, time in force 1, interval 1 minute. */
export const DEFAULT_TRADE_SETTINGS: TradeSettings = {
  positionMode: 'one-way',
  timeInForce: 1,
  depthDecimal: 1,
  chartInterval: '1m',
  chartType: 1,
  chartLayouts: '',
  positionsAll: false,
  openOrdersAll: false,
  confirmOrders: '',
  orderKind: 1,
  spotUnit: 'quote',
  triggerBy: 'last',
  sizeUnit: 'coin',
  sizeUnits: '',
  sizePresets: '10,25,50,75,100',
  breakEvenLine: false,
  oneClick: false,
  spotTab: 'open',
  futuresTab: 'positions',
  tableOrders: '',
  tableColumns: '',
  recordFilters: '',
  panelSizes: '',
  tradingKeys: false,
  keyBindings: '',
};

/** Reads settings; a value that is not one of the allowed ones becomes the default. */
export function parseSettings(read: (key: string) => string | undefined): Settings {
  const flag = (key: keyof Settings): boolean | undefined => {
    const text = read(KEYS[key]);
    return text === 'true' ? true : text === 'false' ? false : undefined;
  };
  const language = read(KEYS.language);
  const volume = Number(read(KEYS.soundVolume) ?? Number.NaN);
  return {
    walletMenu: flag('walletMenu'),
    dashboardMenu: flag('dashboardMenu'),
    historyMenu: flag('historyMenu'),
    language: language === 'ja' || language === 'ko' ? language : 'en',
    filledAlert: flag('filledAlert') ?? DEFAULT_SETTINGS.filledAlert,
    volumeAlert: flag('volumeAlert') ?? DEFAULT_SETTINGS.volumeAlert,
    orderAlert: flag('orderAlert') ?? DEFAULT_SETTINGS.orderAlert,
    soundVolume: volume >= 0 && volume <= 1 ? volume : DEFAULT_SETTINGS.soundVolume,
    theme: read(KEYS.theme) === 'light' ? 'light' : 'dark',
    palette: read(KEYS.palette) === 'blue-orange' ? 'blue-orange' : 'green-red',
  };
}

/** Reads trade settings; a field of the wrong type becomes its default. */
export function parseTradeSettings(kept: Readonly<Record<string, unknown>>): TradeSettings {
  const settings: Record<string, unknown> = { ...DEFAULT_TRADE_SETTINGS };
  for (const [key, fallback] of Object.entries(DEFAULT_TRADE_SETTINGS)) {
    if (typeof kept[key] === typeof fallback) settings[key] = kept[key];
  }
  const typed = settings as unknown as TradeSettings;
  return {
    ...typed,
    positionMode: typed.positionMode === 'hedge' ? 'hedge' : 'one-way',
    timeInForce: [1, 2, 3, 4].includes(typed.timeInForce) ? typed.timeInForce : 1,
    spotUnit: typed.spotUnit === 'base' ? 'base' : 'quote',
    triggerBy: TRIGGERS.find((by) => by === typed.triggerBy) ?? 'last',
    orderKind: TICKET_KINDS.find((kind) => kind === typed.orderKind) ?? 1,
    depthDecimal: Number.isInteger(typed.depthDecimal) && typed.depthDecimal > 0 ? typed.depthDecimal : 1,
  };
}

/** Settings of this browser. */
export const settingsStore = createStore<Settings>(() => parseSettings(readStored));
/** Trade settings of this browser. */
export const tradeSettingsStore = createStore<TradeSettings>(() =>
  parseTradeSettings(readStoredObject(TRADE_KEY)),
);

/** Changes settings and keeps them. */
export function changeSettings(change: Partial<Settings>): void {
  for (const [key, value] of Object.entries(change)) {
    writeStored(KEYS[key as keyof Settings], String(value));
  }
  settingsStore.setState(change);
}

/** Changes trade settings and keeps them. */
export function changeTradeSettings(change: Partial<TradeSettings>): void {
  tradeSettingsStore.setState(change);
  writeStored(TRADE_KEY, JSON.stringify(tradeSettingsStore.getState()));
}
