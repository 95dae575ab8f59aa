const BROWSERS = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;
const CHARACTERS_MAX = 40;

/**
 * What a browser calls itself, in short: `Firefox, Windows`. It is what a browser says, not what it is.
 * @returns the beginning of the text where nothing is known in it; empty for none.
 */
export function deviceOf(userAgent: string): string {
  const found = [BROWSERS, SYSTEMS].flatMap(
    (list) => list.find(([pattern]) => pattern.test(userAgent))?.[1] ?? [],
  );
  return found.length > 0 ? found.join(', ') : userAgent.slice(0, CHARACTERS_MAX);
}
