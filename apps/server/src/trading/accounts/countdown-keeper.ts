import type { CallAnswer, CallHandlers, CallRequest, CountdownRow, MemberCaller } from '@crossbook/contract';
import { type Lanes, PLATFORMS, type Platform, platformOfType, type UserId } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type { SettingOutcome } from '@crossbook/venues/trading';
import type { AccountOwner } from '../account-pages.ts';
import { refusal, type TradingDeps } from '../ports.ts';
import {
  type Count,
  type CountdownScene,
  type CountPart,
  partKey,
  planCountdowns,
  wantedParts,
} from './countdown-plan.ts';

/** Pause between two looks at what is due. */
const LOOK_MILLIS = 1_000;

/** What is known of one exchange. */
interface Place {
  readonly platform: Platform;
  readonly chosen: Map<UserId, number>;
  readonly counts: Map<string, Count>;
  /** Parts about which it is being asked. */
  readonly asking: Set<string>;
}

type Asked = CountPart & { readonly seconds: number };
type Resting = Awaited<ReturnType<TradingDeps['countdowns']['resting']>>;

/**
 * Keeps exchanges counting down for members who want it, as long as the hub is there (decision 0129). The calls to one
 * exchange wait for nobody of another. What has been cancelled is found like any other end of an order.
 */
export class CountdownKeeper {
  readonly #deps: TradingDeps;
  readonly #lanes: Lanes;
  readonly #places: readonly Place[];
  readonly #underWay = new Set<Promise<void>>();
  #looking: Promise<void> | undefined;
  #stopTimer = (): void => undefined;

