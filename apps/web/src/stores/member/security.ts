import type { CallResponse } from '@crossbook/contract';
import { queryClient } from '../app/query-client.ts';
import { call } from './own-service.ts';

/** Everything about the member's security that may be shown. */
export type MemberSecurity = CallResponse<'security/userinfonew'>;
/** A session of the member. */
export type MemberSession = CallResponse<'x/account/Sessions'>[number];
/** A browser that is trusted. */
export type MemberDevice = CallResponse<'x/account/Devices'>[number];
/** A page of log-ins. */
export type LogInPage = CallResponse<'x/account/LoginHistory'>;

const ROWS = 20;

/** Under this name all reads of this file are kept, so that one act makes them all read again. */
export const SECURITY_KEY = 'security';

/** What was shown is old now: something about the account was changed. */
export function securityChanged(): void {
  void queryClient.invalidateQueries({ queryKey: [SECURITY_KEY] });
}

/** Rejects when there was no usable answer, so that the query shows its error state; the others here too. */
export async function readSecurity(): Promise<MemberSecurity> {
  const answer = await call('security/userinfonew', {}, { quiet: true });
  if (!answer.ok) throw new Error('the security of the account was not answered');
  return answer.data;
}

/** Where the member is logged in now. */
export async function readSessions(): Promise<readonly MemberSession[]> {
  const answer = await call('x/account/Sessions', {}, { quiet: true });
  if (!answer.ok) throw new Error('the sessions were not answered');
  return answer.data;
}

/** Browsers that are asked for no mailed code. */
export async function readDevices(): Promise<readonly MemberDevice[]> {
  const answer = await call('x/account/Devices', {}, { quiet: true });
  if (!answer.ok) throw new Error('the browsers were not answered');
  return answer.data;
}

/** Log-ins of the last 30 days, newest first. */
export async function readLogIns(cursor: string | undefined): Promise<LogInPage> {
  const input = { limit: ROWS, ...(cursor === undefined ? {} : { cursor }) };
  const answer = await call('x/account/LoginHistory', input, { quiet: true });
  if (!answer.ok) throw new Error('the log-ins were not answered');
  return answer.data;
}
