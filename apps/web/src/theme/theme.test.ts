import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const theme = readFileSync(new URL('theme.css', import.meta.url), 'utf8');
const source = fileURLToPath(new URL('../', import.meta.url));
const names = (pattern: RegExp): ReadonlySet<string> =>
  new Set([...theme.matchAll(pattern)].map(([, name = '']) => name));

test('every colour of the theme that a class names has its classes: one without them is silently not drawn', () => {
  const classes = names(/^\s+--color-([\w-]+):/gm);
  const colours = names(/^\s+--(?!color-)([a-z][\w-]*): #/gm);
  expect(colours.size).toBeGreaterThan(20);
  const used = globSync('**/*.{ts,tsx}', { cwd: source }).flatMap((file) =>
    [
      ...readFileSync(`${source}${file}`, 'utf8').matchAll(
        /[\s:'"`](?:border(?:-[trblxy])?|bg|text|fill|stroke|outline|accent)-([a-z][a-z-]*)/g,
      ),
    ].map(([, name = '']) => ({ file, name })),
  );
  expect(used.length).toBeGreaterThan(500);
  expect(used.filter(({ name }) => colours.has(name) && !classes.has(name))).toEqual([]);
});
