import { readFileSync } from 'node:fs';
import { foreignWordsIn } from './glossary-words.ts';

/** What the linter cannot say: banned names and calls, with what to use instead (house style). */

/** One thing found, with where and why. */
export interface Untidiness {
  readonly file: string;
  readonly line: number;
  readonly why: string;
}

interface Ban {
  readonly pattern: RegExp;
  readonly why: string;
  /** Files the ban is for. */
  readonly where: RegExp;
  /** Files that may do it all the same. */
  readonly except?: RegExp;
}

const SOURCE = /^(packages|apps)\/.*\.tsx?$/;
const TEST = /\.(test|fuzz\.test|bench|fixture)\.tsx?$|\/testing(-setup)?\.ts$|\/conformance\//;
const COMPOSITION =
  /^apps\/server\/src\/main(\.ts|\/)|^packages\/simulator\/src\/main\.ts$|^apps\/web\/src\/main\.tsx$/;

const VENUE_FREE = /^(apps\/[^/]+\/src|packages\/(contract|ledger|domain)\/src)\/.*\.tsx?$/;
/** Where exchanges are told apart by name or number: their table, and the wiring of their connectors. May only shrink. */
export const TELLS_VENUES_APART: readonly string[] = [
  'packages/domain/src/platform.ts',
  'apps/server/src/config-venues.ts',
  'apps/server/src/main/venues/venue-connections.ts',
  'apps/web/src/wire/venue-rest.ts',
];

