import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The rooms of the house and what each may import; what is not named here is refused. A room is a folder with source
 * files, or named files of one: a door, or the top of a folder whose other files lie at its bottom.
 * `node scripts/rooms.ts --write` turns the table into the lint rules of biome.fences.json.
 *
 * What may stand in a row: a room of the same base (`.` is the base itself), `@name` for the door of a package,
 * `node` or `node:crypto`, `-name` for a declared dependency that the room keeps out, `*` for anything (proofs only).
 * `{venue}` in a room's name makes a row for each name of the set; in its imports it then means the same one, and
 * all of them where the room's name does not have it.
 */
type Rows = Readonly<Record<string, string>>;

const SETS: Readonly<Record<string, readonly string[]>> = {
  venue: ['binance', 'okx', 'bybit'],
  screen: 'about history home later market-data markets outbox shell sign-in trade wallet'.split(' '),
  part: 'bar book chart orders tape contract-ticket positions ticket'.split(' '),
  store: 'app market market-lists member trading wallet'.split(' '),
};

const DIALECT = '@domain exchange.ts accounts dialects dialects/wire node:crypto node:http node:stream';
const DIALECT_ROOMS =
  'dialects/{venue}/market dialects/{venue}/perps dialects/{venue}/spot dialects/{venue}/account';
const OKX_ROOMS = `${DIALECT_ROOMS.replaceAll('{venue}', 'okx')} dialects/okx/trade`;
const CALCULATORS = 'calculators calculators/contracts calculators/ticket';
const SCREEN = `@contract @domain ${CALCULATORS} i18n screens stores/{store} ui`;
const STORE = `@contract @domain @venues ${CALCULATORS} i18n wire`;

