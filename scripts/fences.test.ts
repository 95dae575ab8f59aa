import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fencesText, type Room } from './fence-rules.ts';
import { houseOf, sourceFolders } from './rooms.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');

interface Diagnostic {
  readonly category: string;
  readonly location?: {
    readonly path?: string | { readonly file?: string };
    readonly start?: { readonly line: number };
  };
}

/** One import, as if it stood in that file. */
type Probe = readonly [file: string, specifier: string];

const FENCE_RULES = [
  'lint/style/noRestrictedImports',
  'lint/style/useNodejsImportProtocol',
  'lint/correctness/noUndeclaredDependencies',
];

/** The probes that are refused, `file specifier`: a copy of the house with nothing in it but them, a line for each. */
function refusedOf(probes: readonly Probe[], rules = FENCE_RULES): ReadonlySet<string> {
  const house = mkdtempSync(join(tmpdir(), 'fences '));
  const files = Map.groupBy(probes, ([file]) => file);
  try {
    for (const file of ['biome.json', 'biome.fences.json', ...MANIFESTS]) copy(file, house);
    for (const [file, own] of files) {
      mkdirSync(dirname(join(house, file)), { recursive: true });
      const lines = own.map(([, specifier], index) => `export { x${index} } from '${specifier}';`);
      writeFileSync(join(house, file), `${lines.join('\n')}\n`);
    }
    const only = rules.map((rule) => `--only=${rule.replace('lint/', '')}`);
    const args = ['lint', '--reporter=json', '--max-diagnostics=none', ...only, '.'];
    const run = spawnSync(process.execPath, [biome, ...args], {
      cwd: house,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    });
    const report: { diagnostics: Diagnostic[] } = JSON.parse(run.stdout);
    return new Set(
      report.diagnostics.map((found) => {
        const file = pathOf(found);
        return (files.get(file)?.[(found.location?.start?.line ?? 0) - 1] ?? [file, found.category]).join(
          ' ',
        );
      }),
    );
  } finally {
    rmSync(house, { recursive: true, force: true });
  }
}

