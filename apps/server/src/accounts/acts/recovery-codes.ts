import { base32 } from '../factors/totp.ts';
import type { RandomBytes } from '../ports.ts';
import type { Effect } from '../security-ports.ts';
import { recoveryHash } from './second-factor.ts';

const RECOVERY_CODES = 10;
/** 120 bits: a plain hash of it is as good as none to guess. */
const RECOVERY_BYTES = 15;

/** Ten new codes, each of which serves once in place of a second factor that is lost. */
export function drawRecoveryCodes(random: RandomBytes): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => base32(random(RECOVERY_BYTES)));
}

/** `ABCD-EFGH-...`: easier to read and to type. */
export function groupedCode(code: string): string {
  return (code.match(/.{1,4}/g) ?? []).join('-');
}

/** The codes in place of those before. */
export function recoveryCodesEffect(codes: readonly string[]): Effect {
  return { kind: 'recovery-codes', hashes: codes.map(recoveryHash) };
}
