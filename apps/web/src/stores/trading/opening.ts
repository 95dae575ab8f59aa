import type { CallResponse } from '@crossbook/contract';
import { type Platform, platformFacts } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { notify } from '../app/notices.ts';
import { call } from '../member/own-service.ts';

/** What keeps the member from opening anything at a platform. */
export type Opening = CallResponse<'x/trade/Opening'>;

/** The hub is asked this often while a ticket of a contract is on screen; it asks no exchange for it. */
const ASK_EVERY_MILLIS = 5_000;

/** The newest answers, by platform; empty for a visitor. */
export const openingStore = createStore<Readonly<Partial<Record<Platform, Opening>>>>(() => ({}));

/** Asks once; without an answer the one before stays. */
export async function loadOpening(platform: Platform): Promise<void> {
  const { platformType } = platformFacts(platform);
  const answer = await call('x/trade/Opening', { platformType }, { quiet: true });
  if (!answer.ok) return;
  const before = openingStore.getState()[platform]?.stopped;
  openingStore.setState({ [platform]: answer.data });
  const { stopped, differs } = answer.data;
  if (stopped !== 'books-differ' || before === stopped) return;
  const values = {
    venue: platformFacts(platform).name,
    of: differs?.of ?? '',
    amount: differs?.amount ?? '',
  };
  notify('error', { id: 'contract.booksDiffer', values }, `books ${platform}`, { event: 'unknown' });
}

/** Keeps the answer of a platform fresh while the page is seen. @returns what ends it. */
export function keepOpening(platform: Platform): () => void {
  void loadOpening(platform);
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') void loadOpening(platform);
  }, ASK_EVERY_MILLIS);
  return () => clearInterval(timer);
}

/** Forgets everything: another member, or none. */
export function forgetOpening(): void {
  openingStore.setState({}, true);
}
