import type { Millis, UserId } from '@crossbook/domain';
import type { CallName, CallRequest, CallResponse, PublicCallName } from './calls.ts';
import type { Refusal } from './refusal.ts';

/** Who is calling, as the HTTP layer established it. Features take this and never see a request. */
export interface Caller {
  /** The peer's address, by which public calls are limited. */
  readonly address: string;
  readonly userAgent: string;
  /** The page's origin as the browser named it; empty for a program that sends none. Stream credentials are bound to it. */
  readonly origin: string;
  readonly language: 'en' | 'ja' | 'ko';
  /** Hash of the session cookie that came along, not checked: what a login in the same browser replaces. */
  readonly previousSession?: string;
  /** Hash of the device cookie that came along, not checked. */
  readonly device?: string;
  /** The call's time by the server's clock. */
  readonly now: Millis;
}

/** A logged-in caller. */
export interface MemberCaller extends Caller {
  readonly user: UserId;
  /** A demo member: no contact, no password, and nothing that needs an account of one's own. */
  readonly demo?: true;
  /** Names the session without being able to use it; stays when its cookie changes. */
  readonly sessionId: string;
}

/** A session cookie to set (login, sign-up) or to clear (log out). */
export type SessionCookie =
  | { readonly set: string; readonly maxAgeSeconds: number }
  | { readonly clear: true };

/** A cookie that names this browser from now on. */
export interface DeviceCookie {
  readonly set: string;
  readonly maxAgeSeconds: number;
}

/** What a feature answers: data, or a refusal of the catalogue. */
export type CallAnswer<Data> =
  | {
      readonly ok: true;
      readonly value: Data;
      readonly cookie?: SessionCookie;
      readonly device?: DeviceCookie;
    }
  | {
      readonly ok: false;
      readonly code: Refusal;
      /** The member whom a try of a stranger was about: for the audit log, and never answered. */
      readonly about?: UserId;
    };

/** The function behind a call. `main.ts` wires one for every name in `CALLS`. */
export type CallHandler<Name extends CallName> = (
  caller: Name extends PublicCallName ? Caller : MemberCaller,
  request: CallRequest<Name>,
) => Promise<CallAnswer<CallResponse<Name>>>;

/** A complete set of handlers. */
export type CallHandlers = { readonly [Name in CallName]: CallHandler<Name> };
