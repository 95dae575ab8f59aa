/** Five dots to a row, seven rows to a letter: the machine may have no fonts. */
const LETTERS = {
  ' ': [0, 0, 0, 0, 0, 0, 0],
  '-': [0, 0, 0, 31, 0, 0, 0],
  ':': [0, 4, 4, 0, 4, 4, 0],
  0: [14, 17, 19, 21, 25, 17, 14],
  1: [4, 12, 4, 4, 4, 4, 14],
  2: [14, 17, 1, 2, 4, 8, 31],
  3: [31, 2, 4, 2, 1, 17, 14],
  4: [2, 6, 10, 18, 31, 2, 2],
  5: [31, 16, 30, 1, 1, 17, 14],
  6: [6, 8, 16, 30, 17, 17, 14],
  7: [31, 1, 2, 4, 8, 8, 8],
  8: [14, 17, 17, 14, 17, 17, 14],
  9: [14, 17, 17, 15, 1, 2, 12],
  A: [14, 17, 17, 31, 17, 17, 17],
  C: [14, 17, 16, 16, 16, 17, 14],
  D: [28, 18, 17, 17, 17, 18, 28],
  I: [14, 4, 4, 4, 4, 4, 14],
  M: [17, 27, 21, 21, 17, 17, 17],
  N: [17, 25, 21, 19, 17, 17, 17],
  T: [31, 4, 4, 4, 4, 4, 4],
  U: [17, 17, 17, 17, 17, 17, 14],
};
const [LETTER_WIDTH, ROWS] = [5, 7];
/** From letter to letter and from line to line, in dots. */
const [STEP, LINE] = [LETTER_WIDTH + 1, ROWS + 2];
/** Around the words, in dots. */
const [GAP_X, GAP_Y] = [18, 14];
/** As many dots a picture has at least to a side, so that one tile fits on any that is kept. */
const [DOTS_ACROSS, DOTS_DOWN] = [170, 40];
const ALPHA = 110;

/** The dots of the words, as places in dots. */
function dotsOf(lines) {
  return lines.flatMap((line, y) =>
    [...line].flatMap((letter, x) => {
      const rows = LETTERS[letter];
      // Better no picture than one whose mark lacks something.
      if (rows === undefined) throw new Error(`no letter ${letter}`);
      return rows.flatMap((bits, row) =>
        Array.from({ length: LETTER_WIDTH }, (_, dot) => dot)
          .filter((dot) => (bits >> (LETTER_WIDTH - 1 - dot)) & 1)
          .map((dot) => [x * STEP + dot, y * LINE + row]),
      );
    }),
  );
}

/**
 * The words as one tile for a picture of this size, of pixels with red, green, blue and alpha: white
 * with a black shadow, so that they stand out on any picture and leave it readable.
 */
export function markTile(words, pictureWidth, pictureHeight) {
  const lines = words.split('\n');
  const scale = Math.max(1, Math.floor(Math.min(pictureWidth / DOTS_ACROSS, pictureHeight / DOTS_DOWN)));
  const width = (Math.max(...lines.map(({ length }) => length)) * STEP + GAP_X) * scale;
  const height = (lines.length * LINE + GAP_Y) * scale;
  const pixels = Buffer.alloc(width * height * 4);
  const dots = dotsOf(lines);
  const shadow = Math.ceil(scale / 2);
  for (const [offset, shade] of [
    [shadow, 0],
    [0, 255],
  ])
    for (const [dotX, dotY] of dots)
      for (let y = 0; y < scale; y += 1)
        for (let x = 0; x < scale; x += 1) {
          const at = ((dotY * scale + y + offset) * width + dotX * scale + x + offset) * 4;
          pixels.fill(shade, at, at + 3);
          pixels[at + 3] = ALPHA;
        }
  return { input: pixels, raw: { width, height, channels: 4 }, tile: true, blend: 'over' };
}
