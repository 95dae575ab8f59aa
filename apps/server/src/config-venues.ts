import { PLATFORMS, type Platform, type PlatformState, type SymbolType } from '@crossbook/domain';
import type { ConfigName, ConfigValues } from './config-variables.ts';

/** The operator's key at a venue; `passphrase` where the venue wants one (OKX). */
export interface MasterKey {
  readonly key: string;
  readonly secret: string;
  readonly passphrase?: string;
}

/** How one platform is reached. Bases carry no trailing slash. */
export interface VenueConfig {
  readonly platform: Platform;
  readonly state: PlatformState;
  readonly mode: 'simulator' | 'live';
  /** Where each market's REST calls go; the same address where the venue has one for both. */
  readonly restBases: Readonly<Record<SymbolType, string>>;
  /** Where each market's public sockets are; the venue's paths come behind it. */
  readonly streamBases: Readonly<Record<SymbolType, string>>;
  /** Where its private sockets are: Binance's WebSocket API with its path, otherwise the base of the streams. */
  readonly tradeBase: string;
  /** Absent in simulator mode, where keys are made through the admin API, and where none is configured. */
  readonly master: MasterKey | undefined;
}

/** One address of a venue: the variable that sets it, where the venue itself is, and the path below a simulator. */
interface Address {
  readonly name: ConfigName;
  readonly live: string;
  readonly socket?: true;
  readonly simulatedPath?: string;
}

/** What differs from venue to venue. */
interface VenueVariables {
  readonly mode: ConfigName & `VENUE_${Platform}_MODE`;
  readonly state: ConfigName & `PLATFORM_${Platform}`;
  readonly rest: Readonly<Record<SymbolType, Address>>;
  readonly stream: Readonly<Record<SymbolType, Address>>;
  readonly trade: Address;
  /** In the order key, secret, passphrase. */
  readonly master: readonly ConfigName[];
}

function one<Value>(value: Value): Readonly<Record<SymbolType, Value>> {
  return { SPOT: value, SWAP: value };
}

const OKX_SOCKETS: Address = {
  name: 'VENUE_2_STREAM_BASE',
  live: 'wss://ws.okx.com:8443',
  socket: true,
};
const BYBIT_SOCKETS: Address = {
  name: 'VENUE_3_STREAM_BASE',
  live: 'wss://stream.bybit.com',
  socket: true,
};

/** The one table of venue variables; a new venue is a new entry (and its variables in `config-variables.ts`). */
const VENUES: Readonly<Record<Platform, VenueVariables>> = {
  1: {
    mode: 'VENUE_1_MODE',
    state: 'PLATFORM_1',
    rest: {
      SPOT: { name: 'VENUE_1_REST_BASE', live: 'https://api.binance.com' },
      SWAP: { name: 'VENUE_1_FUTURES_REST_BASE', live: 'https://fapi.binance.com' },
    },
    stream: {
      SPOT: { name: 'VENUE_1_STREAM_BASE', live: 'wss://stream.binance.com:9443', socket: true },
      SWAP: { name: 'VENUE_1_FUTURES_STREAM_BASE', live: 'wss://fstream.binance.com', socket: true },
    },
    trade: {
      ...{ name: 'VENUE_1_WSAPI_URL', live: 'wss://ws-api.binance.com/ws-api/v3', socket: true },
      simulatedPath: '/ws-api/v3',
    },
    master: ['VENUE_1_MASTER_KEY', 'VENUE_1_MASTER_SECRET'],
  },
  2: {
    mode: 'VENUE_2_MODE',
    state: 'PLATFORM_2',
    rest: one({ name: 'VENUE_2_REST_BASE', live: 'https://www.okx.com' }),
    stream: one(OKX_SOCKETS),
    trade: OKX_SOCKETS,
    master: ['VENUE_2_MASTER_KEY', 'VENUE_2_MASTER_SECRET', 'VENUE_2_MASTER_PASSPHRASE'],
  },
  3: {
    mode: 'VENUE_3_MODE',
    state: 'PLATFORM_3',
    rest: one({ name: 'VENUE_3_REST_BASE', live: 'https://api.bybit.com' }),
    stream: one(BYBIT_SOCKETS),
    trade: BYBIT_SOCKETS,
    master: ['VENUE_3_MASTER_KEY', 'VENUE_3_MASTER_SECRET'],
  },
};

