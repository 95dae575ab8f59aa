import '../../i18n/trade-words.ts';
import '../../i18n/later-words.ts';
import { expect, test } from 'vitest';
import { text } from '../../i18n/i18n.ts';
import { algoColumns } from './orders/algo-columns.tsx';
import { fillColumns } from './orders/fill-columns.tsx';
import { openOrderColumns, orderHistoryColumns } from './orders/order-columns.tsx';
import { closedColumns, fundingColumns } from './positions/past-columns.tsx';
import { positionColumns } from './positions/position-columns.tsx';

const TOOLS = { text, instrument: () => undefined };
const position = (roomy: boolean) => positionColumns({ ...TOOLS, roomy } as never);
const cancel = { asked: new Set<string>(), onCancel: () => undefined };

/** Heads as they stand, numbers marked by #, those that cannot be sorted by in brackets. */
function heads(
  columns: readonly {
    readonly head: unknown;
    readonly numeric?: boolean;
    readonly order?: unknown;
  }[],
): string {
  return columns
    .flatMap(({ head, numeric, order }) => {
      if (typeof head !== 'string') return [];
      const named = numeric === true ? `#${head}` : head;
      return [order === undefined ? `(${named})` : named];
    })
    .join(' · ');
}

test.each([
  [
    'positions',
    position(false),
    'Symbol · #Size / value · #Entry · #Break-even · #Mark · #Liquidation · #Margin · #Margin ratio · #PnL (ROE) · (TP / SL) · ADL',
  ],
  [
    'positions from 1,920 pixels',
    position(true),
    'Symbol · #Size / value · #Entry · #Break-even · #Mark · #Liquidation · #Margin · #Margin ratio · #PnL (ROE) · (TP / SL) · #Realised (USDT) · #Next funding · Opened · ADL',
  ],
  [
    'open orders',
    openOrderColumns(TOOLS, cancel, () => undefined),
    'Time · Symbol · Type · Side · #Price · #Quantity · #Filled · #Value (USDT) · Flags · #From market',
  ],
  [
    'orders that wait',
    algoColumns({ ...TOOLS } as never),
    'Time · Symbol · Kind · Side · #Trigger · #Price · #Size · #Distance · State',
  ],
  [
    'order history',
    orderHistoryColumns(TOOLS),
    'Time · Symbol · Type · Side · #Price · #Average · #Filled / quantity · #Value (USDT) · #Fee · Status',
  ],
  [
    'position history',
    closedColumns(TOOLS),
    'Closed · Symbol · Side · #Largest size · #Entry · #Exit · #Realised (USDT) · #Fees (USDT) · #Funding (USDT) · #Net (USDT) · #ROE · Held · How',
  ],
  [
    'fills',
    fillColumns(TOOLS, true),
    'Time · Symbol · Side · #Price · #Quantity · #Value (USDT) · #Fee · Role · #Realised (USDT) · (Trade ID)',
  ],
  ['funding', fundingColumns(TOOLS), 'Time · Symbol · Side · #Size · #Mark · #Rate · #Amount (USDT)'],
] as const)('the columns of %s', (_, columns, expected) => {
  expect(heads(columns as never)).toBe(expected);
});

const widths = (columns: readonly { readonly width: number }[]): string =>
  columns.map(({ width }) => width).join(' ');

// Decision 0137: where a head or the longest content needs more than was designed, the column has it; none has less.
test.each([
  [
    'positions',
    position(false),
    '170 112 90 90 90 95 104 84 120 130 44 208',
    '170 110 90 90 90 95 100 70 120 130 30 200',
  ],
  [
    'open orders',
    openOrderColumns(TOOLS, cancel, () => undefined),
    '124 185 140 90 116 116 120 100 110 96 96',
    '100 150 110 90 90 90 90 90 50 70 70',
  ],
  [
    'orders that wait',
    algoColumns({ ...TOOLS } as never),
    '124 185 196 90 160 110 100 90 280 96',
    '100 150 110 90 90 90 90 70 200 70',
  ],
] as const)(
  '%s: no column is narrower than designed, and all fit a window of 1,440',
  (_, columns, built, designed) => {
    expect(widths(columns as never)).toBe(built);
    const pixels = built.split(' ').map(Number);
    const least = designed.split(' ').map(Number);
    expect(pixels.filter((width, at) => width < (least[at] ?? 0))).toEqual([]);
    expect(pixels.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(1_440);
  },
);