function pathOf(found: Diagnostic): string {
  const path = found.location?.path;
  return (typeof path === 'string' ? path : (path?.file ?? '')).replace(/^\.\//, '');
}

function copy(file: string, house: string): void {
  mkdirSync(dirname(join(house, file)), { recursive: true });
  writeFileSync(join(house, file), readFileSync(join(root, file)));
}

const MANIFESTS = [
  'package.json',
  ...['domain', 'contract', 'ledger', 'venues', 'simulator'].map((name) => `packages/${name}/package.json`),
  'apps/server/package.json',
  'apps/web/package.json',
];

const DOORS = [
  ...[
    'domain',
    'contract',
    'contract/schema',
    'ledger',
    'venues',
    'venues/trading',
    'simulator',
    'server',
    'web',
  ],
  ...['domain/src/amount.ts', 'venues/src/okx/wire.ts'],
].map((door) => `@crossbook/${door}`);
const NODE = ['node:fs', 'node:fs/promises', 'node:crypto', 'node:http', 'node:net'];

// A boundary is checked, and a blind checker is green too (house style 2).
const WRONG: readonly (readonly [file: string, specifier: string])[] = [
  ['packages/domain/src/probe.ts', 'node:fs'],
  ['packages/domain/src/probe.ts', '@crossbook/contract'],
  ['packages/contract/src/probe.ts', '@crossbook/ledger'],
  ['packages/contract/src/probe.ts', 'node:crypto'],
  ['packages/ledger/src/probe.ts', '@crossbook/contract'],
  ['packages/venues/src/binance/probe.ts', '@crossbook/contract'],
  ['packages/venues/src/binance/probe.ts', 'node:crypto'],
  ['packages/venues/src/binance/spot/probe.ts', '../account/sign.ts'],
  ['packages/venues/src/binance/perps/probe.ts', '../../okx/wire.ts'],
  ['packages/venues/src/okx/probe.ts', '../bybit/wire.ts'],
  ['packages/venues/src/okx/probe.ts', 'node:crypto'],
  ['packages/venues/src/bybit/market/probe.ts', '../account/sign.ts'],
  ['packages/venues/src/bybit/account/probe.ts', '../../binance/account/sign.ts'],
  ['packages/venues/src/okx/account/probe.ts', '@crossbook/contract'],
  ['packages/simulator/src/probe.ts', '@crossbook/venues'],
  ['packages/simulator/src/dialects/okx/probe.ts', '../binance/params.ts'],
  ['packages/simulator/src/dialects/bybit/probe.ts', '../binance/perps/rest.ts'],
  ['packages/simulator/src/dialects/binance/perps/probe.ts', '../../okx/rest.ts'],
  ['packages/simulator/src/dialects/binance/spot/probe.ts', '../perps/desk.ts'],
  ['packages/simulator/src/dialects/okx/market/probe.ts', '../spot/orders.ts'],
  ['packages/simulator/src/dialects/okx/spot/probe.ts', '../streams/okx-socket.ts'],
  ['packages/simulator/src/dialects/bybit/spot/probe.ts', '../endpoints.ts'],
  ['packages/simulator/src/dialects/okx/probe.ts', '@crossbook/venues'],
  ['packages/simulator/src/dialects/wire/probe.ts', '../okx/rest.ts'],
  ['packages/simulator/src/dialects/wire/probe.ts', '../binance/params.ts'],
  ['packages/simulator/src/dialects/wire/probe.ts', '@crossbook/venues'],
  ['packages/simulator/src/dialects/binance/probe.ts', '@crossbook/venues/trading'],
  ['apps/server/src/trading/probe.ts', '../wallets/ports.ts'],
  ['apps/server/src/trading/probe.ts', '../storage/postgres/database.ts'],
  ['apps/server/src/wallets/probe.ts', '../trading/desk.ts'],
  ['apps/server/src/market/probe.ts', '../stream/gateway.ts'],
  ['apps/server/src/accounts/probe.ts', '../http/server.ts'],
  ['apps/server/src/http/probe.ts', '../storage/postgres/database.ts'],
  ['apps/server/src/stream/probe.ts', '../storage/postgres/database.ts'],
  ['apps/server/src/storage/probe.ts', '../http/server.ts'],
  ['apps/server/src/main/probe.ts', '@crossbook/simulator'],
  ['apps/web/src/wire/probe.ts', '../stores/member/session.ts'],
  ['apps/web/src/stores/market/probe.ts', '../../screens/trade/spot-trade-screen.tsx'],
  ['apps/web/src/stores/market/probe.ts', '../trading/orders.ts'],
  ['apps/web/src/stores/app/probe.ts', '../member/session.ts'],
  ['apps/web/src/calculators/probe.ts', '../stores/member/session.ts'],
  ['apps/web/src/calculators/probe.ts', 'react'],
  ['apps/web/src/ui/probe.ts', '@crossbook/domain'],
  ['apps/web/src/ui/probe.ts', '../stores/member/session.ts'],
  ['apps/web/src/screens/wallet/probe.ts', '../trade/spot-trade-screen.tsx'],
  ['apps/web/src/screens/home/probe.ts', '@crossbook/venues'],
  ['apps/web/src/screens/home/probe.ts', '@crossbook/venues/trading'],
  ['apps/web/src/screens/home/probe.ts', '@crossbook/contract/schema'],
  ['apps/web/src/screens/home/probe.ts', '@crossbook/venues'],
  ['apps/web/src/screens/home/probe.ts', '@crossbook/ledger'],
  ['apps/web/src/screens/home/probe.ts', 'node:fs'],
  ['apps/web/src/screens/home/probe.ts', 'zod'],
  ['apps/web/src/screens/wallet/probe.ts', '../../wire/api-client.ts'],
  ['apps/web/src/screens/shell/probe.ts', '../later/later-screen.tsx'],
  ['apps/web/src/screens/later/probe.ts', '../shell/Shell.tsx'],
  ['apps/web/src/i18n/probe.ts', '../screens/home/home-screen.tsx'],
  ['apps/server/src/market/probe.ts', 'node:fs'],
  ['apps/server/src/market/probe.ts', 'fs'],
  ['packages/simulator/src/matching/probe.ts', '../dialects/dialect.ts'],
  ['packages/simulator/src/matching/probe.ts', '../core.ts'],
  ['packages/venues/src/wire/probe.ts', '../okx/wire.ts'],
  ['packages/venues/src/okx/probe.ts', '../index.ts'],
  ['packages/venues/src/okx/probe.ts', '../wire/../bybit/wire.ts'],
];

const RIGHT: readonly (readonly [file: string, specifier: string])[] = [
  ['packages/contract/src/probe.ts', '@crossbook/domain'],
  ['packages/ledger/src/probe.ts', '@crossbook/domain'],
  ['packages/venues/src/binance/account/probe.ts', 'node:crypto'],
  ['packages/venues/src/binance/perps/probe.ts', '../market/normalise.ts'],
  ['packages/venues/src/okx/probe.ts', '../wire/guards.ts'],
  ['packages/venues/src/bybit/account/probe.ts', '../../trading/kept-socket.ts'],
  ['packages/simulator/src/probe.ts', '@crossbook/domain'],
  ['packages/simulator/src/dialects/binance/perps/probe.ts', '../params.ts'],
  ['packages/simulator/src/dialects/bybit/streams/probe.ts', '../endpoints.ts'],
  ['packages/simulator/src/dialects/okx/probe.ts', '../wire/upgrade.ts'],
  ['packages/simulator/src/dialects/wire/probe.ts', '../dialect.ts'],
  ['apps/server/src/trading/probe.ts', '@crossbook/venues/trading'],
  ['apps/server/src/stream/probe.ts', '../market/venue-market.ts'],
  ['apps/server/src/storage/stores/probe.ts', '../../trading/ports.ts'],
  ['apps/web/src/stores/member/probe.ts', '../../wire/api-client.ts'],
  ['apps/web/src/calculators/probe.ts', '@crossbook/domain'],
  ['apps/web/src/stores/probe.ts', '@crossbook/venues'],
];

describe('import fences', () => {
  const refused = refusedOf([...WRONG, ...RIGHT]);

  test.each(WRONG)('%s may not import %s', (...probe) => {
    expect(refused).toContain(probe.join(' '));
  });

  test.each(RIGHT)('%s may import %s', (...probe) => {
    expect(refused).not.toContain(probe.join(' '));
  });
});

describe('the table of rooms', () => {
  const house = houseOf(sourceFolders(root));

  test('knows every folder, and every room is there', () => {
    expect(house.faults).toEqual([]);
  });

  test('a folder without a row, a row without its folder and a file that is gone are named', () => {
    const folders = new Map(sourceFolders(root));
    folders.set('apps/server/src/cellar', ['wine.ts']);
    folders.delete('packages/ledger/src');
    folders.set('packages/venues/src', ['trading.ts']);
    expect(houseOf(folders).faults).toEqual(
      expect.arrayContaining([
        'apps/server/src/cellar has no row',
        'packages/ledger/src is not there',
        'packages/venues/src/index.ts is not there',
      ]),
    );
  });

  test('a folder of more than 20 files is named; proofs beside them are not counted', () => {
    const files = Array.from({ length: 20 }, (_, index) => [
      `row-${index}.ts`,
      `row-${index}.test.ts`,
    ]).flat();
    const folders = new Map(sourceFolders(root)).set('apps/web/src/theme', [...files, 'testing.ts']);
    expect(houseOf(folders).faults).toEqual([]);
    folders.set('apps/web/src/theme', [...files, 'one-more.ts']);
    expect(houseOf(folders).faults).toEqual(['apps/web/src/theme has 21 files, of at most 20']);
  });

  test('is what the linter goes by', () => {
    expect(readFileSync(join(root, 'biome.fences.json'), 'utf8')).toBe(fencesText(house.rooms));
  });

  const fenced = house.rooms.filter((room) => !room.open);
  const refused = refusedOf(
    fenced.flatMap((room) => probesOf(room, house.rooms).map(({ probe }) => probe)),
    ['lint/style/noRestrictedImports'],
  );

  // Every room against every other one, every door and node: a room that is not named in a row is refused.
  test.each(fenced.map((room) => [room.name, room] as const))(
    '%s imports what its row says and nothing else',
    (_name, room) => {
      const probes = probesOf(room, house.rooms);
      const refusedHere = probes.filter(({ probe }) => refused.has(probe.join(' ')));
      const meant = probes.filter(({ allowed }) => !allowed);
      expect(refusedHere.map(({ probe }) => probe[1])).toEqual(meant.map(({ probe }) => probe[1]));
    },
  );
});

/** What stands in a file of the room, and whether it is to be let through. */
function probesOf(room: Room, rooms: readonly Room[]) {
  const file = posix.join(room.folder, room.files?.[0] ?? 'probe.ts');
  const doors = [...DOORS, ...NODE].map((door) => ({
    probe: [file, door] as const,
    allowed: room.doors.includes(door) || (door.startsWith('node:') && room.doors.includes('node:*')),
  }));
  const others = rooms.map((target) => {
    const path = posix.relative(room.folder, posix.join(target.folder, target.files?.[0] ?? 'other.ts'));
    return {
      probe: [file, path.startsWith('.') ? path : `./${path}`] as const,
      allowed: room === target || room.rooms.includes(target.name),
    };
  });
  return [...doors, ...others, { probe: [file, './proof.test.ts'] as const, allowed: false }];
}
