import type { CallRequest } from '@crossbook/contract';
import type { Millis, UserId } from '@crossbook/domain';
import type { AuthenticatorTransport } from '@simplewebauthn/server';
import { keyedHash, type SecretKey } from '../keyed-hash.ts';
import type { NewPasskey, PasskeySite, StoredPasskey } from '../passkey-ports.ts';
import {
  type AnsweredChallenge,
  answeredChallenge,
  CHALLENGE_LIFE_MILLIS,
  type ChallengePurpose,
} from './passkey-challenge.ts';

/** What an authenticator answers when it proves who is there. */
export type PasskeyAnswer = CallRequest<'x/passkey/Login'>['passkey'];
/** What an authenticator answers when it has made a passkey. */
export type PasskeyMade = CallRequest<'x/passkey/Register'>['credential'];

/** EdDSA, ES256 and RS256 (COSE): what authenticators have and this Node verifies. */
const ALGORITHMS = [-8, -7, -257];

/** What an answer is held against. */
export interface PasskeyCheck {
  readonly key: SecretKey;
  readonly site: PasskeySite;
  readonly purpose: ChallengePurpose;
  readonly now: Millis;
}

/** Loaded when somebody has to do with passkeys: it takes about as long as the rest of the hub. */
const library = () => import('@simplewebauthn/server');

/** How authenticators know a member: it tells nobody anything, and is the same for all of a member's passkeys. */
export function userHandle(key: SecretKey, user: UserId): string {
  return keyedHash(key, 'passkey user', String(user));
}

/** How the authenticator of this passkey knows its member. */
export function handleOf(key: SecretKey, { handle, user }: StoredPasskey): string {
  return handle ?? userHandle(key, user);
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64url'));

/** What browsers are told of a passkey that is there. */
type NamedPasskey = Pick<StoredPasskey, 'credentialId' | 'transports'>;

function named({ credentialId, transports }: NamedPasskey) {
  // A browser passes over names of transports that it does not know.
  return { id: credentialId, transports: [...transports] as AuthenticatorTransport[] };
}

/** Options for a new passkey, as JSON: discoverable, its user verified, no attestation. */
export async function registerOptions(asked: {
  readonly site: PasskeySite;
  readonly challenge: string;
  readonly productName: string;
  /** `handle`: how authenticators know the owner; `name`: what the browser shows beside the site. */
  readonly owner: { readonly handle: string; readonly name: string; readonly nickname: string };
  readonly known: readonly NamedPasskey[];
}): Promise<string> {
  const { generateRegistrationOptions } = await library();
  const { site, challenge, productName, owner, known } = asked;
  const options = await generateRegistrationOptions({
    ...{ rpName: productName, rpID: site.rpId, challenge, timeout: CHALLENGE_LIFE_MILLIS },
    ...{ userName: owner.name, userDisplayName: owner.nickname },
    userID: bytesOf(owner.handle),
    attestationType: 'none',
    excludeCredentials: known.map(named),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return JSON.stringify(options);
}

/** Options for an answer of a passkey, as JSON. @param known the member's, where it is known who answers. */
export async function answerOptions(
  site: PasskeySite,
  challenge: string,
  known: readonly NamedPasskey[],
): Promise<string> {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    ...{ rpID: site.rpId, challenge, timeout: CHALLENGE_LIFE_MILLIS, userVerification: 'required' },
    allowCredentials: known.map(named),
  });
  return JSON.stringify(options);
}

/**
 * Reads a statement of whoever made the authenticator as little as possible: none, or one signed by the passkey itself. Others
 * name certificates, and checking those would have this server ask addresses that the answer names.
 */
async function isPlain({ response }: PasskeyMade): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(bytesOf(response.attestationObject));
  const format = decoded.get('fmt');
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
}

/** The passkey that was made to a challenge of ours; `undefined` for anything else. */
export async function madePasskey(
  made: PasskeyMade,
  { key, site, purpose, now }: PasskeyCheck,
): Promise<
  { readonly passkey: Omit<NewPasskey, 'id' | 'name'>; readonly challenge: AnsweredChallenge } | undefined
> {
  const { verifyRegistrationResponse } = await library();
  let challenge: AnsweredChallenge | undefined;
  try {
    if (!(await isPlain(made))) return undefined;
    const verdict = await verifyRegistrationResponse({
      response: {
        ...{ id: made.id, rawId: made.rawId, type: made.type, clientExtensionResults: {} },
        response: { ...made.response, transports: [] },
      },
      expectedChallenge: (given) => {
        challenge = answeredChallenge(key, given, { purpose, now });
        return challenge !== undefined;
      },
      ...{ expectedOrigin: site.origin, expectedRPID: site.rpId },
      ...{ requireUserVerification: true, supportedAlgorithmIDs: ALGORITHMS },
    });
    if (!verdict.verified || challenge === undefined) return undefined;
    const { credential, aaguid, credentialBackedUp: backedUp } = verdict.registrationInfo;
    const { id: credentialId, publicKey, counter } = credential;
    const { transports } = made.response;
    const { rpId } = site;
    return { passkey: { credentialId, publicKey, counter, transports, aaguid, rpId, backedUp }, challenge };
  } catch {
    // The library throws for whatever is wrong with what a stranger sent.
    return undefined;
  }
}

/** What a passkey has proved. */
export interface ProvedPasskey {
  readonly challenge: AnsweredChallenge;
  /** Whether it went on is for the store to say, in the statement that keeps it. */
  readonly counter: number;
  readonly backedUp: boolean;
}

/**
 * Whether a passkey has signed a challenge of ours with its user verified; `undefined` for anything else.
 * @param passkey `handle`: how its authenticator knows the owner.
 */
export async function provedPasskey(
  answer: PasskeyAnswer,
  passkey: Pick<StoredPasskey, 'credentialId' | 'publicKey'> & { readonly handle: string },
  { key, site, purpose, now }: PasskeyCheck,
): Promise<ProvedPasskey | undefined> {
  const handle = answer.response.userHandle;
  if (handle !== undefined && handle !== passkey.handle) return undefined;
  const { verifyAuthenticationResponse } = await library();
  let challenge: AnsweredChallenge | undefined;
  try {
    const { userHandle: _, ...response } = answer.response;
    const verdict = await verifyAuthenticationResponse({
      response: {
        ...{ id: answer.id, rawId: answer.rawId, type: answer.type },
        response,
        clientExtensionResults: {},
      },
      expectedChallenge: (given) => {
        challenge = answeredChallenge(key, given, { purpose, now });
        return challenge !== undefined;
      },
      ...{ expectedOrigin: site.origin, expectedRPID: site.rpId, requireUserVerification: true },
      credential: { id: passkey.credentialId, publicKey: passkey.publicKey, counter: 0 },
    });
    if (!verdict.verified || challenge === undefined) return undefined;
    const { newCounter: counter, credentialBackedUp: backedUp } = verdict.authenticationInfo;
    return { challenge, counter, backedUp };
  } catch {
    // The library throws for whatever is wrong with what a stranger sent.
    return undefined;
  }
}
