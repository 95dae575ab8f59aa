import type { Side } from '@crossbook/domain';

/** The six labels of spec section 4, as keys of texts. */
export type SideKey = 'buy' | 'sell' | 'openLong' | 'openShort' | 'closeLong' | 'closeShort';

const KEYS: Readonly<Record<`${Side}:${0 | 1 | 2}`, SideKey>> = {
  '1:0': 'buy',
  '2:0': 'sell',
  '1:1': 'openLong',
  '2:2': 'openShort',
  '2:1': 'closeLong',
  '1:2': 'closeShort',
};

/** Which label an order or a fill has: what it does in one-way mode, or to which leg in hedge mode. */
export function sideKey(side: Side, effect: 0 | 1 | 2): SideKey {
  return KEYS[`${side}:${effect}`];
}
