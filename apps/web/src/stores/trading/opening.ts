import type { CallResponse } from '@crossbook/contract';
import { type Platform, platformFacts, type SymbolType } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { notify } from '../app/notices.ts';
import { call } from '../member/own-service.ts';

/** What keeps the member from opening anything at a platform. */
export type Opening = CallResponse<'x/trade/Opening'>;

/** The hub is asked this often while a ticket is on screen; it asks no exchange for it. */
const ASK_EVERY_MILLIS = 5_000;

/** The newest answers, of contracts by platform, of pairs by `pairsOf`; empty for a visitor. */
export const openingStore = createStore<Readonly<Record<string, Opening>>>(() => ({}));

/** What the answer about a platform's pairs is kept under. */
export function pairsOf(platform: Platform): string {
  return `${platform} SPOT`;
}

/** Asks once; without an answer the one before stays. */
export async function loadOpening(platform: Platform, symbolType: SymbolType = 'SWAP'): Promise<void> {
  const { platformType } = platformFacts(platform);
  const pair = symbolType === 'SPOT';
  const answer = await call(
    'x/trade/Opening',
    { platformType, ...(pair ? { tinstType: 1 } : {}) },
    { quiet: true },
  );
  if (!answer.ok) return;
  const key = pair ? pairsOf(platform) : platform;
  const before = openingStore.getState()[key]?.stopped;
  openingStore.setState({ [key]: answer.data });
  const { stopped, differs } = answer.data;
  if (stopped !== 'books-differ' || before === stopped) return;
  const values = {
    venue: platformFacts(platform).name,
    of: differs?.of ?? '',
    amount: differs?.amount ?? '',
    type: symbolType,
  };
  notify('error', { id: 'contract.booksDiffer', values }, `books ${platform}`, { event: 'unknown' });
}

/** Keeps the answer of a platform fresh while the page is seen. @returns what ends it. */
export function keepOpening(platform: Platform, symbolType?: SymbolType): () => void {
  void loadOpening(platform, symbolType);
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') void loadOpening(platform, symbolType);
  }, ASK_EVERY_MILLIS);
  return () => clearInterval(timer);
}

/** Forgets everything: another member, or none. */
export function forgetOpening(): void {
  openingStore.setState({}, true);
}
