/** A run of words. A link leads to an own path (`/support`) or an https address, never anywhere else. */
export type Span =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'strong'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

/** A part of a text. There is no HTML and there are no images. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 2 | 3 | 4; readonly spans: readonly Span[] }
  | { readonly kind: 'paragraph'; readonly spans: readonly Span[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Span[])[] };

const SPAN = /\*\*([^*\n]+)\*\*|\[([^\]\n]+)\]\(([^()\s]+)\)/g;
/** A second slash, or a backslash, would leave this origin. */
const OWN_PATH = /^\/(?![/\\])[\w\-./?=&#%~]*$/;
const ELSEWHERE = /^https:\/\/[a-z0-9.-]+(:[0-9]+)?(\/[^\s"'<>\\]*)?$/i;

/** Whether a text may link there. */
export function isSafeLink(href: string): boolean {
  return OWN_PATH.test(href) || ELSEWHERE.test(href);
}

/** What a line says: `**bold**` and `[links](/to)`; everything else, HTML too, is words. */
export function spansOf(line: string): readonly Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const match of line.matchAll(SPAN)) {
    const [whole, strong, text, href = ''] = match;
    if (strong === undefined && !isSafeLink(href)) continue;
    if (match.index > from) spans.push({ kind: 'text', text: line.slice(from, match.index) });
    if (strong !== undefined) spans.push({ kind: 'strong', text: strong });
    else spans.push({ kind: 'link', text: text ?? '', href });
    from = match.index + whole.length;
  }
  if (from < line.length) spans.push({ kind: 'text', text: line.slice(from) });
  return spans;
}

const HEADING = /^(#{2,4}) +(\S.*)$/;
const BULLET = /^- +(\S.*)$/;
const NUMBERED = /^[0-9]{1,3}\. +(\S.*)$/;

/** The kind of a line, and what stands in it; a line of words has none. */
function markOf(line: string): { readonly mark: string; readonly rest: string } | undefined {
  const heading = HEADING.exec(line);
  if (heading !== null) return { mark: heading[1] ?? '', rest: heading[2] ?? '' };
  const bullet = BULLET.exec(line);
  if (bullet !== null) return { mark: '-', rest: bullet[1] ?? '' };
  const numbered = NUMBERED.exec(line);
  return numbered === null ? undefined : { mark: '1', rest: numbered[1] ?? '' };
}

/** Reads a text of the hub: paragraphs, headings of three levels, lists. Whatever is written, something readable comes out. */
export function readMarkdown(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let words: string[] = [];
  let list: { readonly ordered: boolean; readonly items: (readonly Span[])[] } | undefined;
  const close = (): void => {
    if (words.length > 0) blocks.push({ kind: 'paragraph', spans: spansOf(words.join(' ')) });
    if (list !== undefined) blocks.push({ kind: 'list', ...list });
    words = [];
    list = undefined;
  };
  for (const line of text.split(/\r?\n/).map((part) => part.trim())) {
    const marked = markOf(line);
    if (line === '' || marked?.mark.startsWith('#') === true) close();
    if (line === '') continue;
    if (marked === undefined) {
      if (list !== undefined) close();
      words.push(line);
    } else if (marked.mark.startsWith('#')) {
      blocks.push({ kind: 'heading', level: marked.mark.length as 2 | 3 | 4, spans: spansOf(marked.rest) });
    } else {
      const ordered = marked.mark === '1';
      if (words.length > 0 || list?.ordered !== ordered) close();
      list ??= { ordered, items: [] };
      list.items.push(spansOf(marked.rest));
    }
  }
  close();
  return blocks;
}
