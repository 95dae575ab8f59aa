import type { SymbolType, UserId } from '@crossbook/domain';
import type { CountdownOffer } from '@crossbook/venues';

/** Begun anew after this part of its time: two more tries have their turn before it runs out. */
const RENEWED_AFTER = 1 / 3;
/** One that counts for a connection goes on with it: it is set again so often all the same, should the exchange have forgotten. */
const REASSERTED_MILLIS = 600_000;
/** What was not taken, or whose answer was lost, is asked for again after this long. */
const TRIED_AGAIN_MILLIS = 5_000;
/** What one member's counts may take of the calls of all, as a part. */
const MEMBER_PART_MAX = 1 / 4;
/** Looks in a minute: what is due at once, as after a start, is asked for in so many parts. */
const LOOKS_PER_MINUTE = 60;

/** What one count covers: a member's account, or one contract of it. */
export interface CountPart {
  readonly user: UserId;
  /** Present exactly where the exchange counts for each contract. */
  readonly symbol?: string;
}

/** A count as far as is known here. */
export interface Count extends CountPart {
  /** What was asked for last; 0: that it ends. */
  readonly seconds: number;
  /** When it was asked for last, in ms. */
  readonly triedAt: number;
  /** When the exchange last said that it counts, and from how long. */
  readonly said?: { readonly at: number; readonly seconds: number };
}

/** Where a member has something that may rest. */
export interface RestingPlace {
  readonly user: UserId;
  readonly symbolType: SymbolType;
  readonly symbol: string;
}

/** What is known of one exchange at a moment. */
export interface CountdownScene {
  readonly now: number;
  readonly offer: CountdownOffer;
  /** Seconds that members want, by member. */
  readonly chosen: ReadonlyMap<UserId, number>;
  readonly resting: readonly RestingPlace[];
  /** By {@link partKey}. */
  readonly counts: ReadonlyMap<string, Count>;
}

/** What is to be asked of an exchange now, the most urgent first; 0 seconds end a count. */
export interface CountdownPlan {
  readonly ask: readonly (CountPart & { readonly seconds: number })[];
  /** Parts that want a count and for which there is no room. */
  readonly noRoom: ReadonlySet<string>;
  /** Counts that have run out, or that nobody wants: nothing has to be known of them any more. */
  readonly forget: readonly string[];
}

/** The name of a part. */
export function partKey({ user, symbol = '' }: CountPart): string {
  return `${user} ${symbol}`;
}

/** Parts in which something rests that a count covers, for whoever wants it. */
export function wantedParts({
  offer,
  chosen,
  resting,
}: Pick<CountdownScene, 'offer' | 'chosen' | 'resting'>): ReadonlyMap<string, CountPart> {
  const wanted = resting
    .filter(({ user, symbolType }) => chosen.has(user) && offer.covers[symbolType])
    .map(({ user, symbol }) => ({ user, ...(offer.counts === 'symbol' ? { symbol } : {}) }));
  return new Map(wanted.map((part) => [partKey(part), part]));
}

/** How long a count is left alone once the exchange has said that it counts, ms. */
export function renewalMillis({ counts }: CountdownOffer, seconds: number): number {
  return counts === 'connection' ? REASSERTED_MILLIS : seconds * 1_000 * RENEWED_AFTER;
}

/** When a count runs out unless it begins anew; never where it counts for a connection that lives. */
function endsAt({ counts }: CountdownOffer, { said }: Count): number {
  return said === undefined || counts === 'connection'
    ? Number.POSITIVE_INFINITY
    : said.at + said.seconds * 1_000;
}

/**
 * What to ask of an exchange now. Pure. Counts that have begun go on before new ones begin, those that run out first
 * before others, and together they never need more calls a minute than the exchange's profile has for them, those of one
 * member a quarter: what finds no room is not begun, so that nothing is cancelled for it.
 */
export function planCountdowns(scene: CountdownScene): CountdownPlan {
  const { now, offer, chosen, counts } = scene;
  const wanted = wantedParts(scene);
  const perMinute = (seconds: number): number => 60_000 / renewalMillis(offer, seconds);
  const due: { readonly at: number; readonly part: CountPart & { readonly seconds: number } }[] = [];
  const forget: string[] = [];
  /** Calls a minute, of all and by member. */
  let calls = 0;
  const own = new Map<UserId, number>();
  const count = (user: UserId, more: number): void => {
    calls += more;
    own.set(user, (own.get(user) ?? 0) + more);
  };
  for (const [key, known] of counts) {
    const { user, symbol } = known;
    const part = { user, ...(symbol === undefined ? {} : { symbol }) };
    const choice = chosen.get(user);
    // Where a connection is watched nothing ends with the last order: without one there is nothing to cancel.
    const kept = choice !== undefined && (wanted.has(key) || offer.counts === 'connection');
    if (kept) {
      count(user, perMinute(choice));
      const settled = known.said?.seconds === choice && known.said.at === known.triedAt;
      const at = known.triedAt + (settled ? renewalMillis(offer, choice) : TRIED_AGAIN_MILLIS);
      const changed = known.seconds !== choice;
      if (now >= at || changed) due.push({ at: endsAt(offer, known), part: { ...part, seconds: choice } });
    } else if (known.said === undefined ? known.seconds === 0 : now >= endsAt(offer, known)) forget.push(key);
    else if (known.seconds !== 0 || now >= known.triedAt + TRIED_AGAIN_MILLIS)
      due.push({ at: endsAt(offer, known), part: { ...part, seconds: 0 } });
  }
  const noRoom = new Set<string>();
  for (const [key, part] of wanted) {
    const seconds = chosen.get(part.user) ?? 0;
    if (counts.has(key)) continue;
    const more = perMinute(seconds);
    const most = offer.callsPerMinuteMax;
    if (calls + more > most || (own.get(part.user) ?? 0) + more > most * MEMBER_PART_MAX) noRoom.add(key);
    else {
      count(part.user, more);
      due.push({ at: Number.POSITIVE_INFINITY, part: { ...part, seconds } });
    }
  }
  const inTurn = due.toSorted((left, right) => (left.at === right.at ? 0 : left.at - right.at));
  const perLookMax = Math.max(1, Math.floor(offer.callsPerMinuteMax / LOOKS_PER_MINUTE));
  return { ask: inTurn.slice(0, perLookMax).map(({ part }) => part), noRoom, forget };
}