  constructor(deps: TradingDeps, lanes: Lanes) {
    this.#deps = deps;
    this.#lanes = lanes;
    this.#places = PLATFORMS.map(({ platform }) => ({
      ...{ platform, chosen: new Map(), counts: new Map(), asking: new Set() },
    }));
  }

  /** The calls about it. */
  readonly handlers: Pick<CallHandlers, 'x/trade/Countdowns' | 'x/trade/SetCountdown'> = {
    'x/trade/Countdowns': async ({ user }: MemberCaller) => {
      const open = this.#places.filter(({ platform }) => this.#deps.venue(platform) !== undefined);
      const resting = await this.#deps.countdowns.resting(user);
      return { ok: true, value: open.map((place) => this.#rowOf(place, user, resting)) };
    },
    'x/trade/SetCountdown': (caller, request) => this.#set(caller, request),
  };

  /** Takes up what members have set, and begins to count for what rests. */
  async start(): Promise<void> {
    for (const { user, platform, seconds } of await this.#deps.countdowns.all())
      this.#placeOf(platform).chosen.set(user, seconds);
    this.#stopTimer = this.#deps.timers.every(LOOK_MILLIS, () => this.#lookOnce());
  }

  /** Ends after the questions under way. The counts go on at the exchanges: that is what they are for. */
  async stop(): Promise<void> {
    this.#stopTimer();
    await this.#looking;
    await Promise.all(this.#underWay);
  }

  #placeOf(platform: Platform): Place {
    const place = this.#places.find((each) => each.platform === platform);
    if (place === undefined) throw new Error('a platform without a place');
    return place;
  }

  #sceneOf(place: Place, resting: Resting): CountdownScene {
    return {
      ...{ now: this.#deps.clock(), offer: venueProfile(place.platform).trading.countdown },
      ...{ chosen: place.chosen, counts: place.counts },
      resting: resting.filter(({ platform }) => platform === place.platform),
    };
  }

  #lookOnce(): void {
    this.#looking ??= this.#look()
      .catch((error) => this.#deps.log.note('countdowns not looked at', { error: String(error) }))
      .finally(() => {
        this.#looking = undefined;
      });
  }

  async #look(): Promise<void> {
    const kept = this.#places.filter(({ chosen, counts }) => chosen.size + counts.size > 0);
    if (kept.length === 0) return;
    const resting = await this.#deps.countdowns.resting();
    for (const place of kept) {
      const plan = planCountdowns(this.#sceneOf(place, resting));
      for (const key of plan.forget) place.counts.delete(key);
      for (const asked of plan.ask) this.#askInTurn(place, asked);
    }
  }

  /** One question of a look. By its turn the member may have changed his mind. */
  #askInTurn(place: Place, asked: Asked): void {
    const { user, seconds } = asked;
    const key = partKey(asked);
    if (place.asking.has(key)) return;
    place.asking.add(key);
    const { platform } = place;
    const done = this.#lanes
      .run(laneOf({ user, platform }), async () => {
        if (seconds !== 0 && place.chosen.get(user) !== seconds) return;
        const outcome = await this.#ask(place, asked);
        // Of a look alone: a member who asks is told, and does not fill the log.
        if (outcome.outcome !== 'done')
          this.#deps.log.note('a countdown was not set', { platform, ...asked, ...outcome });
      })
      .catch((error) => this.#deps.log.note('a countdown failed', { platform, user, error: String(error) }))
      .finally(() => {
        place.asking.delete(key);
        this.#underWay.delete(done);
      });
    this.#underWay.add(done);
  }

  /** Asks the exchange, and keeps what it says. In the owner's lane: an end is never overtaken by a renewal. */
  async #ask({ platform, counts }: Place, { seconds, ...part }: Asked): Promise<SettingOutcome> {
    const { accounts, clock, venue } = this.#deps;
    const key = partKey(part);
    const account = await accounts.find(part.user, platform);
    // Without an account, and so without an order, nothing counts.
    if (account.state !== 'ready' && seconds === 0) return { outcome: 'done' };
    const { said } = counts.get(key) ?? {};
    const tried: Count = { ...part, seconds, triedAt: clock(), ...(said === undefined ? {} : { said }) };
    counts.set(key, tried);
    const countdown = venue(platform)?.trading.countdown;
    if (countdown === undefined || account.state !== 'ready')
      return { outcome: 'unknown', why: 'the exchange cannot be asked' };
    const { symbol } = part;
    const asked = { seconds, ...(symbol === undefined ? {} : { symbol }) };
    const outcome = await countdown.set(account.credentials, asked);
    if (outcome.outcome !== 'done') return outcome;
    if (seconds === 0) counts.delete(key);
    else counts.set(key, { ...tried, said: { at: tried.triedAt, seconds } });
    return outcome;
  }

  #rowOf(place: Place, user: UserId, resting: Resting): CountdownRow {
    const { platform, chosen, counts } = place;
    const scene = this.#sceneOf(place, resting);
    const { offer, now } = scene;
    const seconds = chosen.get(user) ?? 0;
    const parts = [...wantedParts(scene)].filter(([, part]) => part.user === user);
    const counting = parts.every(([key]) => {
      const said = counts.get(key)?.said;
      const runs = said !== undefined && (offer.counts === 'connection' || now < said.at + seconds * 1_000);
      return runs && said.seconds === seconds;
    });
    return {
      ...{ exchange: platform, seconds, offered: [...offer.seconds] },
      ...{ pairs: offer.covers.SPOT, contracts: offer.covers.SWAP },
      state: seconds === 0 ? 'off' : parts.length === 0 ? 'idle' : counting ? 'counting' : 'waiting',
    };
  }

  async #set(
    { user }: MemberCaller,
    { platformType, seconds }: CallRequest<'x/trade/SetCountdown'>,
  ): Promise<CallAnswer<CountdownRow>> {
    const platform = platformOfType(platformType)?.platform as Platform;
    const desk = this.#deps.venue(platform);
    const offered = venueProfile(platform).trading.countdown.seconds;
    if (seconds !== 0 && desk?.state !== 'live')
      return refusal({ error: 'platform-coming-soon', given: desk?.name ?? '' });
    if (seconds !== 0 && !offered.includes(seconds)) {
      const allowed = `one of 0, ${offered.join(', ')}`;
      return refusal({ error: 'field-invalid', field: 'seconds', allowed });
    }
    const owner = { user, platform };
    return this.#lanes.run(laneOf(owner), () => this.#change(owner, seconds));
  }

  async #change(owner: AccountOwner, seconds: number): Promise<CallAnswer<CountdownRow>> {
    const { user, platform } = owner;
    const { countdowns, clock, venue } = this.#deps;
    const place = this.#placeOf(platform);
    if (seconds > 0) {
      await countdowns.keep(owner, seconds, clock());
      place.chosen.set(user, seconds);
      this.#lookOnce();
    } else {
      if (place.chosen.has(user) && !(await this.#endAll(place, user)))
        return refusal({ error: 'countdown-goes-on', given: venue(platform)?.name ?? '' });
      await countdowns.end(owner);
      place.chosen.delete(user);
    }
    return { ok: true, value: this.#rowOf(place, user, await countdowns.resting(user)) };
  }

  /** Ends every count that the member may have there. @returns whether the exchange has said so of each. */
  async #endAll(place: Place, user: UserId): Promise<boolean> {
    const scene = this.#sceneOf(place, await this.#deps.countdowns.resting(user));
    const known = [...place.counts.values(), ...wantedParts(scene).values()];
    const parts = new Map<string, CountPart>();
    for (const { user: owner, symbol } of known) {
      const part = { user, ...(symbol === undefined ? {} : { symbol }) };
      if (owner === user) parts.set(partKey(part), part);
    }
    // A former process may have left one, which is known to nobody here.
    if (scene.offer.counts !== 'symbol') parts.set(partKey({ user }), { user });
    for (const part of parts.values()) {
      const { outcome } = await this.#ask(place, { ...part, seconds: 0 });
      if (outcome !== 'done') return false;
    }
    return true;
  }
}

function laneOf({ user, platform }: AccountOwner): string {
  return `countdown:${platform}:${user}`;
}
