import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');

interface Diagnostic {
  readonly category: string;
  readonly location?: { readonly path?: string | { readonly file?: string } };
}

const FENCE_RULES = ['lint/style/noRestrictedImports', 'lint/correctness/noUndeclaredDependencies'];

/** Lints imports as if each stood at its path: a copy of the house with nothing in it but the probes. */
function lintProbes(probes: readonly (readonly [file: string, specifier: string])[]): ReadonlySet<string> {
  const house = mkdtempSync(join(tmpdir(), 'fences '));
  try {
    for (const file of ['biome.json', ...MANIFESTS]) copy(file, house);
    probes.forEach(([file, specifier], index) => {
      const path = join(house, numbered(file, index));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `import { x } from '${specifier}';\n\nexport const used = [x];\n`);
    });
    const args = ['lint', '--reporter=json', '--max-diagnostics=none', '.'];
    const run = spawnSync(process.execPath, [biome, ...args], { cwd: house, encoding: 'utf8' });
    const report: { diagnostics: Diagnostic[] } = JSON.parse(run.stdout);
    const refused = report.diagnostics.filter((found) => FENCE_RULES.includes(found.category));
    return new Set(refused.map((found) => pathOf(found)));
  } finally {
    rmSync(house, { recursive: true, force: true });
  }
}

function pathOf(found: Diagnostic): string {
  const path = found.location?.path;
  return (typeof path === 'string' ? path : (path?.file ?? '')).replace(/^\.\//, '');
}

function numbered(file: string, index: number): string {
  return file.replace('probe.ts', `probe-${index}.ts`);
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

// A boundary that nothing checks is a wish, and a blind checker is green too (house style 2).
const WRONG: readonly (readonly [file: string, specifier: string])[] = [
  ['packages/domain/src/probe.ts', 'node:fs'],
  ['packages/domain/src/probe.ts', '@crossbook/contract'],
  ['packages/contract/src/probe.ts', '@crossbook/ledger'],
  ['packages/contract/src/probe.ts', 'node:crypto'],
  ['packages/ledger/src/probe.ts', '@crossbook/contract'],
  ['packages/venues/src/binance/probe.ts', '@crossbook/contract'],
  ['packages/venues/src/binance/probe.ts', 'node:crypto'],
  ['packages/venues/src/binance/probe.ts', './trading/sign.ts'],
  ['packages/venues/src/binance/futures/probe.ts', '../../okx/wire.ts'],
  ['packages/venues/src/okx/probe.ts', '../bybit/wire.ts'],
  ['packages/venues/src/okx/probe.ts', 'node:crypto'],
  ['packages/venues/src/bybit/probe.ts', './trading/sign.ts'],
  ['packages/venues/src/bybit/trading/probe.ts', '../../binance/trading/sign.ts'],
  ['packages/venues/src/okx/trading/probe.ts', '@crossbook/contract'],
  ['packages/simulator/src/probe.ts', '@crossbook/venues'],
  ['packages/simulator/src/dialects/okx/probe.ts', '../binance/params.ts'],
  ['packages/simulator/src/dialects/bybit/probe.ts', '../binance-futures/rest.ts'],
  ['packages/simulator/src/dialects/binance-futures/probe.ts', '../okx/rest.ts'],
  ['packages/simulator/src/dialects/okx/probe.ts', '@crossbook/venues'],
  ['packages/simulator/src/dialects/wire/probe.ts', '../okx/rest.ts'],
  ['packages/simulator/src/dialects/wire/probe.ts', '../binance/params.ts'],
  ['packages/simulator/src/dialects/wire/probe.ts', '@crossbook/venues'],
  ['packages/simulator/src/dialects/binance/probe.ts', '@crossbook/venues/trading'],
  ['apps/server/src/trading/probe.ts', '../wallets/ports.ts'],
  ['apps/server/src/trading/probe.ts', '../storage/database.ts'],
  ['apps/server/src/wallets/probe.ts', '../trading/desk.ts'],
  ['apps/server/src/market/probe.ts', '../stream/gateway.ts'],
  ['apps/server/src/accounts/probe.ts', '../http/server.ts'],
  ['apps/server/src/http/probe.ts', '../storage/database.ts'],
  ['apps/server/src/stream/probe.ts', '../storage/database.ts'],
  ['apps/server/src/storage/probe.ts', '../http/server.ts'],
  ['apps/server/src/main/probe.ts', '@crossbook/simulator'],
  ['apps/web/src/wire/probe.ts', '../stores/session.ts'],
  ['apps/web/src/stores/probe.ts', '../screens/trade/spot-trade-screen.tsx'],
  ['apps/web/src/calculators/probe.ts', '../stores/session.ts'],
  ['apps/web/src/calculators/probe.ts', 'react'],
  ['apps/web/src/ui/probe.ts', '@crossbook/domain'],
  ['apps/web/src/ui/probe.ts', '../stores/session.ts'],
  ['apps/web/src/screens/wallet/probe.ts', '../trade/spot-trade-screen.tsx'],
  ['apps/web/src/screens/home/probe.ts', '@crossbook/venues/trading'],
  ['apps/web/src/screens/home/probe.ts', '@crossbook/contract/schema'],
  ['apps/web/src/screens/home/probe.ts', '@crossbook/ledger'],
  ['apps/web/src/screens/home/probe.ts', 'node:fs'],
  ['apps/web/src/screens/home/probe.ts', 'zod'],
];

const RIGHT: readonly (readonly [file: string, specifier: string])[] = [
  ['packages/contract/src/probe.ts', '@crossbook/domain'],
  ['packages/ledger/src/probe.ts', '@crossbook/domain'],
  ['packages/venues/src/binance/trading/probe.ts', 'node:crypto'],
  ['packages/venues/src/binance/futures/probe.ts', '../normalise.ts'],
  ['packages/venues/src/okx/probe.ts', '../wire/guards.ts'],
  ['packages/venues/src/bybit/trading/probe.ts', '../../trading/kept-socket.ts'],
  ['packages/simulator/src/probe.ts', '@crossbook/domain'],
  ['packages/simulator/src/dialects/binance-futures/probe.ts', '../binance/params.ts'],
  ['packages/simulator/src/dialects/okx/probe.ts', '../wire/upgrade.ts'],
  ['packages/simulator/src/dialects/wire/probe.ts', '../dialect.ts'],
  ['apps/server/src/trading/probe.ts', '@crossbook/venues/trading'],
  ['apps/server/src/stream/probe.ts', '../market/venue-market.ts'],
  ['apps/server/src/storage/probe.ts', '../trading/ports.ts'],
  ['apps/web/src/stores/probe.ts', '../wire/api-client.ts'],
  ['apps/web/src/calculators/probe.ts', '@crossbook/domain'],
  ['apps/web/src/screens/home/probe.ts', '@crossbook/venues'],
];

describe('import fences', () => {
  const refusedWrong = lintProbes(WRONG);
  const refusedRight = lintProbes(RIGHT);

  test.each(WRONG.map(([file, specifier], index) => [file, specifier, index] as const))(
    '%s may not import %s',
    (file, _specifier, index) => {
      expect(refusedWrong).toContain(numbered(file, index));
    },
  );

  test.each(RIGHT.map(([file, specifier], index) => [file, specifier, index] as const))(
    '%s may import %s',
    (file, _specifier, index) => {
      expect(refusedRight).not.toContain(numbered(file, index));
    },
  );
});
