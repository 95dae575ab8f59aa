// What every command does first, on any Node 18 or newer and before anything is installed: bring the dependencies in,
// find the project's own Node 24, and go on there. Dependency-free.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const NODE_MAJOR = 24;
/** Where Node keeps what it compiled; it makes the folder itself and does without where it may not write. */
const COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'node');

/** Says a step to the person waiting. */
export function step(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  step(text);
  process.exit(1);
}

function lockDigest(folder) {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
}

function npm(args, cwd) {
  // npm tells its scripts where it is; a plain `node scripts/start.mjs` has to find it on the path.
  const script = process.env.npm_execpath;
  const viaNode = script?.endsWith('.js') === true;
  const command = viaNode ? process.execPath : 'npm';
  return spawnSync(command, [...(viaNode ? [script] : []), ...args], {
    cwd,
    encoding: 'utf8',
    env: cleanEnvironment(),
  });
}

/** npm hands its own settings on as variables; an inner npm run must read ours from .npmrc instead. */
function cleanEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(config|package|lifecycle)_/i.test(name)),
  );
}

function packagesOf(path) {
  return Object.entries(JSON.parse(readFileSync(path, 'utf8')).packages).filter(([name]) => name !== '');
}

/** Whether a locked package may be absent: optional, and for another platform or needed by such a one only. */
function mayBeAbsent({ optional, os, cpu, libc }) {
  const elsewhere = (names, here) => names !== undefined && !names.includes(here);
  const forAll = os === undefined && cpu === undefined && libc === undefined;
  const stranger = elsewhere(os, process.platform) || elsewhere(cpu, process.arch);
  return optional === true && (forAll || stranger || libc !== undefined);
}

/**
 * Whether node_modules holds what the lockfile says, whoever installed it: npm keeps a record of its own there.
 * @param {string} folder where package-lock.json is.
 * @returns {boolean}
 */
export function isInstalled(folder) {
  const record = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const locked = packagesOf(join(folder, 'package-lock.json'));
  const present = new Map(packagesOf(record));
  const same = (one, other) => one.version === other.version && one.integrity === other.integrity;
  return (
    locked.every(([name, entry]) =>
      present.has(name) ? same(entry, present.get(name)) : mayBeAbsent(entry),
    ) && present.size === locked.filter(([name]) => present.has(name)).length
  );
}

/**
 * Installs a folder's locked dependencies unless exactly these are there already.
 * @param {string} folder where package-lock.json is.
 * @param {string} what for the progress line.
 */
export function ensureInstalled(folder, what) {
  const stamp = join(folder, 'node_modules', '.installed-lock');
  const digest = lockDigest(folder);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  if (isInstalled(folder)) return writeFileSync(stamp, digest);
  step(`Installing ${what} (once; about half a minute) ...`);
  const started = Date.now();
  const run = npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], folder);
  if (run.error)
    fail(`npm could not be started: ${run.error.message}. npm comes with Node: is it on the PATH?`);
  if (run.status !== 0) fail(`npm ci failed in ${folder}:\n${run.stdout}\n${run.stderr}`);
  writeFileSync(stamp, digest);
  step(`Installed ${what} in ${Math.round((Date.now() - started) / 1000)} s`);
}

/** The Node that the project runs on: its own 24 where it has one, the machine's where that is new enough. */
export function projectNode() {
  const own = join(ROOT, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(own)) return own;
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return process.execPath;
  return fail(
    `Crossbook runs on Node ${NODE_MAJOR} and brings it along for Linux only; this is Node ${process.versions.node} on ${process.platform}. Install Node ${NODE_MAJOR} and run the command again.`,
  );
}

/**
 * Runs a script of ours on the project's Node and ends with its exit code. Signals go to the child, which ends by itself.
 * @param {string} script path below the project's folder.
 * @param {readonly string[]} args
 */
export function runOnProjectNode(script, args) {
  const child = spawn(projectNode(), [join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    // What is compiled once is kept for every process below: without it a start takes twice as long.
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env, NODE_NO_WARNINGS: '1' },
  });
  // The terminal sends Ctrl-C to the whole group; a signal sent to us alone must be handed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
}
