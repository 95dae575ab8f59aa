import { isEmail, type Millis, normaliseEmail } from '@crossbook/domain';
import * as oidc from 'openid-client';
import type {
  LogInProvider,
  ProviderFault,
  ProviderIdentity,
  VisitAnswer,
  VisitSecrets,
} from '../accounts/provider-ports.ts';
import type { LogInProviderConfig } from '../config.ts';

/** For each request to the provider, its body included; a log-in makes four at most. */
export const REQUEST_SECONDS_MAX = 4;
/** Discovery documents, key sets and tokens are some kilobytes. */
export const ANSWER_BYTES_MAX = 256 * 1024;
/** So long a discovery document serves before it is read again; the old one goes on where that fails. */
const DISCOVERY_LIFE_MILLIS = 60 * 60_000;
/** A provider that did not answer is left alone for so long, and whoever asks meanwhile is told at once. */
export const FAILURE_PAUSE_MILLIS = 10_000;
/** Callers that wait for it: a slow provider keeps few of ours waiting, and one network not all of these. */
const PLACES_MAX = 32;
const PLACES_PER_NETWORK_MAX = 8;
/** Between its clock and ours. */
const CLOCK_TOLERANCE_SECONDS = 30;
const SUBJECT_LENGTH_MAX = 255;

/** What the connection to a provider needs. */
export interface LogInProviderParts extends LogInProviderConfig {
  /** A clock that is never set. */
  readonly steady: () => Millis;
  readonly log: { warn(facts: object, event: string): void };
}

