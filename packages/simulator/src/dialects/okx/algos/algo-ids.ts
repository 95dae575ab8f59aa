import type { AlgoLeg } from './algo-legs.ts';

/** Kinds of algo orders that are simulated. */
export const ALGO_KINDS = ['conditional', 'oco', 'trigger', 'move_order_stop', 'iceberg'] as const;
/** One of them. */
export type AlgoKind = (typeof ALGO_KINDS)[number];

/** Of which two legs fire apart, in one order. */
export function isStopKind(kind: AlgoKind): kind is 'conditional' | 'oco' {
  return kind === 'conditional' || kind === 'oco';
}

const LETTERS: Readonly<Record<AlgoKind, string>> = {
  conditional: 'c',
  oco: 'o',
  trigger: 't',
  move_order_stop: 'm',
  iceberg: 'i',
};
const CLIENT_ID = /^([A-Za-z0-9]*)-([cotmi])[A-Za-z0-9]*$/;

/**
 * The core's client id of an algo order: what its owner named it, and its kind, which the core does not know. The order
 * that it sends carries it too, and has no `clOrdId` by it.
 * @param named `algoClOrdId`, empty for none.
 */
export function algoClientId(kind: AlgoKind, named: string, random: string): string {
  return `${named}-${LETTERS[kind]}${named === '' ? random : ''}`;
}

/** `algoClOrdId`; empty where its owner gave none. */
export function algoClOrdIdOf({ clientId }: Pick<AlgoLeg, 'clientId'>): string {
  return CLIENT_ID.exec(clientId)?.[1] ?? '';
}

/** The kind of an algo order by its first leg; what the venue attached itself is a pair or a single stop. */
export function kindOfAlgo(leg: Pick<AlgoLeg, 'clientId' | 'group'>): AlgoKind {
  const letter = CLIENT_ID.exec(leg.clientId)?.[2];
  const known = ALGO_KINDS.find((kind) => LETTERS[kind] === letter);
  return known ?? (leg.group === undefined ? 'conditional' : 'oco');
}