const TABLE: Readonly<Record<string, Rows>> = {
  'packages/domain/src': {
    '.': '',
    'order-rules': '.',
    'contract-rules': '.',
    'index.ts': '. order-rules contract-rules',
  },
  'packages/contract/src': { '.': '@domain schema', schema: '@domain' },
  'packages/ledger/src': { '.': '@domain node:crypto' },
  'packages/venues/src': {
    '.': '@domain',
    wire: '@domain',
    arbiter: '@domain . wire',
    trading: '@domain . wire arbiter node:crypto',
    '{venue}': '@domain . wire arbiter',
    '{venue}/market': '@domain . wire {venue}',
    'binance/spot': '@domain . wire binance binance/market',
    'binance/perps': '@domain . wire binance binance/market binance/spot',
    '{venue}/account': '@domain . wire arbiter trading {venue} node:crypto',
    '{venue}/spot/trading': '@domain . wire arbiter trading {venue} {venue}/account',
    '{venue}/perps/trading': '@domain . wire arbiter trading {venue} {venue}/account',
    '{venue}/trading':
      '@domain . wire trading {venue} {venue}/account {venue}/spot/trading {venue}/perps/trading',
    'profiles.ts': '@domain . {venue}',
    'index.ts': '. profiles.ts {venue} {venue}/market binance/spot binance/perps',
    'trading.ts venue-limits.ts': '@domain . arbiter trading {venue} {venue}/account {venue}/trading',
    conformance: '*',
  },
  'packages/simulator/src': {
    'exchange.ts faults.ts flags.ts market-port.ts perp-exchange.ts perp-settings.ts simulated-venue.ts venue.ts':
      '@domain',
    '.': '@domain exchange.ts accounts journal market matching perps dialects dialects/dialects.ts dialects/binance dialects/wire node',
    matching: '@domain exchange.ts',
    journal: '@domain exchange.ts matching node',
    accounts: '@domain exchange.ts matching journal',
    'perps/margin': '@domain exchange.ts',
    'perps/tiers': '@domain exchange.ts',
    perps: '@domain exchange.ts accounts journal matching perps/margin',
    market: '@domain exchange.ts perps/tiers node',
    dialects: '@domain exchange.ts node:http node:stream',
    'dialects/wire': '@domain exchange.ts dialects node:crypto node:http node:stream',
    'dialects/{venue}': DIALECT,
    'dialects/{venue}/market': `${DIALECT} dialects/{venue}`,
    'dialects/{venue}/perps': `${DIALECT} dialects/{venue} dialects/{venue}/market`,
    'dialects/{venue}/spot': `${DIALECT} dialects/{venue} dialects/{venue}/market`,
    'dialects/{venue}/account': `${DIALECT} dialects/{venue} dialects/{venue}/market dialects/{venue}/spot`,
    'dialects/{venue}/endpoints.ts': `dialects/{venue} ${DIALECT_ROOMS}`,
    'dialects/{venue}/streams': `${DIALECT} dialects/{venue} dialects/{venue}/endpoints.ts ${DIALECT_ROOMS}`,
    'dialects/binance/streams': `${DIALECT} dialects/binance`,
    'dialects/binance/spot': `${DIALECT} dialects/binance dialects/binance/streams`,
    'dialects/binance/perps': `${DIALECT} dialects/binance dialects/binance/streams`,
    'dialects/binance/perps/market': `${DIALECT} dialects/binance dialects/binance/streams dialects/binance/perps`,
    'dialects/binance/perps/orders': `${DIALECT} dialects/binance dialects/binance/perps`,
    'dialects/binance/perps/account': `${DIALECT} dialects/binance dialects/binance/perps dialects/binance/perps/orders`,
    'dialects/binance/perps/streams': `${DIALECT} dialects/binance dialects/binance/streams dialects/binance/perps dialects/binance/perps/orders`,
    'dialects/binance/perps/calls.ts':
      'dialects/binance dialects/binance/perps dialects/binance/perps/account dialects/binance/perps/market dialects/binance/perps/orders',
    'dialects/binance/perps/dialect.ts': `${DIALECT} dialects/binance dialects/binance/streams dialects/binance/perps dialects/binance/perps/calls.ts dialects/binance/perps/market dialects/binance/perps/streams`,
    'dialects/binance/ws-api.ts': `${DIALECT} dialects/binance dialects/binance/endpoints.ts dialects/binance/streams`,
    'dialects/okx/account': `${DIALECT} dialects/okx dialects/okx/market dialects/okx/perps`,
    'dialects/okx/trade': `${DIALECT} dialects/okx dialects/okx/market dialects/okx/perps dialects/okx/spot`,
    'dialects/okx/endpoints.ts': `dialects/okx ${OKX_ROOMS}`,
    'dialects/okx/streams': `${DIALECT} dialects/okx dialects/okx/endpoints.ts ${OKX_ROOMS}`,
    'dialects/{venue}/dialect.ts dialects/{venue}/rest.ts': `${DIALECT} dialects/{venue} dialects/{venue}/endpoints.ts dialects/{venue}/streams`,
    'dialects/binance/dialect.ts': `${DIALECT} dialects/binance dialects/binance/endpoints.ts dialects/binance/ws-api.ts dialects/binance/streams dialects/binance/spot`,
    'dialects/dialects.ts':
      '@domain exchange.ts dialects dialects/{venue} dialects/{venue}/dialect.ts dialects/binance/perps/dialect.ts',
  },
  'apps/server/src': {
    'main.ts': '. main @domain http storage storage/migrations trading trading/orders node',
    'operator.ts': '. @domain storage/postgres node',
    '.': '@domain http node',
    main: '. @contract @domain @ledger @venues @venues/trading accounts http intents market money-gate storage storage/ledger storage/postgres storage/stores stream trading trading/accounts trading/desk.ts trading/orders wallets node',
    'money-gate': '@contract',
    market: '@contract @domain @venues',
    intents: '@domain @ledger',
    trading: '@contract @domain @ledger @venues @venues/trading intents',
    'trading/accounts': '@contract @domain @ledger @venues @venues/trading intents trading',
    'trading/booking': '@contract @domain @ledger @venues @venues/trading intents trading',
    'trading/orders':
      '@contract @domain @ledger @venues @venues/trading intents trading trading/booking node:crypto',
    'trading/perps':
      '@contract @domain @ledger @venues @venues/trading intents trading trading/booking trading/orders',
    'trading/desk.ts':
      '@contract @domain trading trading/accounts trading/booking trading/orders trading/perps',
    wallets: '@contract @domain @ledger @venues @venues/trading intents node:crypto',
    accounts: '@contract @domain node:crypto',
    http: '@contract @contract/schema @domain @venues accounts market trading wallets node',
    stream: '@contract @domain market node:http node:stream',
    storage: 'storage/ledger storage/migrations storage/postgres node',
    'storage/ledger': '@domain @ledger money-gate storage/postgres node',
    'storage/migrations': 'storage/postgres node',
    'storage/postgres': 'node',
    'storage/stores':
      '@domain @ledger accounts intents market money-gate storage/postgres trading wallets node',
  },
  'apps/web/src': {
    '.': 'i18n stores/{store} theme screens screens/{screen}',
    theme: '',
    wire: '@contract @domain @venues wire/venues',
    'wire/venues': '@domain @venues',
    calculators: '@contract @domain -react',
    'calculators/ticket': '@contract @domain calculators -react',
    'calculators/contracts': '@contract @domain calculators calculators/ticket -react',
    i18n: '@domain i18n/trade',
    'i18n/trade': '',
    ui: '',
    'stores/app': '@contract @domain i18n',
    'stores/member': `${STORE} stores/app`,
    'stores/market': `${STORE} stores/app stores/member`,
    'stores/market-lists': `${STORE} stores/app stores/member stores/market`,
    'stores/wallet': `${STORE} stores/app stores/member stores/market-lists`,
    'stores/trading': `${STORE} stores/app stores/member stores/market stores/wallet`,
    screens: 'i18n stores/member',
    'screens/{screen}': SCREEN,
    'screens/trade': `${SCREEN} screens/trade/{part}`,
    'screens/trade/{part}': `${SCREEN} screens/trade`,
    'screens/trade/positions': `${SCREEN} screens/trade screens/trade/orders`,
    'screens/trade/bar': `${SCREEN} screens/trade screens/trade/book`,
    'screens/trade/tape': `${SCREEN} screens/trade screens/trade/book`,
  },
  scripts: { '.': 'recording node', recording: '@domain @venues node' },
  tests: { '.': '*', clients: '*', e2e: '*', hostile: '*', system: '*' },
  bench: { '.': '*' },
  campaign: { '.': '*' },
};

