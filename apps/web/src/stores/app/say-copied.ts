import { notify } from './notices.ts';

/** Says whether a text was copied; one that was not can still be marked by hand. */
export function sayCopied(copied: boolean): void {
  if (copied) notify('success', { id: 'common.copied' }, 'copy');
  else notify('error', { id: 'common.copyFailed' }, 'copy', { detail: { id: 'common.copyFailedText' } });
}
