import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fencesText, type Room } from './fence-rules.ts';

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
  screen:
    'about content dashboard history home later market-data markets outbox shell sign-in trade wallet'.split(
      ' ',
    ),
  part: 'algos bar book chart conditional orders tape contract-ticket positions scaled ticket'.split(' '),
  store: 'algos app market market-lists member trading wallet'.split(' '),
};

const DIALECT =
  '@domain exchange.ts triggers accounts dialects dialects/wire node:crypto node:http node:stream';
const DIALECT_ROOMS =
  'dialects/{venue}/market dialects/{venue}/perps dialects/{venue}/spot dialects/{venue}/account';
const OKX_ROOMS = `${DIALECT_ROOMS.replaceAll('{venue}', 'okx')} dialects/okx/algos dialects/okx/trade`;
const CALCULATORS =
  'calculators calculators/algos calculators/contracts calculators/market calculators/tables calculators/ticket';
const UI = 'ui ui/entry ui/tables';
const STORES =
  'stores/{store} stores/trading/contracts stores/trading/private-events.ts stores/trading/ticket';
const SCREEN = `@contract @domain ${CALCULATORS} i18n screens ${STORES} ${UI}`;
/** A screen with the menus of the member's pages, or with their entries. */
const MEMBER = `${SCREEN} screens/member-pages`;
const TRADE = `${SCREEN} screens/trade screens/trade/entry screens/trade/keys screens/trade/live screens/trade/tables`;
const ADMIN =
  '@contract calculators i18n screens/fields screens/reading stores/admin stores/app theme ui ui/tables wire';
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
    'refusal-causes.ts trading.ts venue-limits.ts':
      '@domain . arbiter trading {venue} {venue}/account {venue}/trading',
    conformance: '*',
  },
  'packages/simulator/src': {
    'exchange.ts conditional-terms.ts faults.ts flags.ts market-port.ts order-list-port.ts perp-conditionals.ts perp-exchange.ts perp-orders.ts perp-settings.ts simulated-venue.ts venue.ts':
      '@domain triggers',
    triggers: '@domain',
    '.': '@domain exchange.ts accounts accounts/state journal market market/listing market/story matching perps perps/state dialects dialects/dialects.ts dialects/binance dialects/wire node',
    matching: '@domain exchange.ts',
    journal: '@domain exchange.ts matching triggers node',
    'accounts/state': '@domain exchange.ts matching triggers journal',
    'accounts/checks': '@domain exchange.ts matching accounts/state',
    accounts: '@domain exchange.ts matching triggers journal accounts/checks accounts/state',
    'perps/margin': '@domain exchange.ts',
    'perps/tiers': '@domain exchange.ts',
    'perps/state': '@domain exchange.ts accounts accounts/state journal matching perps/margin triggers',
    perps:
      '@domain exchange.ts accounts accounts/checks accounts/state journal matching perps/margin perps/state triggers',
    'market/bars': '@domain exchange.ts',
    'market/listing': '@domain exchange.ts perps/tiers market/bars',
    'market/story': '@domain exchange.ts market/bars market/listing node',
    market: '@domain exchange.ts perps/tiers market/bars market/listing market/story node',
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
    'dialects/okx': `${DIALECT} dialects/okx/memory`,
    'dialects/okx/memory': '@domain exchange.ts dialects/wire',
    'dialects/okx/orders': `${DIALECT} dialects/okx`,
    'dialects/okx/algos': `${DIALECT} dialects/okx dialects/okx/orders`,
    'dialects/okx/perps': `${DIALECT} dialects/okx dialects/okx/market dialects/okx/algos dialects/okx/orders`,
    'dialects/okx/spot': `${DIALECT} dialects/okx dialects/okx/market dialects/okx/algos dialects/okx/orders`,
    'dialects/okx/account': `${DIALECT} dialects/okx dialects/okx/market dialects/okx/orders dialects/okx/perps`,
    'dialects/okx/trade': `${DIALECT} dialects/okx dialects/okx/algos dialects/okx/market dialects/okx/memory dialects/okx/orders dialects/okx/perps dialects/okx/spot`,
    'dialects/okx/endpoints.ts': `dialects/okx ${OKX_ROOMS}`,
    'dialects/okx/streams': `${DIALECT} dialects/okx dialects/okx/endpoints.ts ${OKX_ROOMS}`,
    'dialects/{venue}/dialect.ts dialects/{venue}/rest.ts': `${DIALECT} dialects/{venue} dialects/{venue}/endpoints.ts dialects/{venue}/streams`,
    'dialects/okx/rest.ts': `${DIALECT} dialects/okx dialects/okx/endpoints.ts`,
    'dialects/binance': `${DIALECT} accounts/state`,
    'dialects/okx/dialect.ts': `${DIALECT} dialects/okx dialects/okx/memory dialects/okx/rest.ts dialects/okx/streams dialects/okx/trade`,
    'dialects/binance/dialect.ts': `${DIALECT} dialects/binance dialects/binance/endpoints.ts dialects/binance/ws-api.ts dialects/binance/streams dialects/binance/spot`,
    'dialects/dialects.ts':
      '@domain exchange.ts dialects dialects/{venue} dialects/{venue}/dialect.ts dialects/binance/perps/dialect.ts',
  },
  'apps/server/src': {
    'main.ts': '. main main/outside @domain http storage storage/migrations trading trading/orders node',
    'operator.ts': '. @domain storage/postgres node',
    '.': '@domain http node',
    'main/images': '@domain accounts/kyc node',
    'main/outside': '. @domain @venues @venues/trading market node',
    'main/venues':
      '. @domain @venues @venues/trading http http/relay main/outside market storage/postgres storage/stores stream trading wallets node',
    'main/mail': '@domain accounts http intents storage/stores node',
    main: '. @contract @domain @ledger @venues @venues/trading accounts accounts/factors accounts/handlers.ts accounts/kyc accounts/sessions back-office content content/shipped http http/relay intents main/images main/mail main/outside main/venues market money-gate storage storage/ledger storage/postgres storage/stores storage/stores/keys storage/stores/members storage/stores/members/kyc storage/stores/office storage/stores/trading stream trading trading/accounts trading/desk.ts trading/orders wallets node',
    'main/commands':
      '@domain main storage storage/postgres storage/stores storage/stores/keys storage/stores/members storage/stores/office node',
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
    'trading/algos':
      '@contract @domain @ledger @venues @venues/trading intents trading trading/booking trading/orders trading/perps',
    'trading/desk.ts':
      '@contract @domain trading trading/accounts trading/algos trading/booking trading/orders trading/perps',
    wallets: '@contract @domain @ledger @venues @venues/trading intents node:crypto',
    accounts: '@contract @domain node:crypto',
    'accounts/sessions': '@contract @domain accounts',
    'accounts/factors': '@contract @domain accounts node:crypto',
    'accounts/kyc': '@contract @domain accounts',
    'accounts/acts': '@contract @domain accounts accounts/factors accounts/kyc accounts/sessions',
    'accounts/flows': '@contract @domain accounts accounts/acts accounts/factors accounts/sessions',
    'accounts/providers': '@contract @domain accounts accounts/acts accounts/factors accounts/flows',
    'accounts/handlers.ts':
      '@contract @domain accounts accounts/acts accounts/factors accounts/flows accounts/kyc accounts/providers accounts/sessions',
    'back-office': '@contract @domain accounts accounts/factors accounts/kyc content',
    content: '@contract @domain',
    'content/shipped': '@domain content',
    http: '@contract @contract/schema @domain @venues accounts accounts/sessions http/body http/relay market trading wallets node',
    'http/body': '@contract @domain node:http',
    'http/relay': '@domain @venues node:http',
    stream: '@contract @domain market node:http node:stream',
    storage: 'storage/ledger storage/migrations storage/postgres node',
    'storage/ledger': '@domain @ledger money-gate storage/postgres node',
    'storage/migrations': 'storage/postgres node',
    'storage/postgres': 'node',
    'storage/stores': '@domain @ledger accounts content money-gate storage/postgres trading wallets node',
    'storage/stores/members':
      '@domain accounts accounts/kyc content market storage/postgres storage/stores wallets node:crypto',
    'storage/stores/members/kyc':
      '@domain accounts accounts/kyc storage/postgres storage/stores storage/stores/members node:crypto',
    'storage/stores/office':
      '@contract @domain accounts back-office content storage/postgres storage/stores storage/stores/members storage/stores/members/kyc',
    'storage/stores/keys':
      '@domain accounts/factors accounts/kyc storage/postgres storage/stores storage/stores/members storage/stores/members/kyc storage/stores/office',
    'storage/stores/trading': '@domain @ledger intents storage/postgres storage/stores trading',
  },
  'apps/web/src': {
    '.': `i18n ${STORES} theme screens screens/{screen} ui`,
    theme: '',
    wire: '@contract @domain @venues wire/venues',
    'wire/venues': '@domain @venues',
    calculators: '@contract @domain -react',
    'calculators/market': '@contract @domain calculators -react',
    'calculators/tables': '@contract @domain calculators calculators/contracts -react',
    'calculators/ticket': '@contract @domain calculators -react',
    'calculators/contracts': '@contract @domain calculators calculators/ticket -react',
    'calculators/algos': '@contract @domain calculators calculators/contracts calculators/ticket -react',
    admin: `${ADMIN} admin/members admin/offer admin/parts admin/texts calculators/tables`,
    'admin/members': `${ADMIN} admin/parts`,
    'admin/offer': `${ADMIN} admin/parts`,
    'admin/parts': ADMIN,
    'admin/texts': `${ADMIN} admin/parts`,
    i18n: '@domain i18n/admin i18n/trade i18n/later i18n/notices i18n/pages i18n/account',
    'i18n/admin': '',
    'i18n/trade': '',
    'i18n/later': '',
    'i18n/notices': '',
    'i18n/pages': '',
    'i18n/account': '',
    ui: '',
    'ui/entry': 'ui',
    'ui/tables': 'ui',
    'ui/toasts': 'ui',
    'stores/app': '@contract @domain i18n',
    'stores/admin': '@contract i18n stores/app wire',
    'stores/member': `${STORE} stores/app`,
    'stores/market': `${STORE} stores/app stores/member`,
    'stores/market-lists': `${STORE} stores/app stores/member stores/market`,
    'stores/wallet': `${STORE} stores/app stores/member stores/market-lists`,
    'stores/algos': `${STORE} stores/app stores/member stores/market`,
    'stores/trading/ticket': `${STORE} stores/app stores/market`,
    'stores/trading': `${STORE} stores/algos stores/app stores/member stores/market stores/wallet`,
    'stores/trading/contracts': `${STORE} stores/app stores/member stores/market stores/trading`,
    'stores/trading/private-events.ts stores/trading/use-keep-live.ts stores/trading/member-listener.ts': `${STORE} stores/algos stores/app stores/member stores/market stores/trading stores/trading/contracts stores/wallet`,
    screens: 'i18n stores/member',
    'screens/{screen}': SCREEN,
    'screens/member-pages': `i18n screens ${STORES} ${UI}`,
    'screens/history': MEMBER,
    'screens/shell': `${MEMBER} screens/reading ui/toasts`,
    'screens/wallet': MEMBER,
    'screens/fields': `@contract @domain ${CALCULATORS} i18n stores/app stores/member ${UI}`,
    'screens/reading': 'calculators i18n',
    'screens/content': `${SCREEN} screens/reading`,
    'screens/dashboard': `${MEMBER} screens/fields screens/dashboard/kyc screens/dashboard/referral screens/dashboard/security`,
    'screens/dashboard/kyc': `${SCREEN} screens/fields`,
    'screens/dashboard/referral': `${SCREEN} screens/fields`,
    'screens/dashboard/security': `${SCREEN} screens/fields`,
    'screens/sign-in': `${SCREEN} screens/fields screens/sign-in/steps screens/sign-in/recovery`,
    'screens/sign-in/steps': `${SCREEN} screens/fields`,
    'screens/sign-in/recovery': `${SCREEN} screens/fields screens/sign-in/steps`,
    'screens/trade': `${TRADE} screens/trade/{part} screens/trade/phone screens/trade/chart/chart-port.ts screens/trade/chart/lines`,
    'screens/trade/live': SCREEN,
    'screens/trade/entry': SCREEN,
    'screens/trade/keys': SCREEN,
    'screens/trade/tables': `${SCREEN} screens/trade/live`,
    'screens/trade/{part}': TRADE,
    'screens/trade/chart/chart-port.ts': SCREEN,
    'screens/trade/chart/lines': `${TRADE} screens/trade/chart/chart-port.ts`,
    'screens/trade/chart': `${TRADE} screens/trade/chart/chart-port.ts screens/trade/chart/lines`,
    'screens/trade/contract-ticket/ticket-words.ts': SCREEN,
    'screens/trade/contract-ticket/settings': `${TRADE} screens/trade/contract-ticket/ticket-words.ts`,
    'screens/trade/contract-ticket': `${TRADE} screens/trade/algos screens/trade/contract-ticket/ticket-words.ts screens/trade/contract-ticket/settings`,
    'screens/trade/ticket': `${TRADE} screens/trade/algos`,
    'screens/trade/conditional': `${TRADE} screens/trade/algos screens/trade/contract-ticket screens/trade/contract-ticket/ticket-words.ts screens/trade/contract-ticket/settings screens/trade/ticket`,
    'screens/trade/scaled': `${TRADE} screens/trade/contract-ticket screens/trade/contract-ticket/ticket-words.ts screens/trade/contract-ticket/settings screens/trade/ticket`,
    'screens/trade/positions': `${TRADE} screens/trade/algos screens/trade/orders`,
    'screens/trade/bar': `${TRADE} screens/trade/book`,
    'screens/trade/tape': `${TRADE} screens/trade/book`,
    'screens/trade/phone': `${TRADE} screens/trade/bar screens/trade/chart`,
  },
  scripts: {
    '.': 'claims proofs realism recording node',
    claims: '@domain node',
    proofs: 'node',
    realism: '@domain @simulator recording node',
    recording: '@domain @venues node',
  },
  tests: { '.': '*', clients: '*', e2e: '*', hostile: '*', system: '*', 'system/installations': '*' },
  bench: { '.': '*' },
  campaign: { '.': '*' },
};

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
/** Files besides proofs that one folder may hold: where there are more, they are of different kinds. */
const FOLDER_FILES_MAX = 20;
const PROOF = /\.(test|fixture)\.\w+$|^testing(-setup)?\.ts$/;
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
    ...[...folders].flatMap(([folder, files]) => crowded(folder, files)),
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

function crowded(folder: string, files: readonly string[]): readonly string[] {
  const { length } = files.filter((file) => !PROOF.test(file));
  return length > FOLDER_FILES_MAX ? [`${folder} has ${length} files, of at most ${FOLDER_FILES_MAX}`] : [];
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