/** An answer that is larger than any that we have use for. */
class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** Reads a bounded body while the request's deadline runs; nothing is redirected. */
async function boundedFetch(url: string, options: oidc.CustomFetchOptions): Promise<Response> {
  const { body, ...rest } = options;
  const response = await fetch(url, {
    ...rest,
    redirect: 'manual',
    ...(body === undefined || body === null ? {} : { body: body as URLSearchParams }),
  } as RequestInit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new AnswerTooLarge();
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  const hasBody = ![101, 204, 205, 304].includes(status);
  return new Response(hasBody ? Buffer.concat(chunks, size) : null, { status, statusText, headers });
}

/** As the provider says it takes the secret; Basic is what the standard assumes. */
function clientAuth(secret: string): oidc.ClientAuth {
  const basic = oidc.ClientSecretBasic(secret);
  const post = oidc.ClientSecretPost(secret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported;
    return (methods === undefined || methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

async function discover(parts: LogInProviderConfig): Promise<oidc.Configuration> {
  const server = new URL(parts.issuer);
  // The configuration allows such an issuer on this machine with paper money only.
  const isPlain = server.protocol === 'http:';
  const found = await oidc.discovery(
    server,
    parts.clientId,
    { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    clientAuth(parts.clientSecret),
    {
      [oidc.customFetch]: boundedFetch,
      timeout: REQUEST_SECONDS_MAX,
      ...(isPlain ? { execute: [oidc.allowInsecureRequests] } : {}),
    },
  );
  // Else the signature of a token that came over TLS is not looked at.
  oidc.enableNonRepudiationChecks(found);
  const page = new URL(found.serverMetadata().authorization_endpoint ?? '');
  if (page.protocol !== 'https:' && !(isPlain && page.protocol === 'http:')) {
    throw new TypeError('the authorization endpoint is no page');
  }
  return found;
}

/** Whether an error means that nothing was said: no connection, no time, no body that can be read. */
function isSilence(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof AnswerTooLarge || ['TimeoutError', 'AbortError'].includes(at.name)) return true;
    if (at.message === 'fetch failed' || at.message === 'terminated') return true;
  }
  const status = (error as { readonly status?: unknown; readonly cause?: unknown }).cause;
  return status instanceof Response && status.status >= 500;
}

/** Names of what went wrong; never a code, a token or a body. */
function traceOf(error: unknown): object {
  const { name, code, cause } = error as { name?: string; code?: unknown; cause?: unknown };
  const inner = cause instanceof Error ? cause.name : undefined;
  return { name, code: typeof code === 'string' ? code : undefined, inner };
}

/** A provider's facts. */
interface Facts {
  /** Where they are known and not old. */
  fresh(): oidc.Configuration | undefined;
  /** Reads them where they are not, once for all who ask at that moment. */
  read(): Promise<oidc.Configuration | undefined>;
}

function discovered(parts: LogInProviderParts): Facts {
  const { steady, log } = parts;
  let known: { readonly facts: oidc.Configuration; readonly until: number } | undefined;
  let asking: Promise<oidc.Configuration | undefined> | undefined;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  const ask = async (): Promise<oidc.Configuration | undefined> => {
    try {
      const facts = await discover(parts);
      known = { facts, until: steady() + DISCOVERY_LIFE_MILLIS };
      return facts;
    } catch (error) {
      pausedUntil = steady() + FAILURE_PAUSE_MILLIS;
      log.warn(traceOf(error), 'the log-in provider cannot be discovered');
      return known?.facts;
    } finally {
      asking = undefined;
    }
  };
  const fresh = () => (known !== undefined && steady() < known.until ? known.facts : undefined);
  return {
    fresh,
    async read() {
      const facts = fresh();
      if (facts !== undefined) return facts;
      if (steady() < pausedUntil) return known?.facts;
      asking ??= ask();
      return asking;
    },
  };
}

/** A bounded number of requests, in all and of one network. */
function places(): <Value>(network: string, work: () => Promise<Value>) => Promise<Value | undefined> {
  const taken = new Map<string, number>();
  let all = 0;
  return async (network, work) => {
    const own = taken.get(network) ?? 0;
    if (all >= PLACES_MAX || own >= PLACES_PER_NETWORK_MAX) return undefined;
    all += 1;
    taken.set(network, own + 1);
    try {
      return await work();
    } finally {
      all -= 1;
      const left = (taken.get(network) ?? 1) - 1;
      if (left === 0) taken.delete(network);
      else taken.set(network, left);
    }
  };
}

/** The provider's page, told what this visit is bound to. */
async function visitUrlOf(
  facts: oidc.Configuration,
  { state, nonce, verifier, redirectUri }: VisitSecrets,
): Promise<string> {
  const challenge = await oidc.calculatePKCECodeChallenge(verifier);
  return oidc.buildAuthorizationUrl(facts, {
    ...{ redirect_uri: redirectUri, scope: 'openid email', state, nonce },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  }).href;
}

/** What the token says, and the provider's user info where it leaves the address out. */
async function redeem(
  facts: oidc.Configuration,
  { state, nonce, verifier, redirectUri }: VisitSecrets,
  { code, iss }: VisitAnswer,
): Promise<ProviderIdentity> {
  const url = new URL(redirectUri);
  url.search = new URLSearchParams({ code, state, ...(iss === undefined ? {} : { iss }) }).toString();
  const tokens = await oidc.authorizationCodeGrant(facts, url, {
    ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
  });
  const claims = tokens.claims();
  if (claims === undefined || claims.sub.length > SUBJECT_LENGTH_MAX || /\p{Cc}|\p{Cs}/u.test(claims.sub))
    throw new TypeError('no usable subject');
  const hasMore = claims.email === undefined && facts.serverMetadata().userinfo_endpoint !== undefined;
  const info = hasMore ? await oidc.fetchUserInfo(facts, tokens.access_token, claims.sub) : claims;
  const email = typeof info.email === 'string' ? normaliseEmail(info.email) : '';
  const isAddress = isEmail(email);
  return {
    ...{ issuer: claims.iss, subject: claims.sub, email: isAddress ? email : undefined },
    // Only the word of the standard counts: "true" in quotes is what nobody promised.
    emailVerified: isAddress && info.email_verified === true,
  };
}

/** The operator's OpenID Connect provider. Issuer, audience, signature, nonce and expiry are the library's to check. */
export function logInProvider(parts: LogInProviderParts): LogInProvider {
  const { label, log } = parts;
  const known = discovered(parts);
  const inPlace = places();
  const failed = (why: ProviderFault) => ({ ok: false as const, why });
  const asked = async <Value>(network: string, work: (facts: oidc.Configuration) => Promise<Value>) => {
    const answer = await inPlace(network, async () => {
      const facts = await known.read();
      if (facts === undefined) return failed('unreachable');
      try {
        return { ok: true as const, value: await work(facts) };
      } catch (error) {
        const why = isSilence(error) ? 'unreachable' : 'failed';
        log.warn({ ...traceOf(error), why }, 'the log-in provider confirmed nobody');
        return failed(why);
      }
    });
    return answer ?? failed('busy');
  };
  return {
    label,
    async visitUrl(visit, network) {
      // Nothing is waited for where the provider is known: no place is taken.
      const facts = known.fresh();
      if (facts !== undefined) return { ok: true, value: await visitUrlOf(facts, visit) };
      return asked(network, (read) => visitUrlOf(read, visit));
    },
    identify: (visit, answer, network) => asked(network, (facts) => redeem(facts, visit, answer)),
  };
}
