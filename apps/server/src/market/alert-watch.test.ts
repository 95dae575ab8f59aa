import type { UserEvent } from '@crossbook/contract';
import { type Amount, amount, type Millis, type OrderId, type UserId } from '@crossbook/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { AlertWatch, type PriceSource } from './alert-watch.ts';
import type { FiredAlert, PriceAlert, PriceAlertStore } from './price-alerts.ts';

/** Keeps in memory what a database would. */
class KeptAlerts implements PriceAlertStore {
  readonly rows = new Map<OrderId, PriceAlert>();
  readonly swept: OrderId[] = [];
  away = false;
  fired = 0;
  async set(alert: PriceAlert) {
    this.rows.set(alert.id, alert);
    return 'set' as const;
  }
  async remove(_: UserId, id: OrderId) {
    this.rows.delete(id);
  }
  async list() {
    return [...this.rows.values()];
  }
  async waiting(after: OrderId | undefined, countMax: number) {
    return [...this.rows.values()]
      .filter(({ id }) => after === undefined || id > after)
      .toSorted((left, right) => (left.id < right.id ? -1 : 1))
      .slice(0, countMax);
  }
  async fire(fired: readonly FiredAlert[]) {
    if (this.away) throw new Error('the database is away');
    return fired.filter(({ id, price }) => {
      if (this.rows.get(id)?.price !== price) return false;
      this.fired += 1;
      return this.rows.delete(id);
    });
  }
  async sweep() {
    return this.swept.splice(0);
  }
}

const HOUR = 3_600_000;
let now: number;
let tick: () => void;
let store: KeptAlerts;
let asked: (readonly string[] | undefined)[];
let answers: ReadonlyMap<string, Amount>;
let hear: Parameters<PriceSource['hearPrices']>[0];
let said: string[];
let watch: AlertWatch;

beforeEach(() => {
  [now, asked, said, answers] = [HOUR, [], [], new Map()];
  store = new KeptAlerts();
  watch = new AlertWatch({
    store,
    sources: [
      {
        ...{ platform: 1, symbolType: 'SPOT' },
        hearPrices: (listener) => {
          hear = listener;
        },
        askPrices: async (symbols) => {
          asked.push(symbols);
          return answers;
        },
      },
    ],
    ports: {
      clock: () => now as Millis,
      every: (_, run) => {
        tick = run;
        return () => {
          tick = () => undefined;
        };
      },
      note: (event) => said.push(`noted: ${event}`),
    },
    publish: (user: UserId, event: UserEvent) => {
      if (event.kind !== 'price-alert') return;
      const { alertId, fired } = event.alert;
      said.push(`${user}: ${alertId} at ${fired?.price}`);
    },
  });
});

const alert = (id: string, price: string, direction: 'rises' | 'falls', user = 1): PriceAlert => ({
  ...{ id: id as OrderId, user: user as UserId, platform: 1, symbolType: 'SPOT', symbol: 'BTCUSDT' },
  ...{ price: amount(price), direction, createdAt: 1 as Millis },
});

/** Keeps alerts as the handler does. */
async function keeps(...alerts: readonly PriceAlert[]): Promise<void> {
  for (const one of alerts) {
    await store.set(one);
    watch.keep(one);
  }
}

/** Prices of a stream, then a look. @returns who was answered. */
async function at(...prices: readonly string[]): Promise<string[]> {
  for (const price of prices) hear('BTCUSDT', () => amount(price));
  return await looks();
}

async function looks(): Promise<string[]> {
  now += 1_000;
  tick();
  await new Promise((resolve) => setImmediate(resolve));
  return said.splice(0);
}

describe('price alerts are compared with last prices', () => {
  test('each fires once, from its side, at the price that was reached between two looks', async () => {
    await watch.start();
    await keeps(alert('b', '110', 'rises'), alert('a', '105', 'rises', 2), alert('c', '95', 'falls'));
    expect(await at('100', '104.9', '95.1')).toEqual([]);
    expect(await at('100', '107', '100')).toEqual(['2: a at 107']);
    expect(await at('94', '111', '100')).toEqual(['1: b at 111', '1: c at 94']);
    expect(await at('94', '111')).toEqual([]);
    expect([watch.count, store.rows.size]).toEqual([0, 0]);
  });

  test('what was there before it was set fires it not, and the others all the same', async () => {
    await watch.start();
    await keeps(alert('a', '105', 'rises'));
    hear('BTCUSDT', () => amount('106'));
    await keeps(alert('b', '105', 'rises'));
    expect(await looks()).toEqual(['1: a at 106']);
    expect(await at('105')).toEqual(['1: b at 105']);
  });

  test('one that is moved waits for its new price, one that is removed for none; nobody removes another’s', async () => {
    await watch.start();
    await keeps(alert('a', '105', 'rises'), alert('b', '105', 'rises'), alert('c', '105', 'rises'));
    await keeps(alert('a', '120', 'rises'));
    await store.remove(1 as UserId, 'b' as OrderId);
    watch.drop(1 as UserId, 'b' as OrderId);
    watch.drop(2 as UserId, 'c' as OrderId);
    expect(await at('110')).toEqual(['1: c at 110']);
    expect(await at('120')).toEqual(['1: a at 120']);
  });

  test('a database that is away loses none', async () => {
    await watch.start();
    await keeps(alert('a', '105', 'rises'));
    store.away = true;
    expect(await at('106')).toEqual(['noted: price alerts were not written']);
    store.away = false;
    expect(await at('100')).toEqual(['1: a at 106']);
  });

  test('those of a former process wait on', async () => {
    for (let count = 0; count < 7; count += 1) await store.set(alert(`old ${count}`, '105', 'rises'));
    await watch.start();
    expect(watch.count).toBe(7);
    expect(await at('105')).toHaveLength(7);
  });

  test('those that the sweep deleted wait no more', async () => {
    await watch.start();
    await keeps(alert('a', '105', 'rises'));
    await looks();
    store.swept.push('a' as OrderId);
    now += HOUR;
    await looks();
    expect(watch.count).toBe(0);
  });
});

describe('of what no stream tells', () => {
  test('the last price is asked for, no oftener than every ten seconds; a symbol that is heard is not', async () => {
    await watch.start();
    answers = new Map([['BTCUSDT', amount('106')]]);
    expect([await looks(), asked]).toEqual([[], []]);
    await keeps(alert('a', '200', 'rises'));
    for (let second = 0; second < 25; second += 1) await looks();
    expect(asked).toEqual([['BTCUSDT'], ['BTCUSDT'], ['BTCUSDT']]);
    answers = new Map([['BTCUSDT', amount('201')]]);
    for (let second = 0; second < 12; second += 1) await at('150');
    expect(asked).toHaveLength(3);
    for (let second = 0; second < 12; second += 1) if ((await looks()).length > 0) return;
    throw new Error('it did not fire');
  });

  test('many symbols of a market are one question, and a venue that fails is not asked faster', async () => {
    await watch.start();
    for (let count = 0; count < 6; count += 1) {
      await keeps({ ...alert(`a${count}`, '105', 'rises'), symbol: `S${count}` });
    }
    for (let second = 0; second < 10; second += 1) await looks();
    expect(asked).toEqual([undefined]);
  });
});
