import type { AdminFileKind } from '@crossbook/contract';
import {
  type ApiSurroundings,
  CALL_TIMEOUT_MILLIS_MAX,
  type CallResult,
  formFields,
  resultOf,
} from './api-client.ts';

/** Asks for a file of one kind; what is refused comes as the usual envelope. Never throws. */
export type FileCall = (name: string, input: object, kind: AdminFileKind) => Promise<CallResult<Blob>>;

/** Builds what reads files: the browser keeps none of them. */
export function createFileCall(surroundings: ApiSurroundings): FileCall {
  return async (name, input, kind) => {
    const tokenSent = surroundings.token();
    const answer = await surroundings
      .fetch(`${surroundings.base()}/api/${name}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          Language: surroundings.language(),
        },
        body: formFields(input, tokenSent).toString(),
        credentials: 'same-origin',
        cache: 'no-store',
        signal: AbortSignal.timeout(CALL_TIMEOUT_MILLIS_MAX),
      })
      .then(
        (response): Promise<unknown> =>
          response.headers.get('content-type') === kind ? response.blob() : response.json(),
      )
      .catch(() => undefined);
    if (answer instanceof Blob) return { ok: true, data: answer };
    return resultOf(surroundings, answer, { tokenSent, quiet: true });
  };
}
