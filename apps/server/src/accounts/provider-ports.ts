import type { Millis, UserId } from '@crossbook/domain';

/** What binds one visit at the log-in service to the browser that asked. */
export interface VisitSecrets {
  readonly state: string;
  readonly nonce: string;
  /** PKCE: only who began the visit can redeem its code. */
  readonly verifier: string;
  /** Where the service sends the browser back to, letter for letter the same at both ends. */
  readonly redirectUri: string;
}

/** What came back with the browser. */
export interface VisitAnswer {
  readonly code: string;
  readonly iss: string | undefined;
}

/** Who somebody is at the log-in service. */
export interface ProviderIdentity {
  readonly issuer: string;
  /** Names the person there, for ever; the address does not. */
  readonly subject: string;
  /** Lower-case form; absent where the service gave none that is one. */
  readonly email: string | undefined;
  readonly emailVerified: boolean;
}

/** Why the service brought nothing: it did not answer, or what it said does not hold. */
export type ProviderFault = 'unreachable' | 'failed' | 'busy';

type Answered<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly why: ProviderFault };

/** The operator's log-in service. Nothing here throws, waits without end or takes more than it has places for. */
export interface LogInProvider {
  readonly label: string;
  /** @param network of who asks; each has a part of the places. */
  visitUrl(visit: VisitSecrets, network: string): Promise<Answered<string>>;
  /** Redeems the code and checks what comes of it. */
  identify(visit: VisitSecrets, answer: VisitAnswer, network: string): Promise<Answered<ProviderIdentity>>;
}

/** Somebody from the service without an account here. */
export interface Arrival extends ProviderIdentity {
  readonly id: string;
}

/** Visits, arrivals and links. */
export interface ProviderStore {
  /** Keeps a visit; of one browser only the newest few. */
  beginVisit(visit: {
    readonly stateHash: string;
    readonly browser: string;
    readonly now: Millis;
    readonly expiresAt: Millis;
    readonly keptPerBrowser: number;
  }): Promise<void>;
  /** Uses up a visit of this browser; true once, and never for another browser. */
  endVisit(stateHash: string, browser: string, now: Millis): Promise<boolean>;
  /** Whose account a log-in opens. */
  memberOf(identity: Pick<ProviderIdentity, 'issuer' | 'subject'>): Promise<UserId | undefined>;
  /** Since when a member has a link with a service. */
  linkedAt(user: UserId): Promise<Millis | undefined>;
  keepArrival(arrival: Arrival & { readonly browser: string; readonly expiresAt: Millis }): Promise<void>;
  /** An arrival of this browser that is not used. */
  arrival(id: string, browser: string, now: Millis): Promise<Arrival | undefined>;
}
