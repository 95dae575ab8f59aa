import type { CallResponse } from '@crossbook/contract';
import {
  type ApiSurroundings,
  CALL_TIMEOUT_MILLIS_MAX,
  type CallResult,
  formFields,
  resultOf,
} from './api-client.ts';

/** What sending a file takes. */
export interface UploadRequest {
  readonly kind: 'kyc-front' | 'kyc-back' | 'kyc-face';
  readonly file: Blob;
  /** How much is on its way, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Sends a picture. Never throws. */
export type Upload = (request: UploadRequest) => Promise<CallResult<CallResponse<'usercommon/upload'>>>;

/** Builds what sends files: `fetch` does not tell how much of a body is on its way, so these go the older way. */
export function createUpload(surroundings: ApiSurroundings, open: () => XMLHttpRequest): Upload {
  return ({ kind, file, onProgress }) =>
    new Promise((resolve) => {
      const tokenSent = surroundings.token();
      const form = new FormData();
      for (const [field, value] of formFields({ kind }, tokenSent)) form.append(field, value);
      form.append('file', file);
      const request = open();
      request.open('POST', `${surroundings.base()}/api/usercommon/upload`);
      request.setRequestHeader('Tenant-Id', surroundings.tenant());
      request.setRequestHeader('Language', surroundings.language());
      request.timeout = CALL_TIMEOUT_MILLIS_MAX;
      request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
      request.onloadend = () => {
        const answer = request.status === 200 ? parsed(request.responseText) : undefined;
        resolve(resultOf(surroundings, answer, { tokenSent }));
      };
      request.send(form);
    });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
