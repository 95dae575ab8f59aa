import { type Replay, replay } from './recording/replay.ts';

/**
 * `npm run recording -- FILE...`: builds the order books of recorded exchange sessions with the product's own
 * connectors and prints one JSON line per venue, market and instrument. Remarks go to the error output.
 */

const USAGE = `npm run recording -- FILE...

Reads recordings of hftbacktest (.gz: "<local ns> <json>") and of cryptofeed (.jsonl, .jsonl.zst), builds the books with
the product's own connectors and prints one JSON line per venue, market and instrument.`;

async function replayed(file: string): Promise<Replay | undefined> {
  try {
    return await replay(file);
  } catch (error) {
    process.stderr.write(`${file}: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}

const files = process.argv.slice(2);
if (files.length === 0 || files.includes('--help')) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = files.length === 0 ? 2 : 0;
}
for (const file of files.includes('--help') ? [] : files) {
  const result = await replayed(file);
  for (const report of result?.reports ?? []) process.stdout.write(`${JSON.stringify(report)}\n`);
  if (result === undefined || result.reports.length === 0) process.exitCode = 1;
  if (result?.reports.length === 0) process.stderr.write(`${file}: no book of a known venue in it\n`);
  if (result !== undefined && result.unreadable > 0) {
    process.stderr.write(`${file}: ${result.unreadable} of ${result.lines} lines unreadable\n`);
  }
}
