import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';

/** What tests play on and close again; a process is stopped. */
type Played = ({ close(): unknown } | { stop(): unknown }) & {
  /** Faults that it has met; none may be left when it is closed. */
  readonly complaints?: readonly unknown[];
};

/** The same to all tests of a file or block: opened before them, closed after them. */
export function openedOnce<Opened extends Played>(open: () => Promise<Opened>): Opened {
  const place: Place<Opened> = { now: undefined };
  beforeAll(async () => {
    place.now = await open();
  });
  afterAll(() => closed(place));
  return standIn(place);
}

/** Another one to each test. */
export function openedForEach<Opened extends Played>(open: () => Promise<Opened>): Opened {
  const place: Place<Opened> = { now: undefined };
  beforeEach(async () => {
    place.now = await open();
  });
  afterEach(() => closed(place));
  return standIn(place);
}

interface Place<Opened> {
  now: Opened | undefined;
}

async function closed({ now }: Place<Played>): Promise<void> {
  if (now === undefined) return;
  await ('close' in now ? now.close() : now.stop());
  expect(now.complaints ?? []).toEqual([]);
}

/** Stands for what is open now, so that tests name it as if it had always been there. */
function standIn<Opened extends object>(place: Place<Opened>): Opened {
  const now = (): Opened => {
    if (place.now === undefined) throw new Error('used before it is open');
    return place.now;
  };
  return new Proxy({} as Opened, {
    get: (_, name) => {
      const value: unknown = Reflect.get(now(), name);
      return typeof value === 'function' ? value.bind(now()) : value;
    },
    set: (_, name, value) => Reflect.set(now(), name, value),
    ownKeys: () => Reflect.ownKeys(now()),
    getOwnPropertyDescriptor: (_, name) => ({
      ...Reflect.getOwnPropertyDescriptor(now(), name),
      configurable: true,
    }),
  });
}
