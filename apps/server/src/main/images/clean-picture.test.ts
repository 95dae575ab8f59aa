import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Millis } from '@crossbook/domain';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { attacks } from '../../../../../tests/attack-sizes.ts';
import { png } from '../../accounts/kyc/pictures.fixture.ts';
import { cleanPictures, markPictures, picturesFault } from './clean-picture.ts';

const clean = cleanPictures();
const BOUNDS = { jobMillisMax: 60_000, jobsMax: 2, waitingMax: 2 };

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

async function jpegOf(bytes: Uint8Array): Promise<Uint8Array> {
  const made = await clean(bytes);
  if (!made.ok) throw new Error(made.code);
  return made.value.jpeg;
}

describe('a picture that is made anew', () => {
  test('is a JPEG of its pixels, at most 3000 to a side, without anything that was beside them', async () => {
    const made = await clean(png(700, 600, 'where I live'));
    expect(made).toMatchObject({ ok: true, value: { width: 700, height: 600 } });
    const jpeg = await jpegOf(png(700, 600, 'where I live'));
    expect(text(jpeg.subarray(0, 3))).toBe('\xff\xd8\xff');
    expect(text(jpeg)).not.toMatch(/where I live|Exif|http:/);
    expect(await clean(png(6_000, 1_000))).toMatchObject({ ok: true, value: { width: 3_000, height: 500 } });
  });

  test('loses what a camera wrote into it, and what hides behind its end', async () => {
    const jpeg = await jpegOf(png(700, 600));
    const exif = Buffer.from('Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0 GPS 35.68', 'latin1');
    const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
    const script = Buffer.from('<script>alert(1)</script>%PDF-1.7');
    const dressed = Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2), script]);
    expect(text(await jpegOf(dressed))).not.toMatch(/GPS|script|PDF/);
  });

  const good = png(700, 600);
  test.each([
    ['nothing', new Uint8Array(0)],
    ['noise', new Uint8Array(5_000).fill(7)],
    ['the head of a PNG alone', good.subarray(0, 60)],
    ['a PNG that ends early', good.subarray(0, good.length - 20)],
    ['a PNG whose pixels were changed', good.with(good.length - 25, 0xff)],
    ['sides below 600', png(599, 700)],
    ['sides above 10000', png(10_001, 700)],
    ['more than 40 million pixels', png(9_000, 9_000)],
    ['a bomb of 4 billion pixels in a few kilobytes', bomb()],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="800" height="700"/>')],
    ['a GIF', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
    ['an SVG that names a file of ours', Buffer.from('<svg><image href="file:///etc/passwd"/></svg>')],
  ])('%s is refused', async (_name, bytes) => {
    expect(await clean(bytes)).toEqual({ ok: false, code: 'unreadable' });
  });
});

describe('a mark', () => {
  const mark = markPictures();
  const NOW = 1_760_000_000_000 as Millis;
  /** Of 3,000 by 180 and 180 by 3,000 pixels the first and the last, the narrowest that are kept. */
  const SIDES = [
    [10_000, 600],
    [700, 600],
    [600, 10_000],
  ] as const;

  async function lights(jpeg: Uint8Array): Promise<string> {
    return (await sharp(jpeg).greyscale().raw().toBuffer()).toString('latin1');
  }

  async function marked(jpeg: Uint8Array, by: string, now: Millis = NOW): Promise<Uint8Array> {
    const made = await mark(jpeg, by, now);
    if (!made.ok) throw new Error(made.code);
    return made.value;
  }

  test.each(SIDES)('on %i by %i pixels says who and which second, and leaves most of them', async (x, y) => {
    const clean = await jpegOf(png(x, y));
    const said = [
      await marked(clean, 'admin 1'),
      await marked(clean, 'admin 2'),
      await marked(clean, 'admin 1', (NOW + 1_000) as Millis),
    ];
    const [plain = '', ...all] = await Promise.all([clean, ...said].map(lights));
    expect(new Set([plain, ...all]).size).toBe(4);
    // The same words make the same pixels.
    expect(await lights(await marked(clean, 'admin 1', (NOW + 999) as Millis))).toBe(all[0]);
    for (const one of all) {
      const changed = [...one].filter((light, at) => light !== plain[at]).length / plain.length;
      expect(one).toHaveLength(plain.length);
      expect(changed).toBeGreaterThan(0.02);
      expect(changed).toBeLessThan(0.5);
    }
  });

  test.each([
    ['words that it has no letters for', () => mark(png(700, 600), 'admin ü', NOW), 'unreadable'],
    ['what is no picture', () => mark(new Uint8Array(9), 'admin 1', NOW), 'unreadable'],
    [
      'a process that hangs',
      () =>
        markPictures({ ...BOUNDS, jobMillisMax: 500 }, { script: ['-e', 'setInterval(() => {}, 1000)'] })(
          png(700, 600),
          'admin 1',
          NOW,
        ),
      'unreadable',
    ],
    [
      'a machine without the library',
      () => markPictures(BOUNDS, { script: ['-e', 'process.exit(4)'] })(png(700, 600), 'admin 1', NOW),
      'away',
    ],
  ])('of %s is no picture', async (_name, made, code) => {
    expect(await made()).toEqual({ ok: false, code });
  });
});

