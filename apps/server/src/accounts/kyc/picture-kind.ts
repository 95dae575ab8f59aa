/** A format that a file may have, by its first bytes as Latin-1. */
interface Format {
  readonly name: string;
  readonly taken?: true;
  readonly is: (head: string) => boolean;
}

const begins =
  (...signatures: readonly string[]) =>
  (head: string): boolean =>
    signatures.some((signature) => head.startsWith(signature));

/** ISO media files name their brand after the size of the first box. */
const branded =
  (...brands: readonly string[]) =>
  (head: string): boolean =>
    head.slice(4, 8) === 'ftyp' && brands.includes(head.slice(8, 12));

const FORMATS: readonly Format[] = [
  { name: 'JPEG', taken: true, is: begins('\xff\xd8\xff') },
  { name: 'PNG', taken: true, is: begins('\x89PNG\r\n\x1a\n') },
  { name: 'WebP', taken: true, is: (head) => head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP' },
  { name: 'PDF', is: (head) => head.includes('%PDF-') },
  { name: 'AVIF', is: branded('avif', 'avis') },
  { name: 'HEIC', is: branded('heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1') },
  { name: 'GIF', is: begins('GIF87a', 'GIF89a') },
  { name: 'TIFF', is: begins('II*\0', 'II+\0', 'MM\0*', 'MM\0+') },
  { name: 'BMP', is: (head) => head.startsWith('BM') && head.slice(6, 10) === '\0\0\0\0' },
  {
    name: 'SVG',
    is: (head) => /^[^!-;=-~]*<(?:svg|[?!])/i.test(head) && head.toLowerCase().includes('<svg'),
  },
  { name: 'ZIP', is: begins('PK\x03\x04') },
];
const HEAD_BYTES = 256;

/** What a file is by its first bytes: a format that is taken, or one that is refused by name; `undefined` for the rest. */
export function pictureKind(
  bytes: Uint8Array,
): { readonly name: string; readonly taken: boolean } | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  const found = FORMATS.find(({ is }) => is(head));
  return found === undefined ? undefined : { name: found.name, taken: found.taken === true };
}
