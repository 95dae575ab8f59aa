import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSafeLink, readMarkdown, spansOf } from './markdown.ts';

const text = (words: string) => ({ kind: 'text', text: words });

describe('a text of the hub', () => {
  test('is paragraphs, headings and lists', () => {
    const blocks = readMarkdown('One\ntwo.\n\n## Head\n- a\n- b\n1. c\nrest\n#### Deep');
    expect(blocks).toEqual([
      { kind: 'paragraph', spans: [text('One two.')] },
      { kind: 'heading', level: 2, spans: [text('Head')] },
      { kind: 'list', ordered: false, items: [[text('a')], [text('b')]] },
      { kind: 'list', ordered: true, items: [[text('c')]] },
      { kind: 'paragraph', spans: [text('rest')] },
      { kind: 'heading', level: 4, spans: [text('Deep')] },
    ]);
  });

  test('has bold words and links in its lines', () => {
    expect(spansOf('see **this** and [that](/market?x=1#y), [out](https://example.org/a)')).toEqual([
      ...[text('see '), { kind: 'strong', text: 'this' }, text(' and ')],
      { kind: 'link', text: 'that', href: '/market?x=1#y' },
      ...[text(', '), { kind: 'link', text: 'out', href: 'https://example.org/a' }],
    ]);
  });

  test.each([
    ['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x', 'vbscript:x', '//evil.example'],
    [
      '/\\evil.example',
      'http://example.org',
      'https://user@evil.example',
      'https:evil',
      '\\\\evil',
      'market',
    ],
  ])('never links to %s and its like: it stays words', (...hostile) => {
    for (const href of hostile) {
      expect(isSafeLink(href), href).toBe(false);
      expect(spansOf(`[x](${href})`)).toEqual([text(`[x](${href})`)]);
    }
  });

  test('keeps HTML as words', () => {
    expect(readMarkdown('<script>x</script>')).toEqual([
      { kind: 'paragraph', spans: [text('<script>x</script>')] },
    ]);
  });

  test('loses no word, whatever is written', () => {
    const line = fc.constantFrom(
      ...['', '## a', '- b', '1. c', '**d**', '[e](/f)', '[g](bad:h)', 'i *j', '#'],
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const words = (all: string) => all.replace(/\W/g, '');
        const shown = readMarkdown(lines.join('\n')).flatMap((block) =>
          (block.kind === 'list' ? block.items.flat() : block.spans).map((span) => span.text),
        );
        const expected = lines.join('\n').replace(/\(\/f\)|1\. /g, '');
        expect(words(shown.join(''))).toBe(words(expected));
      }),
    );
  });
});