const SECRET = 'WHERE-I-LIVE-35.68';

/** A piece of a JPEG: its marker, its length, what it holds. */
function segment(marker: number, data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255]), data]);
}

/** What hangs on to pictures: Exif, XMP, colours, comments, Photoshop, and what other programs take for theirs behind the end. */
const LADEN: readonly ((jpeg: Buffer) => Uint8Array)[] = [
  ...[
    [0xe1, 'Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0'],
    [0xe1, 'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>'],
    [0xe2, 'ICC_PROFILE\0\x01\x01'],
    [0xed, 'Photoshop 3.0\x008BIM'],
    [0xfe, ''],
    [0xef, 'thing'],
  ].map(
    ([marker, head]) =>
      (jpeg: Buffer) =>
        Buffer.concat([
          jpeg.subarray(0, 2),
          segment(marker as number, Buffer.from(`${head}${SECRET}`, 'latin1')),
          jpeg.subarray(2),
        ]),
  ),
  ...[
    '<script>',
    '%PDF-1.7 ',
    'PK\x03\x04',
    '<?php ',
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '\x7fELF',
  ].map((head) => (jpeg: Buffer) => Buffer.concat([jpeg, Buffer.from(head + SECRET, 'latin1')])),
  () => png(700, 600, SECRET),
];

/** Markers of a JPEG that are of its pixels: frame, tables, scan, and the head that says it is one. */
const OF_PIXELS = new Set([0xe0, 0xdb, 0xc0, 0xc1, 0xc2, 0xc4, 0xda, 0xdd]);

/** The markers before the pixels. */
function markersOf(jpeg: Uint8Array): readonly number[] {
  const found: number[] = [];
  for (
    let at = 2;
    jpeg[at] === 0xff && found.at(-1) !== 0xda;
    at += 2 + (((jpeg[at + 2] ?? 0) << 8) | (jpeg[at + 3] ?? 0))
  )
    found.push(jpeg[at + 1] ?? 0);
  return found;
}

describe('pictures laden with other things and damaged at random places', () => {
  test('are refused or come out as pixels alone, and the next good one is read', async () => {
    const jpeg = Buffer.from(await jpegOf(png(700, 600)));
    const spoilt = fc.record({
      load: fc.constantFrom(...LADEN),
      edits: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
      cut: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 2_000 })),
    });
    let read = 0;
    await fc.assert(
      fc.asyncProperty(spoilt, async ({ load, edits, cut }) => {
        const bytes = Uint8Array.from(load(jpeg));
        for (const [at, value] of edits) bytes[at % bytes.length] = value;
        const made = await clean(bytes.subarray(0, bytes.length - cut));
        if (!made.ok) {
          expect(made.code).toBe('unreadable');
          return;
        }
        read += 1;
        expect(text(made.value.jpeg)).not.toContain(SECRET);
        expect(markersOf(made.value.jpeg).filter((marker) => !OF_PIXELS.has(marker))).toEqual([]);
        // Nothing stands behind the end.
        expect([...made.value.jpeg.subarray(-2)]).toEqual([0xff, 0xd9]);
      }),
      { numRuns: attacks(20, 300) },
    );
    expect(read).toBeGreaterThan(0);
    expect((await clean(png(700, 600))).ok).toBe(true);
  });
});

/** Says that it is 65535 pixels to a side. */
function bomb(): Uint8Array {
  const bytes = Buffer.from(png(700, 600));
  bytes.writeUInt32BE(65_535, 16);
  bytes.writeUInt32BE(65_535, 20);
  return bytes;
}

