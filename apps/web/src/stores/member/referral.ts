import type { CallResponse } from '@crossbook/contract';
import { call } from './own-service.ts';

/** A page of the member's invitees, with the codes and sums that every page carries. */
export type ReferralPage = CallResponse<'invite/namuinvitereward'>;

const ROWS = 50;

/** Rejects when there was no usable answer, so that the query shows its error state. */
export async function readReferrals(cursor: string | undefined): Promise<ReferralPage> {
  const input = { limit: ROWS, ...(cursor === undefined ? {} : { cursor }) };
  const answer = await call('invite/namuinvitereward', input, { quiet: true });
  if (!answer.ok) throw new Error('the referrals were not answered');
  return answer.data;
}