const BANS: readonly Ban[] = [
  {
    // Slugs, comparisons with a number or code, tables by platform, and unions of all numbers or codes.
    pattern:
      /(['"`])(?:binance|okx|bybit)\1|\bplatform(?:Type)?\)? ?[!=]==? ?[0-9]|\bRecord<Platform(?<!Partial<Record<Platform)|\{ ?1: .*\b2: .*\b3: |(?<!\| )\b(?:1 \| 2 \| 3|43 \| 41 \| 42)\b(?! \|)|\[43, 41, 42\]/,
    why: 'what differs from venue to venue is read from its profile (packages/venues)',
    where: VENUE_FREE,
    except: new RegExp(`^(?:${TELLS_VENUES_APART.join('|').replaceAll('.', '\\.')})$`),
  },
  {
    pattern: /\bDate\.now\(|\bnew Date\(\)/,
    why: 'the clock is handed in by the composition root',
    where: /^(packages|apps\/server)\/.*\.ts$/,
    except: COMPOSITION,
  },
  {
    pattern: /\bMath\.random\(/,
    why: 'randomness is handed in; money and secrets use node:crypto',
    where: SOURCE,
    except: COMPOSITION,
  },
  {
    pattern: /\bparseFloat\(/,
    why: 'use parseAmount or parseSteps: money is never a float',
    where: /^(packages\/(domain|ledger|contract)|apps\/server)\//,
  },
  {
    pattern: /\beval\(|\bnew Function\(|\b(?:setTimeout|setInterval)\((?:['"`]|text)/,
    why: 'text is never run as a program',
    where: SOURCE,
  },
  {
    pattern:
      /\b(?:dangerouslySetInnerHTML|insertAdjacentHTML|srcdoc)\b|\.(?:inner|outer)HTML\b|\bdocument\.write\(/,
    why: 'what is shown is text: React writes it, nothing is parsed as HTML',
    where: SOURCE,
  },
  {
    pattern: /(?<![.\w])exec(?:Sync)?\(|\bshell: true\b/,
    why: 'programs are started with a list of arguments, never through a shell',
    where: /^(packages|apps|scripts)\/.*\.(ts|mjs)$/,
  },
  {
    pattern: /(['"`])(?:md5|sha1|rc4|des(?:-[a-z0-9-]+)?|aes-[0-9]+-(?:ecb|cbc|ctr))\1/i,
    why: 'SHA-256 or better, and AES-GCM: it has a key of 256 bits and notices changes',
    where: SOURCE,
  },
  {
    pattern:
      /\brejectUnauthorized\b|\bcheckServerIdentity\b|NODE_TLS_REJECT_UNAUTHORIZED|\bminVersion\b|\bciphers:/,
    why: 'certificates are checked, with the protocols and ciphers of the platform',
    where: SOURCE,
    // It tries what a front ought to refuse, and sends nothing over it.
    except: /\/(?:front-check(?:\.test)?|certificates\.fixture)\.ts$/,
  },
  {
    pattern: /addEventListener\((['"`])message\1|\.postMessage\(/,
    why: 'pages do not talk to other windows',
    where: /^apps\/web\//,
  },
  {
    pattern: /\bindexedDB\b|\bdocument\.cookie\b|\bcaches\.open\(/,
    why: 'what the browser keeps goes through browser-storage.ts; sessions are cookies that scripts do not see',
    where: /^apps\/web\//,
  },
  {
    pattern: /\bon(?:Paste|paste)\b|addEventListener\((['"`])paste\1/,
    why: 'people paste what they like: passwords come from managers',
    where: /^apps\/web\//,
  },
  {
    pattern: /\bnew RegExp\(/,
    why: 'expressions are literals: no text from outside is one',
    where: /^apps\//,
  },
  { pattern: /\b(FIXME|TODO|XXX|HACK)\b/, why: 'main holds no unfinished notes', where: /./ },
  {
    pattern: /\bconsole\.(log|debug|info)\(/,
    why: 'log through the port, or not at all',
    // Failed reads of public data are logged in the browser (decision 0029).
    where: /^(?!apps\/web\/src\/stores\/market\/venue-rest\.ts)(packages|apps)\/.*\.tsx?$/,
  },
  { pattern: /\bas any\b|:\s*any\b/, why: 'parse at the door; no any', where: SOURCE },
  {
    pattern: /@ts-(ignore|nocheck|expect-error)/,
    why: 'the types are right or they are changed',
    where: SOURCE,
  },
  {
    pattern: /\b(test|describe|it)\.(only|skip)\(/,
    why: 'a test that is not run proves nothing',
    where: /\.test\.tsx?$/,
  },
];

/** Where names are ours; benches and libraries' own words are not. */
const NAMED_BY_GLOSSARY = /^(packages|apps|tests|scripts)\/.*\.(tsx?|mjs)$/;
const OTHERS_WORDS = /klinecharts|^scripts\/glossary-words/;

const BANNED_NAMES = /(^|\/)(utils?|helpers?|common|misc|handy|managers?)(\.|\/|-|$)/;

/** Judges one file by its path and text. */
export function judge(file: string, text: string): readonly Untidiness[] {
  const found: Untidiness[] = [];
  if (BANNED_NAMES.test(file))
    found.push({ file, line: 0, why: 'a junk drawer: name it after what it holds' });
  const words = NAMED_BY_GLOSSARY.test(file) && !OTHERS_WORDS.test(file);
  if (words) {
    for (const one of foreignWordsIn(file.slice(file.lastIndexOf('/') + 1)))
      found.push({ file, line: 0, why: `the glossary says ${one}` });
  }
  const bans = BANS.filter((ban) => ban.where.test(file) && !ban.except?.test(file)).filter(
    (ban) => !TEST.test(file) || ban.where.source.includes('test') || /FIXME/.test(ban.pattern.source),
  );
  text.split('\n').forEach((line, index) => {
    for (const one of words ? foreignWordsIn(withoutComment(line)) : []) {
      found.push({ file, line: index + 1, why: `the glossary says ${one}` });
    }
    for (const ban of bans) {
      if (ban.pattern.test(withoutComment(line))) found.push({ file, line: index + 1, why: ban.why });
    }
  });
  return found;
}

function withoutComment(line: string): string {
  const prose = /^\s*(\*|\/\/|\/\*)/.test(line);
  return prose && !/\b(FIXME|TODO|XXX|HACK)\b|@ts-/.test(line) ? '' : line;
}

/** Judges files on disk. */
export function judgeFiles(root: string, files: readonly string[]): readonly Untidiness[] {
  return files.flatMap((file) => judge(file, readFileSync(`${root}/${file}`, 'utf8')));
}

/** Paths that a document names in backticks, seen from the root of the project or from its own folder. */
export function namedPaths(text: string): readonly string[] {
  const inTicks = text.matchAll(/`((?:packages|apps|scripts|docs|tests|bench)\/[\w./-]+)`/g);
  return [...inTicks].map((match) => match[1] ?? '');
}

/** Where the links of a document lead, seen from its own folder; addresses elsewhere and within the page are left out. */
export function linkedPaths(text: string): readonly string[] {
  const inLinks = text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g);
  return [...inLinks].map((match) => match[1] ?? '');
}
