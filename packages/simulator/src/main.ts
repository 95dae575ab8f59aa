import { randomBytes } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { type Millis, PLATFORMS } from '@crossbook/domain';
import { parseFlags, type SimulatorFlags, USAGE } from './flags.ts';
import { type OpenedVenue, openVenues } from './open-venue.ts';
import { type SimulatorServer, serveSimulator } from './server.ts';

/** The composition root of the simulator process: the only reader of its arguments, clock, random and sockets. */

const SHUTDOWN_MILLIS_MAX = 10_000;
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Ends the process with one clear sentence. */
function fail(sentence: string, code: number): never {
  say(`simulator: ${sentence}`);
  process.exit(code);
}

function clock(): Millis {
  return Date.now() as Millis;
}

function every(millis: number, work: () => void): () => void {
  const timer = setInterval(work, millis);
  return () => clearInterval(timer);
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Letters and digits; bytes that would favour some letters are thrown away. */
function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += LETTERS[byte % LETTERS.length];
    }
  }
  return text;
}

async function openAll(flags: SimulatorFlags): Promise<readonly OpenedVenue[]> {
  const opened = await openVenues(
    PLATFORMS.map(({ slug }) => slug),
    {
      seed: flags.seed,
      clock,
      every,
      randomBytes: (size) => randomBytes(size),
      onFault: (fault, fatal) => {
        if (fatal) fail(`the journal cannot be written: ${String(fault)}`, 70);
        say(`simulator: ${String(fault)}`);
      },
      ...(flags.data === undefined ? {} : { data: flags.data }),
      ...(flags.replay === undefined ? {} : { replay: flags.replay }),
    },
  );
  if (!opened.ok) fail(opened.code, 1);
  return opened.value;
}

async function serve(flags: SimulatorFlags, venues: readonly OpenedVenue[]): Promise<SimulatorServer> {
  return await serveSimulator({
    venues,
    port: flags.port,
    // Whoever starts us again after a crash keeps the address he knows.
    adminToken: process.env.SIM_ADMIN_TOKEN ?? randomText(32),
    randomText,
    limited: flags.limits,
    onFault: (fault) => say(`simulator: ${String(fault)}`),
  });
}

async function closeAll(venues: readonly OpenedVenue[]): Promise<void> {
  await Promise.all(venues.map((venue) => venue.close()));
}

/** Ends in order on a signal, or when the starter is gone; a second signal ends at once. */
function endOn(flags: SimulatorFlags, close: () => Promise<void>): void {
  let ending = false;
  const end = (why: string): void => {
    if (ending) process.exit(130);
    ending = true;
    say(`simulator: ending (${why})`);
    setTimeout(() => fail('could not end in time', 1), SHUTDOWN_MILLIS_MAX).unref();
    close().then(
      () => process.exit(0),
      (fault: unknown) => fail(String(fault), 1),
    );
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  if (!flags.supervised) return;
  process.once('disconnect', () => end('the starter is gone'));
  process.stdin.once('end', () => end('the starter is gone'));
  process.stdin.once('error', () => end('the starter is gone'));
  process.stdin.resume();
}

function portRefusal(fault: unknown, port: number): string {
  const code = (fault as { code?: string }).code;
  if (code === 'EADDRINUSE') return `port ${port} is taken; choose another with --port`;
  if (code === 'EACCES') return `port ${port} may not be used by this user; choose another with --port`;
  return String(fault);
}

async function main(): Promise<void> {
  const flags = parseFlags(process.argv.slice(2), process.env);
  if (!flags.ok) fail(`${flags.code}\n${USAGE}`, 2);
  const startedAt = performance.now();
  say('simulator: opening the markets');
  const venues = await openAll(flags.value).catch((fault: unknown) => fail(String(fault), 1));
  const server = await serve(flags.value, venues).catch(async (fault: unknown) => {
    await closeAll(venues);
    return fail(portRefusal(fault, flags.value.port), 1);
  });
  endOn(flags.value, async () => {
    await server.close();
    await closeAll(venues);
  });
  say(`simulator: ready after ${Math.round(performance.now() - startedAt)} ms`);
  process.stdout.write(`${JSON.stringify({ url: server.url, admin: server.admin })}\n`);
  // Now rather than at the end: a killed process would leave the next one to compile everything again.
  flushCompileCache();
}

await main();
