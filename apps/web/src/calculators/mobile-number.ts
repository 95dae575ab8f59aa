const E164 = /^\+[1-9][0-9]{5,14}$/;
/** Numbers there keep their leading zero abroad. */
const ZERO_STAYS = '39';

/** Whether a text is a mobile number with its country code, as it is stored and sent (ITU-T E.164). */
export function isMobile(text: string): boolean {
  return E164.test(text);
}

/** Whether a text that may be either is meant as a number rather than as an e-mail address. */
export function looksLikeMobile(text: string): boolean {
  return /^\s*\+?[\d\s().-]*\d[\d\s().-]*$/.test(text);
}

/**
 * A number as typed, with the code of its country. Spaces, hyphens, dots and brackets go, and so do the zeros that are dialled
 * only inside the country; a number that brings its own code keeps that.
 */
export function mobileOf(dial: string, typed: string): string {
  const bare = typed.replace(/[\s().-]/g, '');
  if (bare.startsWith('+')) return bare;
  return `+${dial}${dial === ZERO_STAYS ? bare : bare.replace(/^0+/, '')}`;
}