/** One room of the real house. */
export interface Room {
  /** Its folder, or the first of its files: `packages/venues/src/okx`, `packages/venues/src/index.ts`. */
  readonly name: string;
  readonly folder: string;
  /** Base names where the room is some files of its folder; absent = the files there that no other room has. */
  readonly files?: readonly string[];
  /** Whether nothing is kept out: proofs may look everywhere. */
  readonly open: boolean;
  /** Names of the other rooms that it may import. */
  readonly rooms: readonly string[];
  /** Specifiers that it may import besides: `@crossbook/domain`, `node:crypto`, `node:*`. */
  readonly doors: readonly string[];
  /** Declared dependencies that it keeps out. */
  readonly without: readonly string[];
}

/** The rooms, and in sentences what differs between the table and the folders. */
export interface House {
  readonly rooms: readonly Room[];
  readonly faults: readonly string[];
}

/** Folders with source files, and the names of those files. */
export type Folders = ReadonlyMap<string, readonly string[]>;

const SOURCES = ['{packages,apps}/*/src', 'scripts', 'tests', 'bench', 'campaign'].map(
  (top) => `${top}/**/*.{ts,tsx,mjs,css,json}`,
);
const NOT_OURS = /(^|\/)(node_modules|dist|fixtures)$/;

/** Walks the real folders below `root`. */
export function sourceFolders(root: string): Folders {
  const folders = new Map<string, string[]>();
  const exclude = (path: string): boolean => NOT_OURS.test(path);
  for (const path of SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root, exclude })).toSorted()) {
    folders.set(posix.dirname(path), [...(folders.get(posix.dirname(path)) ?? []), posix.basename(path)]);
  }
  return folders;
}

