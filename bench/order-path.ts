import { type Bench, compared, type Figure, quantile, type Reporter } from './harness.ts';
import { type OrderHub, startOrderHub } from './order-hub.ts';
import { load } from './order-load.ts';

const CALLERS = [1, 8, 32] as const;
const ROUNDS = 3;
const SECONDS = 2;

type Piece = (callers: number) => Promise<readonly number[]>;

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
    return waits;
  };
}

function piecesOf(hub: OrderHub): ReadonlyMap<string, Piece> {
  const asked = async (path: string, callers: number, ok: number) => {
    const members = path === '/echo' ? {} : { members: hub.members };
    const answers = await load({ url: `${hub.url}${path}`, callers, seconds: SECONDS, ...members });
    const odd = answers.find(({ code }) => code !== ok);
    if (odd !== undefined) throw new Error(`${path} answered ${odd.code}`);
    return answers.map(({ millis }) => millis);
  };
  return new Map<string, Piece>([
    ['HTTP echo', (callers) => asked('/echo', callers, 1)],
    ['one reservation statement', looped(() => hub.reservation())],
    ["the simulator's answer", looped(() => hub.simulatorAnswer())],
    ['order', (callers) => asked('/api/connextrade/PlaceOrder', callers, 1)],
  ]);
}

/** The pieces in turn, round after round, so that a busy neighbour hurts all alike. */
async function measured(hub: OrderHub, callers: number, report: Reporter): Promise<readonly Figure[]> {
  const pieces = [...piecesOf(hub)];
  const waits = new Map<string, number[]>(pieces.map(([name]) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < pieces.length; turn += 1) {
      const piece = pieces[(round + turn) % pieces.length];
      if (piece === undefined) continue;
      const [name, run] = piece;
      for (const wait of await run(callers)) waits.get(name)?.push(wait);
    }
    report(`${callers} callers: round ${round + 1}/${ROUNDS}`);
  }
  const at = (name: string, q: number) => quantile(Float64Array.from(waits.get(name) ?? []), q);
  const figures: Figure[] = [];
  for (const [label, q] of [['p50', 0.5] as const, ['p99', 0.99] as const]) {
    const bare = pieces.slice(0, -1).map(([name]) => ({ name, value: at(name, q) }));
    for (const { name, value } of bare)
      figures.push({ figure: `${callers} callers: ${name}: ${label}`, value, unit: 'ms' });
    const sum = bare.reduce((total, { value }) => total + value, 0);
    const figure = { figure: `${callers} callers: order: ${label}`, value: at('order', q), unit: 'ms' };
    figures.push(compared(figure, 'the sum of its pieces', sum));
  }
  const rate = (waits.get('order')?.length ?? 0) / (ROUNDS * SECONDS);
  figures.push({ figure: `${callers} callers: order`, value: rate, unit: 'orders/s' });
  return figures;
}

/** From the request to place an order to its answer, against the bare pieces of that way. */
export const bench: Bench = {
  about: `order-path: HTTP to answer at ${CALLERS.join(', ')} callers against its bare pieces in the same run; real PostgreSQL (fsync off), callers in a thread of their own, a venue that asks the simulator process once an order`,
  run: async (report) => {
    const hub = await startOrderHub();
    const figures: Figure[] = [];
    await load({
      url: `${hub.url}/api/connextrade/PlaceOrder`,
      members: hub.members,
      callers: 8,
      seconds: 1,
    });
    for (const callers of CALLERS) figures.push(...(await measured(hub, callers, report)));
    await hub.stop();
    return figures;
  },
};
