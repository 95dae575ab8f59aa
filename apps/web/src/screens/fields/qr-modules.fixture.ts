import { encode } from 'uqr';

/** The dark modules of a text's QR code without a border, row by row: `#` and `.`. */
export function modulesOfText(text: string): readonly string[] {
  return encode(text, { border: 0, ecc: 'M' }).data.map((row) =>
    row.map((isDark) => (isDark ? '#' : '.')).join(''),
  );
}

/** What the path of a drawn code fills, cut to its edges, in the same form. */
export function modulesOfPath(path: string): readonly string[] {
  const filled = [...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => ({
    x: Number(x),
    y: Number(y),
  }));
  const left = Math.min(...filled.map(({ x }) => x));
  const top = Math.min(...filled.map(({ y }) => y));
  const size = Math.max(...filled.map(({ x }) => x)) - left + 1;
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => '.'));
  for (const { x, y } of filled) (rows[y - top] ?? [])[x - left] = '#';
  return rows.map((row) => row.join(''));
}
