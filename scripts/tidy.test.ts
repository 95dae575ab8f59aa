import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { FOREIGN_WORDS } from './glossary-words.ts';
import { judge, judgeFiles, linkedPaths, namedPaths, TELLS_VENUES_APART } from './tidy.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function trackedFiles(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}

const files = trackedFiles();

describe('tidy', () => {
  test('no source breaks a house rule', () => {
    const sources = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.startsWith('scripts/tidy'));
    expect(judgeFiles(root, sources)).toEqual([]);
  });

  test('every path that a document names exists', () => {
    const missing = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        namedPaths(readFileSync(join(root, file), 'utf8'))
          .filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, dirname(file), path)))
          .map((path) => `${file}: ${path}`),
      );
    expect(missing).toEqual([]);
  });

  test('every link of a document leads from its own folder to something that is there', () => {
    const dead = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        linkedPaths(readFileSync(join(root, file), 'utf8'))
          .filter((path) => !existsSync(join(root, dirname(file), path)))
          .map((path) => `${file}: ${path}`),
      );
    expect(dead).toEqual([]);
    expect(linkedPaths('[a](b.md#c), ![d](e.png), [f](https://g.h/i), [j](#k), `docs/l.md`')).toEqual([
      'b.md',
      'e.png',
    ]);
  });

  test('the list of documents leads to each of them, and to the decisions in their order', () => {
    const listed = linkedPaths(readFileSync(join(root, 'docs/README.md'), 'utf8'));
    const documents = files
      .filter((file) => /^docs\/(?!README).*\.md$/.test(file))
      .map((file) => file.slice(5));
    expect(documents.filter((file) => !listed.includes(file))).toEqual([]);
    const decisions = (paths: readonly string[]) => paths.filter((path) => path.startsWith('decisions/'));
    expect(decisions(listed)).toEqual(decisions(documents).toSorted());
  });

  test('no file names a machine path of the workplace', () => {
    const named = files
      .filter((file) => /\.(ts|tsx|mjs|md|json|sql|html|css)$/.test(file) && !file.startsWith('scripts/tidy'))
      .filter((file) => /\/work\/|\/tmp\/brief/.test(readFileSync(join(root, file), 'utf8')));
    expect(named).toEqual([]);
  });

  test.each([
    ['apps/server/src/trading/probe.ts', 'const now = Date.now();'],
    ['packages/simulator/src/probe.ts', 'const jitter = Math.random();'],
    ['apps/server/src/wallets/probe.ts', 'const price = parseFloat(text);'],
    ['packages/domain/src/probe.ts', '// FIXME later'],
    ['apps/server/src/http/probe.ts', 'const answer = eval(text);'],
    ['apps/web/src/probe.ts', "const run = new Function('a', text);"],
    ['apps/web/src/probe.ts', 'setTimeout(text, 1);'],
    ['apps/web/src/screens/probe.tsx', '<p dangerouslySetInnerHTML={{ __html: text }} />'],
    ['apps/web/src/probe.ts', 'place.innerHTML = text;'],
    ['apps/server/src/main/probe.ts', 'execSync(command);'],
    ['apps/server/src/main/probe.ts', "spawn('convert', [name], { shell: true });"],
    ['apps/server/src/accounts/probe.ts', "const hash = createHash('md5');"],
    ['apps/server/src/accounts/probe.ts', "createCipheriv('aes-256-cbc', key, iv);"],
    ['packages/venues/src/probe.ts', 'const agent = new Agent({ rejectUnauthorized: false });'],
    ['apps/web/src/probe.ts', "window.addEventListener('message', hear);"],
    ['apps/web/src/probe.ts', "frame.postMessage(token, '*');"],
    ['apps/web/src/probe.ts', 'const found = document.cookie;'],
    ['apps/server/src/http/probe.ts', 'const found = new RegExp(given).test(text);'],
    ['apps/web/src/screens/probe.tsx', '<input onPaste={(event) => event.preventDefault()} />'],
    ['packages/venues/src/probe.ts', 'const wire = message as any;'],
    ['apps/web/src/probe.ts', 'console.log(1);'],
    ['packages/domain/src/utils.ts', 'export const one = 1;'],
    ['packages/domain/src/probe.test.ts', 'test.only("x", () => {});'],
    ['packages/domain/src/probe.ts', '// @ts-ignore'],
    ['apps/web/src/stores/probe.ts', "const open = slug === 'okx';"],
    ['apps/server/src/http/probe.ts', 'if (platform === 2) return;'],
    ['apps/server/src/trading/probe.ts', 'if (order.platform !== 1) return;'],
    ['apps/web/src/screens/wallet/probe.tsx', 'const name = wallet.platformType === 43 ? a : b;'],
    ['apps/web/src/stores/probe.ts', 'const PAGES: Readonly<Record<Platform, number>> = TABLE;'],
    ['packages/ledger/src/probe.ts', 'const HOSTS: Record<PlatformSlug, string> = TABLE;'],
    ['apps/web/src/screens/wallet/probe.tsx', "const SYMBOLS = { 1: 'A', 2: 'B', 3: 'C' } as const;"],
    ['packages/contract/src/probe.ts', 'readonly wallet: 43 | 41 | 42;'],
    ['apps/web/src/screens/wallet/probe.tsx', 'const open = (platform: 1 | 2 | 3) => platform;'],
  ])('the judge is not blind: %s with "%s" is refused', (file, text) => {
    expect(judge(file, text)).not.toEqual([]);
  });

  test.each([
    ['apps/web/src/stores/live.ts', 'const states: Readonly<Partial<Record<Platform, LiveStatus>>> = {};'],
    ['apps/web/src/stores/settings.ts', 'readonly timeInForce: 1 | 2 | 3 | 4;'],
    ['apps/web/src/screens/trade/probe.ts', 'const status = row.status as 0 | 1 | 2 | 3 | 4;'],
    ['apps/web/src/wire/venue-rest.ts', 'const READERS: Readonly<Record<Platform, Reader>> = TABLE;'],
    ['packages/venues/src/okx/probe.ts', "const venue = 'okx';"],
    ['apps/server/src/http/probe.test.ts', "relay('bybit');"],
    ['apps/server/src/http/probe.ts', "import { okxRest } from './venues/okx.ts';"],
  ])('the judge lets exchanges be named where that is right: %s with "%s"', (file, text) => {
    expect(judge(file, text)).toEqual([]);
  });

  test('every file that may tell exchanges apart is there, and needs to', () => {
    for (const file of TELLS_VENUES_APART) {
      const text = readFileSync(join(root, file), 'utf8');
      expect(judge('apps/server/src/probe.ts', text), file).not.toEqual([]);
    }
  });

  test('the judge lets the composition root read the clock', () => {
    expect(judge('apps/server/src/main.ts', 'const now = Date.now();')).toEqual([]);
  });
});