function textOf(values: ConfigValues, name: ConfigName): string | undefined {
  const value = values[name];
  return value === undefined ? undefined : String(value);
}

/** Simulated with paper money, real with live money, unless the variable says otherwise (and is then refused). */
function modeOf(values: ConfigValues, { mode }: VenueVariables): 'simulator' | 'live' {
  const given = textOf(values, mode);
  return given === 'simulator' || given === 'live' ? given : defaultMode(values);
}

function defaultMode(values: ConfigValues): 'simulator' | 'live' {
  return values.MONEY === 'live' ? 'live' : 'simulator';
}

function addressesOf({ rest, stream, trade }: VenueVariables): readonly Address[] {
  return [rest.SPOT, rest.SWAP, stream.SPOT, stream.SWAP, trade];
}

/** A rule that the given values break: the variable to change, and what is allowed. */
export interface Contradiction {
  readonly name: ConfigName;
  readonly allowed: string;
}

/** Rules about venues: paper and real money never meet, keys come whole, and a simulator must be somewhere. */
export function venueContradictions(values: ConfigValues): readonly Contradiction[] {
  const found: Contradiction[] = [];
  for (const { platform, name: venueName } of PLATFORMS) {
    const venue = VENUES[platform];
    const mode = modeOf(values, venue);
    if (mode !== defaultMode(values)) {
      const allowed =
        values.MONEY === 'live'
          ? 'live, because MONEY=live'
          : 'simulator, because MONEY=paper: paper and real money never meet';
      found.push({ name: venue.mode, allowed });
    }
    const missing = venue.master.filter((name) => values[name] === undefined);
    const started = missing.length > 0 && missing.length < venue.master.length;
    const trades = mode === 'live' && values[venue.state] === 'live';
    if (started || trades) {
      const allowed = trades
        ? `required with ${venue.mode}=live, unless ${venue.state}=coming-soon`
        : `required beside the other parts of the key at ${venueName}`;
      for (const name of missing) found.push({ name, allowed });
    }
    const nowhere = addressesOf(venue).some(({ name }) => values[name] === undefined);
    if (mode === 'simulator' && nowhere && values.SIMULATOR_URL === undefined) {
      const allowed = `the base URL of a running simulator (npm start hands it over), unless all VENUE_${platform} addresses are set`;
      found.push({ name: 'SIMULATOR_URL', allowed });
    }
  }
  // One sentence a variable, however many venues want it.
  return found.filter((row, at) => found.findIndex(({ name }) => name === row.name) === at);
}

/** How every platform is reached. */
export function venueConfigs(values: ConfigValues): readonly VenueConfig[] {
  return PLATFORMS.map(({ platform }) => venueConfig(values, platform));
}

function venueConfig(values: ConfigValues, platform: Platform): VenueConfig {
  const venue = VENUES[platform];
  const mode = modeOf(values, venue);
  const simulator = values.SIMULATOR_URL ?? '';
  const at = ({ name, live, socket, simulatedPath = '' }: Address): string => {
    const simulated = `${socket === true ? simulator.replace(/^http/, 'ws') : simulator}${simulatedPath}`;
    return textOf(values, name) ?? (mode === 'simulator' ? simulated : live);
  };
  const both = (of: Readonly<Record<SymbolType, Address>>) => ({ SPOT: at(of.SPOT), SWAP: at(of.SWAP) });
  const [key, secret, passphrase] = venue.master.map((name) => textOf(values, name));
  return {
    platform,
    state: values[venue.state],
    mode,
    restBases: both(venue.rest),
    streamBases: both(venue.stream),
    tradeBase: at(venue.trade),
    master:
      key === undefined || secret === undefined
        ? undefined
        : { key, secret, ...(passphrase === undefined ? {} : { passphrase }) },
  };
}
