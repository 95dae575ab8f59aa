/** What was made of an authenticator's answer, or why there is none. */
export type CeremonyOutcome =
  | { readonly passkey: string }
  | { readonly wrong: 'known' | 'cancelled' | 'failed' };

/** Why this page cannot have passkeys: browsers make none for a host that is a number, and old ones none at all. */
export function passkeyObstacle(): 'host' | 'browser' | undefined {
  if (/^\[|^[\d.]+$/.test(window.location.hostname)) return 'host';
  return window.PublicKeyCredential === undefined ? 'browser' : undefined;
}

/** Read when somebody uses a passkey, and not before. */
const library = () => import('@simplewebauthn/browser');

/** What browsers call it when somebody closed their dialog or did nothing. */
const CANCELLED: readonly string[] = ['NotAllowedError', 'AbortError'];

async function outcomeOf(ceremony: () => Promise<object>): Promise<CeremonyOutcome> {
  try {
    return { passkey: JSON.stringify(await ceremony()) };
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'InvalidStateError') return { wrong: 'known' };
    return { wrong: CANCELLED.includes(name) ? 'cancelled' : 'failed' };
  }
}

/** Has the browser ask for a passkey. @param options as the hub answered them. */
export function answerPasskey(options: string): Promise<CeremonyOutcome> {
  return outcomeOf(async () => (await library()).startAuthentication({ optionsJSON: JSON.parse(options) }));
}

/** Has the browser make a passkey. @param options as the hub answered them; they serve for five minutes. */
export function createPasskey(options: string): Promise<CeremonyOutcome> {
  return outcomeOf(async () => (await library()).startRegistration({ optionsJSON: JSON.parse(options) }));
}
