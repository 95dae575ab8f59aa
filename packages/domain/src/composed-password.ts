/**
 * A password as it leaves a keyboard, its accents and syllables composed (Unicode NFC): two keyboards type one letter in two ways.
 * Only pages compose; the server compares what it is sent as it is.
 */
export function composedPassword(typed: string): string {
  return typed.normalize('NFC');
}
