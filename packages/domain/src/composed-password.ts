/**
 * A password with its accents and syllables composed (Unicode NFC). Rules and lists judge it in this form, and hashes of before
 * decision 0110 are of it; no other password is compared or hashed in any form but the one that came.
 */
export function composedPassword(typed: string): string {
  return typed.normalize('NFC');
}
