import { type MemberListener, platformsConnected, setMemberListener } from '../market/live.ts';
import { endSession, isMember, sessionStore } from '../member/session.ts';
import { forgetBalances } from '../wallet/balances.ts';

type Keeper = typeof import('./private-events.ts');

/** The stores of a member: read once somebody is logged in, since a visitor needs none of them. */
let keeper: Keeper | undefined;
let reading: Promise<Keeper> | undefined;
/** They could not be read when something was for them: what it told is read anew as soon as they are there. */
let isBehind = false;

function read(): Promise<Keeper> {
  reading ??= import('./private-events.ts').then((found) => {
    keeper = found;
    if (!isBehind) return found;
    isBehind = false;
    found.forgetPrivate();
    for (const platform of platformsConnected()) found.catchUp(platform);
    return found;
  });
  return reading;
}

/** In the order in which it was asked for, and at once where the stores are there. */
function keep(act: (keeper: Keeper) => void): void {
  if (keeper !== undefined) act(keeper);
  else
    read().then(act, () => {
      reading = undefined;
      isBehind = true;
    });
}

/** Takes what the live connections tell of the member. */
export const memberListener: MemberListener = {
  onUser: (event) => {
    if (event.kind === 'signed-out') endSession();
    else keep(({ onUser }) => onUser(event));
  },
  onCatchUp: (platform) => {
    if (isMember(sessionStore.getState())) keep(({ catchUp }) => catchUp(platform));
  },
};

/** Keeps orders, fills, balances and transfers by the private stream, and forgets them when the member changes. Once, at start. */
export function keepPrivateEvents(): void {
  setMemberListener(memberListener);
  if (isMember(sessionStore.getState())) keep(() => undefined);
  sessionStore.subscribe((next, before) => {
    if (next.token === before.token) return;
    forgetBalances();
    keep(({ forgetPrivate }) => forgetPrivate());
  });
}
