import type { CallAnswer, Caller, CallResponse, DeviceCookie } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { networkOf } from '../budgets.ts';
import type { SignInDeps } from '../flows/sign-in.ts';
import { keyedHash, type SecretKey, sha256Hex } from '../keyed-hash.ts';
import { type Refused, refusal } from '../ports.ts';
import type {
  LogInProvider,
  ProviderFault,
  ProviderIdentity,
  ProviderStore,
  VisitSecrets,
} from '../provider-ports.ts';

/** What logging in with another service needs. */
export interface ProviderDeps extends SignInDeps {
  readonly providers: ProviderStore;
  /** Absent: the operator has set none. */
  readonly provider: LogInProvider | undefined;
}

/** Who was sent there must be back within this time. */
export const VISIT_LIFE_MILLIS = 10 * 60_000;
/** Tabs of one browser that may be there at once; one more, and the oldest begins anew. */
export const VISITS_PER_BROWSER_MAX = 5;
/** The page that takes the answer. */
const LANDING_PATH = '/oauth';

/** What one visit is made of: without our key nobody finds nonce or verifier, so that neither is stored. */
function secretsOf(key: SecretKey, state: string, redirectUri: string): VisitSecrets {
  const part = (name: string): string => keyedHash(key, 'provider', name, state);
  return { state, nonce: part('nonce'), verifier: part('verifier'), redirectUri };
}

function redirectUriOf(deps: ProviderDeps, caller: Caller): string {
  return `${deps.linkBase(caller.origin)}${LANDING_PATH}`;
}

/** What is told of a service that did not confirm anybody. */
function faultRefusal(provider: LogInProvider, why: ProviderFault): Refused {
  if (why === 'busy') return refusal({ error: 'busy' });
  const error = why === 'unreachable' ? 'provider-unreachable' : 'provider-failed';
  return refusal({ error, given: provider.label });
}

/** The browser that asks. One without a cookie gets one: a network is not enough to bind a log-in to. */
async function browserOf(
  deps: ProviderDeps,
  caller: Caller,
): Promise<{ readonly id: string; readonly cookie?: DeviceCookie }> {
  const known = await deps.devices.of(caller);
  if (known !== undefined) return { id: known };
  const { cookie, record } = await deps.devices.renew(caller, { trust: false });
  return { id: record.id, cookie };
}

/** x/oauth/Start: what sends a browser to the log-in service, and alone can make use of its answer. */
export async function startVisit(
  deps: ProviderDeps,
  caller: Caller,
): Promise<CallAnswer<CallResponse<'x/oauth/Start'>>> {
  const { provider } = deps;
  if (provider === undefined) return refusal({ error: 'provider-off' });
  const own = await deps.devices.own(caller);
  const limited = await (own === undefined
    ? deps.budgets.take('visitsPerAddress', { address: caller.address }, caller.now)
    : deps.budgets.take('visitsPerDevice', { ...caller, device: own }, caller.now));
  if (limited !== undefined) return limited;
  const state = Buffer.from(deps.random(32)).toString('base64url');
  const secrets = secretsOf(deps.key, state, redirectUriOf(deps, caller));
  const url = await provider.visitUrl(secrets, networkOf(caller.address));
  if (!url.ok) return faultRefusal(provider, url.why);
  const { id, cookie } = await browserOf(deps, caller);
  await deps.providers.beginVisit({
    ...{ stateHash: sha256Hex(state), browser: id, now: caller.now },
    ...{
      expiresAt: (caller.now + VISIT_LIFE_MILLIS) as Millis,
      keptPerBrowser: VISITS_PER_BROWSER_MAX,
    },
  });
  return { ok: true, value: { url: url.value }, ...(cookie === undefined ? {} : { device: cookie }) };
}

/** Somebody whom the service has confirmed, in the browser that was sent there. */
interface Confirmed {
  readonly ok: true;
  readonly identity: ProviderIdentity;
  readonly browser: string;
}

/**
 * Takes what came back. The visit is used up before the service is asked, so that a code is redeemed once; an answer
 * brought by another browser than the one that asked is nobody's.
 */
export async function confirmedBy(
  deps: ProviderDeps,
  caller: Caller,
  given: { readonly code: string; readonly state: string; readonly iss?: string | undefined },
): Promise<Confirmed | Refused> {
  const { provider } = deps;
  if (provider === undefined) return refusal({ error: 'provider-off' });
  const browser = await deps.devices.of(caller);
  const isOurs =
    browser !== undefined && (await deps.providers.endVisit(sha256Hex(given.state), browser, caller.now));
  if (!isOurs) return refusal({ error: 'flow-invalid' });
  const secrets = secretsOf(deps.key, given.state, redirectUriOf(deps, caller));
  const answer = { code: given.code, iss: given.iss };
  const identified = await provider.identify(secrets, answer, networkOf(caller.address));
  if (!identified.ok) return faultRefusal(provider, identified.why);
  return { ok: true, identity: identified.value, browser };
}