describe('a worker', () => {
  test.each([
    ['hangs', 'setInterval(() => {}, 1000)'],
    ['never reads and hangs', 'process.stdin.pause(); setInterval(() => {}, 1000)'],
    ['dies', 'process.kill(process.pid, "SIGSEGV")'],
    ['ends at once', 'process.exit(0)'],
    ['says half', 'process.stdout.write("ab")'],
    ['never stops talking', 'const b = Buffer.alloc(1e6); const f = () => process.stdout.write(b, f); f()'],
  ])('that %s is one refusal, and the next picture is read', async (_name, program) => {
    const maker = cleanPictures({ ...BOUNDS, jobMillisMax: 1_500 }, { script: ['-e', program] });
    expect(await maker(png(700, 600))).toEqual({ ok: false, code: 'unreadable' });
    expect((await clean(png(700, 600))).ok).toBe(true);
  });

  test('has none of our environment', async () => {
    const program = `process.exit(Object.keys(process.env).some((name) => name === 'PATH') ? 4 : 3)`;
    expect(await cleanPictures(BOUNDS, { script: ['-e', program] })(png(1, 1))).toEqual({
      ok: false,
      code: 'unreadable',
    });
  });

  test('is one of two; two more wait, the others are refused at once, and all that waited are served', async () => {
    const program = 'process.stdin.resume().on("end", () => process.stdout.write("12345678x"))';
    const maker = cleanPictures(BOUNDS, { script: ['-e', program] });
    const all = await Promise.all(Array.from({ length: 7 }, () => maker(png(1, 1))));
    expect(all.map((made) => (made.ok ? 'made' : made.code))).toEqual([
      ...['made', 'made', 'made', 'made', 'busy', 'busy', 'busy'],
    ]);
    expect((await maker(png(1, 1))).ok).toBe(true);
  });

  test('whose library does not load says so, and pictures are away', async () => {
    const worker = { script: ['-e', 'process.stderr.write("Cannot find package"); process.exit(4)'] };
    expect(await cleanPictures(BOUNDS, worker)(png(700, 600))).toEqual({ ok: false, code: 'away' });
    expect(await picturesFault(worker)).toMatch(/sharp does not load here.*Cannot find package/);
    expect(await picturesFault()).toBeUndefined();
  });

  test.each([
    ['is not there', '/nowhere/node'],
    ['cannot be one', '/dev/null/node'],
  ])('whose program %s means that pictures are away, and gives its place back', async (_name, program) => {
    const maker = cleanPictures({ ...BOUNDS, jobsMax: 1, waitingMax: 0 }, { program });
    for (let n = 0; n < 3; n += 1) expect(await maker(png(1, 1))).toEqual({ ok: false, code: 'away' });
    expect(await picturesFault({ program })).toMatch(/no process can be started here/);
  });

  test('that finds no file left to open means the same, and the next one is made', () => {
    const program = `
      const { openSync, closeSync } = require('node:fs');
      import(${JSON.stringify(new URL('./clean-picture.ts', import.meta.url).href)}).then(async (pictures) => {
        const maker = pictures.cleanPictures(undefined, { script: ['-e', 'process.stdout.write("12345678x")'] });
        const said = [(await maker(new Uint8Array(1))).ok];
        const open = [];
        try { for (;;) open.push(openSync('/dev/null')); } catch {}
        said.push((await maker(new Uint8Array(1))).code);
        for (const file of open) closeSync(file);
        said.push((await maker(new Uint8Array(1))).ok);
        console.log(said.join(' '));
      });`;
    const limited = ['-c', 'ulimit -n 100; exec "$0" -e "$1"', process.execPath, program];
    expect(spawnSync('/bin/sh', limited, { encoding: 'utf8' })).toMatchObject({
      stdout: 'true away true\n',
      status: 0,
    });
  });

  test('ends itself when its time is over, though nobody is left to end it', () => {
    const script = fileURLToPath(new URL('./picture-worker.mjs', import.meta.url));
    const ended = (millisMax: string) =>
      spawnSync(process.execPath, [script, 'clean', millisMax], { input: png(3_000, 3_000) });
    expect(ended('1')).toMatchObject({ status: null, signal: 'SIGKILL' });
    expect(ended('60000')).toMatchObject({ status: 0, signal: null });
  });
});