/** A text with every `{set}` replaced: by the known name, else once by each name of the set. */
function spelledOut(
  text: string,
  known: Names = {},
): readonly { readonly text: string; readonly names: Names }[] {
  const set = /\{(\w+)\}/.exec(text)?.[1];
  if (set === undefined) return [{ text, names: known }];
  const choices = known[set] === undefined ? (SETS[set] ?? []) : [known[set]];
  return choices.flatMap((name) => spelledOut(text.replaceAll(`{${set}}`, name), { ...known, [set]: name }));
}

type Names = Readonly<Record<string, string>>;

/** The rooms of one row that are there. */
function roomsOfRow(base: string, key: string, imports: string, folders: Folders): readonly Room[] {
  return spelledOut(key).flatMap(({ text, names }) => {
    const paths = text.split(' ').map((name) => posix.join(base, name));
    const [name = ''] = paths;
    const files = paths.filter((path) => /\.tsx?$/.test(path)).map((path) => posix.basename(path));
    const folder = files.length > 0 ? posix.dirname(name) : name;
    const there = folders.get(folder);
    if (there === undefined || !files.every((file) => there.includes(file))) return [];
    const tokens = imports.split(' ').flatMap((token) => spelledOut(token, names).map((one) => one.text));
    return [{ name, folder, ...(files.length > 0 ? { files } : {}), ...meaningOf(base, tokens) }];
  });
}

function meaningOf(
  base: string,
  tokens: readonly string[],
): Pick<Room, 'open' | 'rooms' | 'doors' | 'without'> {
  const doors = tokens.filter((token) => /^(@|node\b)/.test(token));
  return {
    open: tokens.includes('*'),
    rooms: tokens
      .filter((token) => /^[\w.]/.test(token) && !doors.includes(token))
      .map((token) => posix.join(base, token)),
    doors: doors.flatMap((door) =>
      door === 'node' ? ['node:*', 'node:*/**'] : [door.replace('@', '@crossbook/')],
    ),
    without: tokens.filter((token) => token.startsWith('-')).map((token) => token.slice(1)),
  };
}

/** Holds the table against the folders; a row of one room wins over a row of a set. */
export function houseOf(folders: Folders): House {
  const rows = Object.entries(TABLE).flatMap(([base, own]) =>
    Object.entries(own).map(([key, imports]) => ({
      base,
      key,
      rooms: roomsOfRow(base, key, imports, folders),
    })),
  );
  const bySet = rows.toSorted((a, b) => Number(b.key.includes('{')) - Number(a.key.includes('{')));
  const rooms = new Map(bySet.flatMap((row) => row.rooms).map((room) => [room.name, room]));
  const known = new Set(
    [...rooms.values()].filter((room) => room.files === undefined).map((room) => room.folder),
  );
  const faults = [
    ...[...folders.keys()].filter((folder) => !known.has(folder)).map((folder) => `${folder} has no row`),
    ...rows
      .filter((row) => row.rooms.length === 0)
      .map((row) => `${posix.join(row.base, row.key)} is not there`),
    ...Object.values(SETS)
      .flat()
      .filter((name) => ![...known].some((folder) => folder.split('/').includes(name)))
      .map((name) => `${name} of a set is not there`),
    ...[...rooms.values()].flatMap((room) => strayImports(room, rooms)),
  ];
  const there = (name: string): boolean => rooms.has(name);
  return { rooms: [...rooms.values()].map((room) => ({ ...room, rooms: room.rooms.filter(there) })), faults };
}

