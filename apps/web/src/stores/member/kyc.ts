import type { CallInput, CallResponse } from '@crossbook/contract';
import { createUpload, type Upload } from '../../wire/upload-client.ts';
import { call, ownService } from './own-service.ts';

/** How the member stands, and where services are unavailable. */
export type KycStanding = CallResponse<'x/kyc/Status'>;
/** What the member states about himself. */
export type KycForm = CallInput<'x/kyc/Submit'>;

/** Largest file that is taken, in bytes (spec section 5). */
export const FILE_BYTES_MAX = 5 * 1024 * 1024;

/** Rejects when there was no usable answer, so that the query shows its error state. */
export async function readKyc(): Promise<KycStanding> {
  const answer = await call('x/kyc/Status', {}, { quiet: true });
  if (!answer.ok) throw new Error('the standing of the member was not answered');
  return answer.data;
}

const send = createUpload(ownService, () => new XMLHttpRequest());
let before: Promise<unknown> = Promise.resolve();

/** Sends a picture, and says how far it is. One after the other: the hub takes one of a member at a time. */
export const upload: Upload = (request) => {
  const sent = before.then(() => send(request));
  before = sent;
  return sent;
};
