import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, expect, type Page } from '@playwright/test';
import type { Installation } from './installation.ts';
import { shownBy } from './security-client.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const PASSWORD = 'a long enough sentence';

/** A one-time link, as the operator's command prints it. */
export function linkFor(installation: Installation, email: string, roles: string): Promise<string> {
  return command(installation, ['invite', email, '--roles', roles]);
}

/** The link that lets an admin in anew. */
export function breakGlassFor(installation: Installation, email: string): Promise<string> {
  return command(installation, ['break-glass', email]);
}

async function command(installation: Installation, asked: readonly string[]): Promise<string> {
  const words = ['scripts/run-script.mjs', 'apps/server/src/main/commands/admin-command.ts'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...words, ...asked, '--reason', 'a flow in the browser'],
    { cwd: ROOT, env: { ...process.env, DATA_DIR: installation.data } },
  );
  return /https?:\S+/.exec(stdout)?.[0] ?? '';
}

/** Presses a button of the back office. */
export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}

/** Opens a link in a browser of its own: password, authenticator, and the first page. */
export async function start(browser: Browser, link: string): Promise<{ page: Page; secret: string }> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  const secret = (await page.getByRole('code').textContent()) ?? '';
  // What stays in the address and the history is worth nothing.
  expect(new URL(page.url()).hash).toBe('');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('Authenticator code').fill(shownBy(secret));
  await press(page, 'Set both and log in');
  await expect(page.getByRole('heading', { name: 'Members', level: 1 })).toBeVisible();
  return { page, secret };
}
