import type {
  UserStreamHandlers,
  VenueAlgos,
  VenueContracts,
  VenueCountdown,
  VenueOrderCalls,
  VenueTrading,
} from '@crossbook/venues/trading';

/** A venue whose answers a test gives; by default it knows nothing and has lost everything it was told. */
export class ScriptedVenue implements VenueTrading {
  readonly calls: string[] = [];
  /** Calls under the class in which they were asked, where one was named. */
  readonly classes: string[] = [];
  readonly streams: UserStreamHandlers[] = [];
  /** Contracts, algo orders and countdowns, where a test gives some. */
  contracts?: VenueContracts;
  algos?: VenueAlgos;
  countdown?: VenueCountdown;
  closedStreams = 0;
  forgetsUnfilledMillis = 7_200_000;
  answers: Partial<VenueTrading> = {};

  #asked<Name extends keyof VenueTrading>(name: Name, otherwise: unknown): VenueTrading[Name] {
    const call = (...given: unknown[]) => {
      this.calls.push(name);
      const answer = (this.answers[name] ?? (async () => otherwise)) as (...given: unknown[]) => unknown;
      return answer(...given);
    };
    return call as unknown as VenueTrading[Name];
  }

  readonly place = this.#asked('place', { outcome: 'unknown', why: 'lost', deadlineAt: 0 });
  readonly placeSeveral: VenueTrading['placeSeveral'] = async (credentials, requests) => {
    const { placeSeveral } = this.answers;
    if (requests.length === 1 || placeSeveral === undefined)
      return Promise.all(requests.map((request) => this.place(credentials, request)));
    this.calls.push('placeSeveral');
    return placeSeveral(credentials, requests);
  };
  readonly amend = this.#asked('amend', { outcome: 'unknown', why: 'lost', deadlineAt: 0 });
  readonly findTerms = this.#asked('findTerms', { outcome: 'not-found' });
  readonly cancel = this.#asked('cancel', { outcome: 'gone' });
  readonly cancelByVenueId = this.#asked('cancelByVenueId', { outcome: 'gone' });
  readonly cancelSeveral: VenueTrading['cancelSeveral'] = async (credentials, instrument, names) => {
    this.calls.push('cancelSeveral');
    const { cancelSeveral, cancel, cancelByVenueId } = this.answers;
    if (cancelSeveral !== undefined) return cancelSeveral(credentials, instrument, names);
    return Promise.all(
      names.map(
        (name) =>
          ('clientId' in name
            ? cancel?.(credentials, instrument, name.clientId)
            : cancelByVenueId?.(credentials, instrument, name.venueOrderId)) ?? { outcome: 'gone' as const },
      ),
    );
  };
  readonly find = this.#asked('find', { outcome: 'not-found' });
  readonly findByVenueId = this.#asked('findByVenueId', { outcome: 'not-found' });
  readonly openOrders = this.#asked('openOrders', { ok: true, value: [] });
  readonly fillsOfOrder = this.#asked('fillsOfOrder', { ok: true, value: [] });
  readonly fillsSince = this.#asked('fillsSince', { ok: true, value: [] });
  readonly operatorFunds = this.#asked('operatorFunds', { ok: true, value: [] });
  readonly balances = this.#asked('balances', { ok: true, value: [] });
  readonly openMemberAccount = this.#asked('openMemberAccount', { outcome: 'unknown', why: 'lost' });
  readonly transfer = this.#asked('transfer', { outcome: 'unknown', why: 'lost' });
  readonly findTransfer = this.#asked('findTransfer', { outcome: 'not-found' });
  readonly userStream: VenueTrading['userStream'] = (_credentials, handlers) => {
    this.streams.push(handlers);
    return {
      close: () => {
        this.closedStreams += 1;
      },
    };
  };
  readonly asking: VenueTrading['asking'] = (requestClass) => {
    const classed =
      <Name extends keyof VenueOrderCalls>(name: Name) =>
      (...given: unknown[]) => {
        this.classes.push(`${requestClass} ${name}`);
        return (this[name] as (...given: unknown[]) => unknown)(...given);
      };
    const names = ['cancel', 'cancelByVenueId', 'cancelSeveral', 'find', 'findByVenueId'] as const;
    const calls = [...names, 'openOrders', 'fillsOfOrder', 'fillsSince'] as const;
    return Object.fromEntries(calls.map((name) => [name, classed(name)])) as unknown as VenueOrderCalls;
  };
  readonly close = (): void => undefined;

  /** How often a call was made. */
  count(name: keyof VenueTrading): number {
    return this.calls.filter((call) => call === name).length;
  }
}
