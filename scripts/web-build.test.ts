import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureWebBuilt } from './web-build.ts';

/** In the bundler's place: writes the source down as the page, and fails half way when it is broken. */
const BUNDLER = `
  const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
  const folder = process.argv[process.argv.indexOf('--outDir') + 1];
  const source = readFileSync('index.html', 'utf8');
  mkdirSync(folder, { recursive: true });
  writeFileSync(folder + '/begun', '');
  if (source === 'broken') throw new Error('it does not parse');
  writeFileSync(folder + '/index.html', source);
`;

let root: string;
let said: string[];
const builds = () => join(root, 'apps/web/dist');
const current = () => realpathSync(join(builds(), 'current'));
const page = (folder: string) => readFileSync(join(folder, 'index.html'), 'utf8');
const source = (text: string) => writeFileSync(join(root, 'apps/web/index.html'), text);
const ensure = () => ensureWebBuilt(root, (text) => said.push(text));
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'crossbook web build '));
  mkdirSync(join(root, 'apps/web'), { recursive: true });
  mkdirSync(join(root, 'node_modules/vite/bin'), { recursive: true });
  for (const file of ['apps/web/admin.html', 'apps/web/vite.config.ts', 'package-lock.json'])
    writeFileSync(join(root, file), '');
  writeFileSync(join(root, 'node_modules/vite/bin/vite.js'), BUNDLER);
  said = [];
});
afterEach(() => rmSync(root, { recursive: true }));

test('a build is made once for the same sources, and again only when they change', async () => {
  source('one');
  await ensure();
  await ensure();
  expect(said).toHaveLength(2);
  expect(page(current())).toBe('one');
  expect(page(join(current(), 'admin'))).toBe('one');
  source('two');
  await ensure();
  expect(page(current())).toBe('two');
  source('one');
  await ensure();
  expect(said).toHaveLength(4);
  expect(page(current())).toBe('one');
});

test('what is served is not touched by the next build', async () => {
  source('one');
  await ensure();
  const served = current();
  source('two');
  await ensure();
  expect(page(served)).toBe('one');
});

test('a build that fails leaves nothing behind and the link where it led', async () => {
  source('one');
  await ensure();
  source('broken');
  await expect(ensure()).rejects.toThrow('it does not parse');
  expect(page(current())).toBe('one');
  expect(readdirSync(builds())).toHaveLength(2);
});

test('a former layout and old builds make room for five', async () => {
  mkdirSync(join(builds(), 'assets'), { recursive: true });
  for (const text of ['1', '2', '3', '4', '5', '6', '7']) {
    source(text);
    await ensure();
  }
  expect(readdirSync(builds())).toHaveLength(6);
  expect(page(current())).toBe('7');
});