describe('the words of the glossary', () => {
  test.each([
    'const wish = parse(request);',
    'export type VenueOrderWish = object;',
    'const WISHES_MAX = 5;',
    'books.takeDirt(symbol);',
    'this.#vigil = new Vigil();',
    'const purse = openPurse(desk);',
    'export interface BarNews {',
    'const userNews = (news: object) => news;',
    'const { toldAt } = order;',
    'readonly fenceClosesAt?: Millis;',
    'if (booked.needsLook) lookSoon(order);',
    'export interface PerpFigures {',
    'const ZERO_FIGURE = zero;',
  ])('"%s" is refused', (line) => {
    expect(judge('packages/venues/src/probe.ts', line)).not.toEqual([]);
    expect(judge('packages/venues/src/probe.test.ts', line)).not.toEqual([]);
  });

  test.each(['vigil.ts', 'bar-news.ts', 'TicketFigures.tsx', 'purses.test.ts'])(
    'a file %s is refused',
    (name) => {
      expect(judge(`apps/server/src/market/${name}`, '')).not.toEqual([]);
    },
  );

  test.each([
    'const newState = next(newsletter);',
    'const dirty = dirtyLevels(configured);',
    'const fences = fencesText(rooms);',
    "socket.subscribe('news');",
    '// News of one order, told at a look.',
    'const scattered = threshold + household;',
    'looks: order.lookups,',
    'if (overlook(order)) lookup(order);',
  ])('"%s" passes', (line) => {
    expect(judge('packages/venues/src/probe.ts', line)).toEqual([]);
  });

  test('every word that is refused stands on the page, as one that is not used', () => {
    const page = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
    const unused = page
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split('|').at(-2) ?? '');
    const missing = FOREIGN_WORDS.filter(({ word }) => !unused.some((cell) => cell.includes(word)));
    expect(missing).toEqual([]);
  });
});
