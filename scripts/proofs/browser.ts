import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian, Ubuntu, Fedora, Arch and others put a Chromium. */
const KNOWN_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/**
 * Finds a real Chromium for the browser tests, or brings one in: the machine's own, Playwright's download, Debian's
 * package, in this order.
 * @returns the path for Playwright, or `undefined` when Playwright's own browser is to be used.
 * @throws Error saying what to install when none of the ways works.
 */
export function ensureBrowser(root: string, say: (text: string) => void): string | undefined {
  const given = process.env.CHROMIUM_PATH;
  if (given !== undefined && given !== '') return given;
  const found = KNOWN_PATHS.find((path) => existsSync(path));
  if (found !== undefined) return found;
  say('Installing Chromium for the browser tests ...');
  const playwright = join(root, 'node_modules/@playwright/test/cli.js');
  const root0 = process.getuid?.() === 0;
  const download = [process.execPath, playwright, 'install', ...(root0 ? ['--with-deps'] : []), 'chromium'];
  if (run(download)) return undefined;
  if (root0 && run(['apt-get', 'update']) && run(['apt-get', 'install', '-y', 'chromium']))
    return KNOWN_PATHS[0];
  throw new Error(
    'No Chromium: set CHROMIUM_PATH, or install one (Debian: apt-get install chromium), then run the tests again.',
  );
}

function run(command: readonly string[]): boolean {
  const [program = '', ...args] = command;
  return spawnSync(program, args, { stdio: 'ignore', timeout: 300_000 }).status === 0;
}
