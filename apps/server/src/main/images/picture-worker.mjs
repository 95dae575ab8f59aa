// Makes one picture anew from its pixels, in a process of its own, for the job `clean`, `mark` (with the words
// of its third argument all over it) or `probe` and as many milliseconds as its arguments say: bytes on
// standard input, and on standard output the width and height (32 bits each, big-endian) and a JPEG.
// Exit code 3: not a picture that is taken. 4: sharp does not load.
import { readFileSync, writeSync } from 'node:fs';
import { markTile } from './picture-mark.mjs';

/** Above what a camera makes and below what fills the memory. */
const PIXELS_MAX = 40_000_000;
const SIDE_MIN = 600;
const SIDE_MAX = 10_000;
const KEPT_SIDE_MAX = 3_000;
const NOT_TAKEN = 3;
const NOT_LOADED = 4;

async function load() {
  try {
    const { default: sharp } = await import('sharp');
    // Of all that the library can read, three formats.
    sharp.block({ operation: ['VipsForeignLoad'] });
    const readers = ['Jpeg', 'Png', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`);
    sharp.unblock({ operation: readers });
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return process.exit(NOT_LOADED);
  }
}

const READ = { limitInputPixels: PIXELS_MAX, failOn: 'warning', pages: 1 };
const JPEG = { quality: 85 };

async function clean(sharp, bytes) {
  const picture = sharp(bytes, READ);
  const { width = 0, height = 0 } = await picture.metadata();
  if (Math.min(width, height) < SIDE_MIN || Math.max(width, height) > SIDE_MAX) throw new Error('sides');
  // Turned as its metadata says, because the metadata goes; what was transparent is white.
  return picture
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .resize({ width: KEPT_SIDE_MAX, height: KEPT_SIDE_MAX, fit: 'inside', withoutEnlargement: true })
    .jpeg(JPEG)
    .toBuffer({ resolveWithObject: true });
}

/** Of a picture that was made here before. */
async function mark(sharp, bytes, words) {
  const picture = sharp(bytes, READ);
  const { width = 0, height = 0 } = await picture.metadata();
  return picture
    .composite([markTile(words, width, height)])
    .jpeg(JPEG)
    .toBuffer({ resolveWithObject: true });
}

function write(bytes) {
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

const [, , job, millisMax, words] = process.argv;
// Who started it may be gone and kills nobody. The signal, for an orderly exit waits for the work that hangs.
setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(millisMax)).unref();
const sharp = await load();
if (job === 'probe') process.exit(0);
try {
  const bytes = readFileSync(0);
  const { data, info } = await (job === 'mark' ? mark(sharp, bytes, words) : clean(sharp, bytes));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(info.width, 0);
  head.writeUInt32BE(info.height, 4);
  write(Buffer.concat([head, data]));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(NOT_TAKEN);
}
