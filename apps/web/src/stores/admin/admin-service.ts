import type { AdminCallName, AdminInput, AdminResponse } from '@crossbook/contract';
import { createStore } from 'zustand/vanilla';
import { type MessageId, text } from '../../i18n/i18n.ts';
import {
  type ApiSurroundings,
  type CallOptions,
  type CallResult,
  createApiClient,
} from '../../wire/api-client.ts';
import { createFileCall } from '../../wire/file-client.ts';
import { queryClient } from '../app/query-client.ts';
import { settingsStore } from '../app/settings.ts';

/** Who is logged in to the back office, as its own call answers. */
export type AdminSelf = AdminResponse<'x/admin/Me'>;

/** The session of the back office in this tab; a member's session is another thing. */
export interface AdminSession {
  readonly token: string | undefined;
  readonly self: AdminSelf | undefined;
  /** Ended by the hub, not by the admin: after a quarter of an hour of nothing, five wrong codes, or another's word. */
  readonly isOver: boolean;
}

const TOKEN_KEY = 'admin token';

function storedToken(): string | undefined {
  try {
    return sessionStorage.getItem(TOKEN_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

function storeToken(token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(TOKEN_KEY);
    else sessionStorage.setItem(TOKEN_KEY, token);
  } catch {
    // Without storage the session lasts as long as the page.
  }
}

/** The session of this tab. */
export const adminSession = createStore<AdminSession>(() => ({
  ...{ token: storedToken(), self: undefined, isOver: false },
}));

/** The first word of every key: whatever was changed makes all lists be read again. */
export const ADMIN_KEY = 'admin';

function endSession(isOver: boolean): void {
  storeToken(undefined);
  adminSession.setState({ token: undefined, self: undefined, isOver });
  // The next admin of this tab sees nothing of what this one has read.
  queryClient.removeQueries({ queryKey: [ADMIN_KEY] });
}

const surroundings: ApiSurroundings = {
  fetch: (input, init) => fetch(input, init),
  base: () => '',
  tenant: () => '',
  language: () => settingsStore.getState().language,
  token: () => adminSession.getState().token,
  onTokenInvalid: () => {
    // Who comes without one has lost none.
    if (adminSession.getState().token !== undefined) endSession(true);
  },
  onRefusal: () => undefined,
};
const client = createApiClient(surroundings);
const fileCall = createFileCall(surroundings);

/** A typed call of the back office. Never throws; whoever calls shows what was refused. */
export type AdminCall = <Name extends AdminCallName>(
  name: Name,
  input: AdminInput<Name>,
  options?: CallOptions,
) => Promise<CallResult<AdminResponse<Name>>>;

// Another inventory with the same envelope: the client itself knows no names.
/** Calls the back office by name. */
export const adminCall = client as unknown as AdminCall;

/** What went wrong, in words; `undefined` for an answer that is none of that. */
export function problemOf(answer: CallResult<unknown>): string | undefined {
  if (answer.ok) return undefined;
  return answer.kind === 'refused' ? answer.message : text('common.noAnswer');
}

/** Reads who is logged in; a failure leaves what was known. */
export async function readSelf(): Promise<CallResult<AdminSelf>> {
  const answer = await adminCall('x/admin/Me', {});
  if (answer.ok) adminSession.setState({ self: answer.data });
  return answer;
}

/** Begins a session with the token of a log-in. */
export async function beginAdminSession(token: string): Promise<void> {
  storeToken(token);
  adminSession.setState({ token, self: undefined });
  await readSelf();
}

/** Logs out, here in any case. */
export async function endAdminSession(): Promise<void> {
  await adminCall('x/admin/LogOut', {});
  endSession(false);
}

/** Answers what a query wants, and throws what it shows as failed. */
export async function readOf<Data>(answer: Promise<CallResult<Data>>): Promise<Data> {
  const result = await answer;
  if (!result.ok) throw new Error(problemOf(result));
  return result.data;
}

/** A picture of a case; throws what its place shows instead. Every read is a look that the audit log tells of. */
export function readPicture(input: AdminInput<'x/admin/KycPicture'>): Promise<Blob> {
  return readOf(fileCall('x/admin/KycPicture', input, 'image/jpeg'));
}

/** Places of the audit log as a file. */
export function readAuditFile(input: AdminInput<'x/admin/AuditExport'>): Promise<CallResult<Blob>> {
  return fileCall('x/admin/AuditExport', input, 'application/jsonl');
}

/** What was done last, in words that stay until the next page. */
export const saidStore = createStore<{ readonly id: MessageId | undefined }>(() => ({ id: undefined }));

/** Says that something was done; `undefined` takes it away. */
export function say(id: MessageId | undefined): void {
  saidStore.setState({ id });
}
