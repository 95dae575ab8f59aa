import { readFileSync } from 'node:fs';

// Budgets of JavaScript as it travels (gzip), by what a screen really needs: the chunks that the bundler's own manifest
// says its modules import, the entry always among them.

const DIST = 'apps/web/dist/current';
const ENTRY = 'index.html';
const HOME = 'src/screens/home/home-screen.tsx';
const TRADE = 'src/screens/trade/spot-trade-screen.tsx';
const CHART = 'src/screens/trade/chart/klinecharts-chart.ts';

/** Files of the named modules of a build and of everything they import, each once. */
function chunksIn(dist, ...modules) {
  const manifest = JSON.parse(readFileSync(`${dist}/.vite/manifest.json`, 'utf8'));
  const seen = new Set();
  const open = [...modules];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`${name} is no chunk of the build`);
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...(chunk.imports ?? []));
  }
  return [...seen].map((name) => `${dist}/${manifest[name].file}`);
}

const chunksOf = (...modules) => chunksIn(DIST, ...modules);

export default [
  { name: 'first screen', path: chunksOf(ENTRY, HOME), gzip: true, limit: '144 kB' },
  { name: 'trade route with its chart', path: chunksOf(ENTRY, TRADE, CHART), gzip: true, limit: '322 kB' },
  // A bundle of its own: nothing of it is in the two above.
  { name: 'back office', path: chunksIn(`${DIST}/admin`, 'admin.html'), gzip: true, limit: '109 kB' },
];