/** What a room may import and no row has; a member of a set that is missing elsewhere (spot without perps) is none. */
function strayImports(room: Room, rooms: ReadonlyMap<string, Room>): readonly string[] {
  const inSet = (name: string): boolean =>
    Object.values(SETS)
      .flat()
      .some((member) => name.split('/').includes(member));
  return room.rooms
    .filter((name) => !rooms.has(name) && !inSet(name))
    .map((name) => `${room.name} may import ${name}, which is not there`);
}

const PROOFS = [
  '**/*.test.ts',
  '**/*.test.tsx',
  '**/*.test.mjs',
  '**/*.fixture.ts',
  '**/testing.ts',
  '**/testing-setup.ts',
];

/** Whether an import of `target` from `room` is let through. */
export function mayImport(room: Room, target: Room): boolean {
  return room.open || room.name === target.name || room.rooms.includes(target.name);
}

/** The lint rule of one room: everything is refused, then what its row names is let through again. */
function fenceOf(room: Room, rooms: readonly Room[]): object {
  const near = (target: Room, file: string): string => {
    const path = posix.relative(room.folder, posix.join(target.folder, file));
    return path.startsWith('.') ? path : `./${path}`;
  };
  const named = rooms.filter((target) => target.files !== undefined);
  const whole = rooms.filter((target) => target.files === undefined && mayImport(room, target));
  const apart = (refuse: boolean) => named.filter((target) => mayImport(room, target) !== refuse);
  const own = named.filter((other) => other.folder === room.folder).flatMap((other) => other.files ?? []);
  const group = [
    ...['./**', '../**', '@crossbook/**', 'node:*', 'node:*/**'],
    ...whole.map((target) => `!${near(target, '*')}`),
    ...apart(true)
      .filter((door) => whole.some((target) => target.folder === door.folder))
      .flatMap((door) => (door.files ?? []).map((file) => near(door, file))),
    ...apart(false).flatMap((door) => (door.files ?? []).map((file) => `!${near(door, file)}`)),
    ...room.doors.map((door) => `!${door}`),
    ...PROOFS,
    ...room.without,
  ];
  const may = [...room.rooms, ...room.doors.filter((door) => door !== 'node:*/**')];
  const message = `${room.name} may import ${may.length === 0 ? 'nothing' : may.join(', ')} (scripts/rooms.ts).`;
  const options = { patterns: [{ group, message }] };
  const includes = room.files?.map((file) => `${room.folder}/${file}`) ?? [
    `${room.folder}/*`,
    ...own.map((file) => `!${room.folder}/${file}`),
  ];
  return {
    includes,
    linter: { rules: { style: { noRestrictedImports: { level: 'error', options } } } },
  };
}

/** The whole text of biome.fences.json, which biome.json extends: one line for a room. */
export function fencesText(rooms: readonly Room[]): string {
  const fences = rooms.filter((room) => !room.open).map((room) => fenceOf(room, rooms));
  // Once for all rooms, at the end: what a room's own line excepts is compared with every file of the house.
  const proofs = { includes: PROOFS, linter: { rules: { style: { noRestrictedImports: 'off' } } } };
  const lines = [...fences, proofs].map((override) => JSON.stringify(override));
  return `{"overrides": [\n${lines.join(',\n')}\n]}\n`;
}

if (import.meta.main) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const path = join(root, 'biome.fences.json');
  const { rooms, faults } = houseOf(sourceFolders(root));
  if (process.argv.includes('--write')) writeFileSync(path, fencesText(rooms));
  const stale =
    readFileSync(path, 'utf8') === fencesText(rooms) ? [] : ['biome.fences.json is stale: --write'];
  for (const fault of [...faults, ...stale]) process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length + stale.length === 0 ? 0 : 1;
}
