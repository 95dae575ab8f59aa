import type { Lots, Ticks } from '@crossbook/domain';
import type { AlgoLeg } from './algo-legs.ts';

/**
 * What an iceberg is kept by. The core has none: it is one of its orders that wait, for a price that never comes, and its
 * client id says how large its slices are and how far from the market; so it outlives the process as every order does.
 */

/** How an iceberg shows itself. */
export interface IcebergTerms {
  /** About how much one slice is (`szLimit`). */
  readonly visible: Lots;
  /** How far from the best price a slice rests: hundredths of a percent (`pxVar`), or ticks (`pxSpread`). */
  readonly back: { readonly bips: number } | { readonly ticks: Ticks };
}

const PARENT = /^[A-Za-z0-9]*-i([0-9]+)([vs])([0-9]+)(?:r[A-Za-z0-9]*)?$/;
const SLICE = /^([A-Za-z0-9]*)-k([0-9]+)n[0-9]+$/;

/** The core's client id of an iceberg. @param named `algoClOrdId`, empty for none. */
export function icebergClientId(named: string, { visible, back }: IcebergTerms, random: string): string {
  const distance = 'bips' in back ? `v${back.bips}` : `s${back.ticks}`;
  return `${named}-i${visible}${distance}${named === '' ? `r${random}` : ''}`;
}

/** The terms of an iceberg; `undefined` where it is none. */
export function icebergTerms({ clientId }: Pick<AlgoLeg, 'clientId'>): IcebergTerms | undefined {
  const [, visible, word, far] = PARENT.exec(clientId) ?? [];
  if (visible === undefined || far === undefined) return undefined;
  const back = word === 'v' ? { bips: Number(far) } : { ticks: Number(far) as Ticks };
  return { visible: Number(visible) as Lots, back };
}

/** The core's client id of a slice. @param count slices that went before it. */
export function sliceClientId(
  { clientId, algoId }: Pick<AlgoLeg, 'clientId' | 'algoId'>,
  count: number,
): string {
  return `${slicesPrefix({ clientId, algoId })}${count}`;
}

/** How the client ids of an iceberg's slices begin. */
export function slicesPrefix({ clientId, algoId }: Pick<AlgoLeg, 'clientId' | 'algoId'>): string {
  return `${clientId.slice(0, clientId.indexOf('-'))}-k${algoId}n`;
}

/** Of which iceberg an order is a slice, by the core's number, and what its owner called that; `undefined` for another. */
export function icebergOf(
  clientId: string,
): { readonly algoId: number; readonly algoClOrdId: string } | undefined {
  const [, algoClOrdId, algoId] = SLICE.exec(clientId) ?? [];
  return algoId === undefined ? undefined : { algoId: Number(algoId), algoClOrdId: algoClOrdId ?? '' };
}
