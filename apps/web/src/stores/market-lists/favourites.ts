import type { CallInput } from '@crossbook/contract';
import { platformFacts, platformOfType } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { notify } from '../app/notices.ts';
import { type MarketName, marketKey } from '../market/market.ts';
import { call } from '../member/own-service.ts';
import { isMember, sessionStore } from '../member/session.ts';

/** The member's favourite markets. */
export interface FavouritesState {
  /** `none` for a visitor and before the first read. */
  readonly status: 'none' | 'loading' | 'ready' | 'failed';
  /** By `marketKey`. */
  readonly keys: ReadonlySet<string>;
}

const NONE: FavouritesState = { status: 'none', keys: new Set() };

/** Favourites; empty for a visitor. */
export const favouritesStore = createStore<FavouritesState>(() => NONE);

/** Markets whose change is on its way: a second press waits for the first. */
const changing = new Set<string>();

// Another member, or none: nobody sees the marks of somebody else.
sessionStore.subscribe((next, before) => {
  if (next.token !== before.token) favouritesStore.setState(NONE, true);
});

function rowOf({ platform, symbolType, symbol }: MarketName): CallInput<'connexbasicdata/addsinglefree'> {
  return {
    platformType: platformFacts(platform).platformType,
    tinstType: symbolType === 'SPOT' ? 1 : 2,
    tinstId: symbol,
  };
}

/** Reads the member's favourites unless they are there or on their way; nothing for a visitor. */
export async function loadFavourites(): Promise<void> {
  const { token } = sessionStore.getState();
  const { status } = favouritesStore.getState();
  if (token === undefined || status === 'ready' || status === 'loading') return;
  favouritesStore.setState({ status: 'loading' });
  const answer = await call('connexbasicdata/getuserfree', {}, { quiet: true });
  // The member logged out, or in as somebody else, while the answer was on its way.
  if (sessionStore.getState().token !== token) return;
  if (!answer.ok) {
    favouritesStore.setState({ status: 'failed' });
    return;
  }
  const keys = answer.data.flatMap(({ platformType, tinstType, tinstId }) => {
    const facts = platformOfType(platformType);
    if (facts === undefined) return [];
    const symbolType = tinstType === 1 ? 'SPOT' : 'SWAP';
    return [marketKey({ platform: facts.platform, symbolType, symbol: tinstId })];
  });
  favouritesStore.setState({ status: 'ready', keys: new Set(keys) }, true);
}

function mark(key: string, marked: boolean): void {
  favouritesStore.setState(({ keys }) => {
    const next = new Set(keys);
    if (marked) next.add(key);
    else next.delete(key);
    return { keys: next };
  });
}

/** Whether a market is marked: as listed, or as the server says where the list could not be read. */
async function isMarked(market: MarketName): Promise<boolean | undefined> {
  const { status, keys } = favouritesStore.getState();
  if (status === 'ready') return keys.has(marketKey(market));
  const answer = await call('connexbasicdata/existuserfree', rowOf(market));
  if (answer.ok) return answer.data.exist;
  sayNothingCame(answer);
  return undefined;
}

/** Refusals speak for themselves; silence does not. */
function sayNothingCame(answer: { readonly kind: 'refused' | 'silent' }): void {
  if (answer.kind === 'silent') notify('error', { id: 'common.noAnswer' }, 'favourite');
}

/**
 * Marks a market as favourite, or ends it. The star changes at once and goes back when the server does not agree.
 * @returns whether it was done; a visitor is not asked here.
 */
export async function toggleFavourite(market: MarketName): Promise<boolean> {
  const key = marketKey(market);
  const { token } = sessionStore.getState();
  if (!isMember(sessionStore.getState()) || changing.has(key)) return false;
  changing.add(key);
  try {
    const before = await isMarked(market);
    if (before === undefined) return false;
    mark(key, !before);
    const name = before ? 'connexbasicdata/delfree' : 'connexbasicdata/addsinglefree';
    const answer = await call(name, rowOf(market));
    if (sessionStore.getState().token !== token) return false;
    if (!answer.ok) {
      mark(key, before);
      sayNothingCame(answer);
      return false;
    }
    notify('success', { id: before ? 'favourite.removed' : 'favourite.added' }, 'favourite');
    return true;
  } finally {
    changing.delete(key);
  }
}
