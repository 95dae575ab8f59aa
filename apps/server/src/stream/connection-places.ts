import type { UserId } from '@crossbook/domain';

/** How many live connections there may be. */
export interface ConnectionCaps {
  /** Of one process. */
  readonly all: number;
  /** Not logged in, of one process: the rest is for members. */
  readonly strangers: number;
  /** From one network: an IPv4 address, or an IPv6 site (/48), which else had a place for each of its 65,536 networks. */
  readonly perNetwork: number;
  /** Not logged in, from one network. */
  readonly strangersPerNetwork: number;
  /** Logged in as one member. */
  readonly perMember: number;
}

/** The caps in force; those per network are multiplied by `ADDRESS_LIMIT_FACTOR`. A page has one connection a platform. */
export const CONNECTION_CAPS: ConnectionCaps = {
  all: 10_000,
  strangers: 7_500,
  perNetwork: 300,
  strangersPerNetwork: 100,
  perMember: 30,
};

/** The caps with their part per network multiplied. */
export function connectionCaps(addressFactor: number): ConnectionCaps {
  return {
    ...CONNECTION_CAPS,
    perNetwork: CONNECTION_CAPS.perNetwork * addressFactor,
    strangersPerNetwork: CONNECTION_CAPS.strangersPerNetwork * addressFactor,
  };
}

/** Why there is no place: the sender has too many, or everybody together. */
export type NoPlace = 'network-full' | 'full';

/** What became of asking for a place; `leaves` has to make room for it. */
export type PlaceAnswer<Client> =
  | { readonly ok: true; readonly leaves: Client | undefined }
  | { readonly ok: false; readonly why: NoPlace };

interface Network<Client> {
  readonly name: string;
  /** Oldest first. */
  readonly strangers: Set<Client>;
  members: number;
}

/**
 * Who has a live connection. A place is taken as a stranger, for a log-in comes later. Where strangers have all their
 * places, the network with most of them gives its oldest to a newcomer from another one: whoever fills the places
 * meets himself, never somebody else.
 */
export class ConnectionPlaces<Client> {
  readonly #caps: ConnectionCaps;
  readonly #networks = new Map<string, Network<Client>>();
  readonly #homes = new Map<Client, { readonly network: Network<Client>; user: UserId | undefined }>();
  readonly #members = new Map<UserId, number>();
  #strangers = 0;

  constructor(caps: ConnectionCaps) {
    this.#caps = caps;
  }

  /** Places taken. */
  get size(): number {
    return this.#homes.size;
  }

  /** Whether a newcomer may come, and who must leave for that; nothing is taken yet. */
  ask(network: string): PlaceAnswer<Client> {
    const { all, strangers, perNetwork, strangersPerNetwork } = this.#caps;
    const own = this.#networks.get(network);
    const ownStrangers = own?.strangers.size ?? 0;
    if (ownStrangers >= strangersPerNetwork || ownStrangers + (own?.members ?? 0) >= perNetwork) {
      return { ok: false, why: 'network-full' };
    }
    if (this.#strangers < strangers && this.size < all) return { ok: true, leaves: undefined };
    const largest = this.#largest();
    if (largest === undefined || largest.strangers.size <= ownStrangers + 1)
      return { ok: false, why: 'full' };
    const [leaves] = largest.strangers;
    return { ok: true, leaves };
  }

  /** Takes a place as a stranger. */
  enter(client: Client, name: string): void {
    const network = this.#networks.get(name) ?? { name, strangers: new Set<Client>(), members: 0 };
    this.#networks.set(name, network);
    network.strangers.add(client);
    this.#homes.set(client, { network, user: undefined });
    this.#strangers += 1;
  }

  /** The client is this member from now on, a stranger again with `undefined`; false where the member has too many. */
  belongsTo(client: Client, user: UserId | undefined): boolean {
    const home = this.#homes.get(client);
    if (home === undefined || home.user === user) return home !== undefined;
    const taken = user === undefined ? 0 : (this.#members.get(user) ?? 0);
    if (user !== undefined && taken >= this.#caps.perMember) return false;
    this.#uncount(client, home);
    home.user = user;
    if (user === undefined) {
      home.network.strangers.add(client);
      this.#strangers += 1;
    } else {
      home.network.members += 1;
      this.#members.set(user, taken + 1);
    }
    return true;
  }

  /** Gives the place back. */
  leave(client: Client): void {
    const home = this.#homes.get(client);
    if (home === undefined) return;
    this.#uncount(client, home);
    this.#homes.delete(client);
    const { name, strangers, members } = home.network;
    if (strangers.size + members === 0) this.#networks.delete(name);
  }

  #uncount(
    client: Client,
    { network, user }: { readonly network: Network<Client>; readonly user: UserId | undefined },
  ): void {
    if (user === undefined) {
      network.strangers.delete(client);
      this.#strangers -= 1;
      return;
    }
    network.members -= 1;
    const left = (this.#members.get(user) ?? 0) - 1;
    if (left > 0) this.#members.set(user, left);
    else this.#members.delete(user);
  }

  #largest(): Network<Client> | undefined {
    let largest: Network<Client> | undefined;
    for (const network of this.#networks.values()) {
      if (network.strangers.size > (largest?.strangers.size ?? 0)) largest = network;
    }
    return largest;
  }
}
