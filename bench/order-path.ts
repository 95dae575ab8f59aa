import { type Bench, compared, type Figure, quantile, type Reporter } from './harness.ts';
import { type OrderHub, startOrderHub } from './order-hub.ts';
import { load } from './order-load.ts';

const CALLERS = [1, 8, 32] as const;
const ROUNDS = 3;
const SECONDS = 2;

const PLACE = '/api/connextrade/PlaceOrder';
/** What is measured, against what stands before it. */
const ORDERS = ['an order that rests', 'an order that ends at once'];
/** What is written before an order is sent, and again when its answer is known: two commits that one floor has and one has not. */
const COMMIT = 'one reservation statement';
const PIECES = ['HTTP echo', COMMIT, "the simulator's answer"];
/** The same pieces in one request: what an order costs at the least where each piece finds the others' leavings. */
const BARE = 'a bare request that does the three';
/** What the hub says when it takes no more: a machine that stood still for a moment made it careful. */
const BUSY = 1010;

/** Waits of what was answered, and how often the answer was `busy`. */
interface Answers {
  readonly waits: readonly number[];
  readonly busy: number;
}
type Piece = (callers: number) => Promise<Answers>;

/** The same closed loop around a piece that this process asks itself. */
function looped(work: () => Promise<void>): Piece {
  return async (callers) => {
    const waits: number[] = [];
    const end = performance.now() + SECONDS * 1_000;
    const one = async (): Promise<void> => {
      while (performance.now() < end) {
        const begun = performance.now();
        await work();
        waits.push(performance.now() - begun);
      }
    };
    await Promise.all(Array.from({ length: callers }, one));
    return { waits, busy: 0 };
  };
}

function piecesOf(hub: OrderHub): ReadonlyMap<string, Piece> {
  const asked = async (path: string, callers: number, resting = false) => {
    const { members } = hub;
    const answers = await load({ url: `${hub.url}${path}`, callers, seconds: SECONDS, members, resting });
    const odd = answers.find(({ code }) => code !== 1 && code !== BUSY);
    if (odd !== undefined) throw new Error(`${path} answered ${odd.code}`);
    const taken = answers.filter(({ code }) => code === 1);
    return { waits: taken.map(({ millis }) => millis), busy: answers.length - taken.length };
  };
  return new Map<string, Piece>([
    ['HTTP echo', (callers) => asked('/echo', callers)],
    [COMMIT, looped(() => hub.reservation())],
    ["the simulator's answer", looped(() => hub.simulatorAnswer())],
    [BARE, (callers) => asked('/bare', callers)],
    ...ORDERS.map((name): [string, Piece] => [
      name,
      (callers) => asked(PLACE, callers, name === 'an order that rests'),
    ]),
  ]);
}

/** What one piece came to over all rounds. */
interface Measured {
  readonly waits: number[];
  busy: number;
  processorMillis: number;
}

/** The pieces in turn, round after round, so that a busy neighbour hurts all alike. */
async function measured(hub: OrderHub, callers: number, report: Reporter): Promise<readonly Figure[]> {
  const pieces = [...piecesOf(hub)];
  const found = new Map(
    pieces.map(([name]): [string, Measured] => [name, { waits: [], busy: 0, processorMillis: 0 }]),
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < pieces.length; turn += 1) {
      const piece = pieces[(round + turn) % pieces.length];
      const sum = found.get(piece?.[0] ?? '');
      if (piece === undefined || sum === undefined) continue;
      const used = await hub.processorTime();
      const { waits, busy } = await piece[1](callers);
      sum.processorMillis += await used();
      sum.busy += busy;
      for (const wait of waits) sum.waits.push(wait);
    }
    report(`${callers} callers: round ${round + 1}/${ROUNDS}`);
  }
  return figuresOf(found).map((figure) => ({ ...figure, figure: `${callers} callers: ${figure.figure}` }));
}

function figuresOf(found: ReadonlyMap<string, Measured>): readonly Figure[] {
  const figures: Figure[] = [];
  const read = (label: string, of: (one: Measured) => number) => {
    const value = (name: string): number => {
      const one = found.get(name);
      return one === undefined ? Number.NaN : of(one);
    };
    const sum = PIECES.reduce((total, name) => total + value(name), 0);
    const line = (name: string): Figure => ({ figure: `${name}: ${label}`, value: value(name), unit: 'ms' });
    figures.push(...PIECES.map(line), compared(line(BARE), 'the sum of its pieces', sum));
    for (const name of ORDERS) {
      figures.push(
        compared(line(name), 'the sum of its pieces', sum),
        compared(line(name), 'the same and a second commit', sum + value(COMMIT)),
        compared(line(name), BARE, value(BARE)),
      );
    }
  };
  read('p50', ({ waits }) => quantile(Float64Array.from(waits), 0.5));
  read('p99', ({ waits }) => quantile(Float64Array.from(waits), 0.99));
  read('processor time', ({ waits, processorMillis }) => processorMillis / waits.length);
  for (const name of ORDERS) {
    const { waits, busy } = found.get(name) ?? { waits: [], busy: 0 };
    figures.push({ figure: name, value: waits.length / (ROUNDS * SECONDS), unit: 'orders/s' });
    if (busy > 0) figures.push({ figure: `${name}: busy`, value: busy, unit: 'orders' });
  }
  return figures;
}

/** From the request to place an order to its answer, against the bare pieces of that way. */
export const bench: Bench = {
  about: `order-path: HTTP to answer at ${CALLERS.join(', ')} callers against its bare pieces in the same run, with the processor time of hub and PostgreSQL; real PostgreSQL that flushes to the disk, callers in a thread of their own, a venue that asks the simulator process once an order`,
  run: async (report) => {
    const hub = await startOrderHub();
    const figures: Figure[] = [];
    // What a hub has done for minutes its engine has compiled: so it is measured.
    for (const callers of CALLERS.toReversed())
      for (const resting of [true, false])
        await load({ url: `${hub.url}${PLACE}`, members: hub.members, callers, seconds: 2, resting });
    for (const callers of CALLERS) figures.push(...(await measured(hub, callers, report)));
    await hub.stop();
    return figures;
  },
};
