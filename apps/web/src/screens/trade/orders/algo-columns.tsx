import type { AlgoRow } from '@crossbook/contract';
import { type Amount, parseAmount } from '@crossbook/domain';
import type { ReactNode } from 'react';
import { percentOfRatio } from '../../../calculators/algos/algo-entry.ts';
import { knownReason } from '../../../calculators/algos/algo-reasons.ts';
import { priceShown, sizeShown } from '../../../calculators/tables/order-values.ts';
import type { Text } from '../../../i18n/i18n.ts';
import { endWords } from '../../../i18n/notice-words.ts';
import { type AlgoChange, replaceAlgo } from '../../../stores/algos/algo-calls.ts';
import { isDone } from '../../../stores/algos/algos.ts';
import type { MarketName } from '../../../stores/market/market.ts';
import { Button } from '../../../ui/Button.tsx';
import { Badge } from '../../../ui/states.tsx';
import {
  Card,
  type CellTools,
  isOf,
  marketOf,
  SideText,
  SymbolCell,
  TimeText,
  WithDetails,
} from '../tables/cells.tsx';
import { EditableNumber } from '../tables/EditableNumber.tsx';
import type { VirtualColumn } from '../tables/VirtualTable.tsx';
import { fromMarket } from './from-market.ts';

/** What the cells of orders that wait need besides their row. */
export interface AlgoTools extends CellTools {
  readonly onCancel: (row: AlgoRow) => void;
  /** The newest price of a kind in the market on screen, and which one that is. */
  readonly prices: {
    readonly of: MarketName;
    readonly last: string | undefined;
    readonly mark: string | undefined;
  };
}

type Leg = NonNullable<AlgoRow['stopLoss']>;

function shownPrice(tools: AlgoTools, row: AlgoRow, price: string | null): string {
  return priceShown(price, tools.instrument(marketOf(row)));
}

/** The legs that it has, with their names in the call that changes them. */
function legsOf({ takeProfit, stopLoss, algoType }: AlgoRow) {
  const single = algoType !== 'oco';
  const of = (leg: Leg, name: 'takeProfit' | 'stopLoss') =>
    ({
      ...{ leg, name },
      trigger: single ? 'triggerPrice' : name,
      limit: single ? 'price' : name === 'takeProfit' ? 'takeProfitPrice' : 'stopLossPrice',
    }) as const;
  return [
    ...(takeProfit === null ? [] : [of(takeProfit, 'takeProfit')]),
    ...(stopLoss === null ? [] : [of(stopLoss, 'stopLoss')]),
  ];
}

async function change(text: Text, row: AlgoRow, values: AlgoChange): Promise<string | undefined> {
  const answer = await replaceAlgo(row, values);
  if (answer.ok) return undefined;
  return answer.kind === 'refused' ? answer.message : text('order.unknown');
}

/** One that waits and of which nothing is under way may be changed. */
function isChangeable(row: AlgoRow): boolean {
  return row.state === 'waiting' && !row.unknown && !row.cancelPending;
}

function AlgoNumber(props: {
  readonly tools: AlgoTools;
  readonly row: AlgoRow;
  readonly value: string;
  readonly lead: string;
  readonly label: string;
  readonly field: keyof AlgoChange;
}) {
  const { tools, row, value, lead, label, field } = props;
  const found = tools.instrument(marketOf(row));
  return (
    <EditableNumber
      shown={`${lead}${shownPrice(tools, row, value)}`}
      value={value}
      label={`${label} ${row.symbol}`}
      step={found?.tickSize ?? (1n as Amount)}
      onChange={isChangeable(row) ? (text) => change(tools.text, row, { [field]: text }) : undefined}
    />
  );
}

/** How far a trailing stop or an iceberg stays from the market; with a sign, so that nobody takes it for a price. */
function farText(
  tools: AlgoTools,
  row: AlgoRow,
  { ratio, distance, sign }: Record<'ratio' | 'distance', string | null> & { readonly sign: string },
): string {
  return ratio === null
    ? `${sign}${shownPrice(tools, row, distance ?? '0')}`
    : `${percentOfRatio(parseAmount(ratio) ?? (0n as Amount))} %`;
}

/** When it fires: "last ≤ 58,000", each leg on a line, a trailing one by its distance. */
function TriggerCell({ row, tools }: { readonly row: AlgoRow; readonly tools: AlgoTools }): ReactNode {
  const { text } = tools;
  if (row.iceberg !== null) {
    const { behindRatio: ratio, behindDistance: distance } = row.iceberg;
    return text('trade.algo.iceberg.behind', { far: farText(tools, row, { ratio, distance, sign: '' }) });
  }
  if (row.trailing !== null) {
    const { ratio, distance, activation, triggerBy } = row.trailing;
    const far = farText(tools, row, { ratio, distance, sign: '± ' });
    const from =
      activation === null
        ? ''
        : `, ${text('trade.algo.from', { price: shownPrice(tools, row, activation) })}`;
    return `${text(`trade.algo.by.${triggerBy}`)} ${far}${from}`;
  }
  return (
    <span className="flex flex-col items-start lg:items-end">
      {legsOf(row).map(({ leg, name, trigger }) => {
        if (leg.triggerPrice === null) return null;
        const upward = (row.side === 1) === (name === 'stopLoss');
        const lead = `${text(`trade.algo.by.${leg.triggerBy}`)} ${upward ? '≥' : '≤'} `;
        return (
          <AlgoNumber
            key={name}
            {...{ tools, row, lead, value: leg.triggerPrice, field: trigger }}
            label={text('trade.algo.editTrigger')}
          />
        );
      })}
    </span>
  );
}

/** What it then sends: a limit that may be changed, or the market. */
function PriceCell({ row, tools }: { readonly row: AlgoRow; readonly tools: AlgoTools }): ReactNode {
  const legs = legsOf(row);
  if (row.iceberg !== null)
    return `${row.side === 1 ? '≤' : '≥'} ${shownPrice(tools, row, row.iceberg.price)}`;
  if (legs.length === 0) return tools.text('type.market');
  return (
    <span className="flex flex-col items-start lg:items-end">
      {legs.map(({ leg, name, limit }) =>
        leg.price === null ? (
          <span key={name}>{tools.text('type.market')}</span>
        ) : (
          <AlgoNumber
            key={name}
            {...{ tools, row, lead: '', value: leg.price, field: limit }}
            label={tools.text('trade.algo.editLimit')}
          />
        ),
      )}
    </span>
  );
}

/** How much, in base coins, or that it is all of the position. */
export function algoSizeText(row: AlgoRow, tools: CellTools): string {
  return row.quantity === null
    ? tools.text('trade.algo.wholeShort')
    : sizeShown(row.quantity, tools.instrument(marketOf(row)));
}

/** Kind, and what it belongs to: "Stop · RO", "Take-profit · with an order". */
function kindText(tools: CellTools, row: AlgoRow): string {
  const { text } = tools;
  return [
    row.iceberg === null
      ? text(`trade.algo.type.${row.algoType}`)
      : text('trade.iceberg.of', {
          size: sizeShown(row.iceberg.visibleQuantity, tools.instrument(marketOf(row))),
        }),
    ...(row.reduceOnly && row.effect === 0 ? [text('trade.orders.reduceOnly')] : []),
    ...(row.parentOrderId === null ? [] : [text('trade.algo.attached')]),
  ].join(' · ');
}

const STATE_TONES = { firing: 'warning', refused: 'down', fired: 'up' } as const;

/** Where it stands: of an iceberg with how much of it is done. */
function stateText(tools: CellTools, row: AlgoRow): string {
  const { text } = tools;
  const { state, executed } = row;
  if (row.unknown) return text('trade.algo.state.unknown');
  if (executed === null) return text(`trade.algo.state.${state}`);
  const found = tools.instrument(marketOf(row));
  const done = text('trade.algo.iceberg.done', {
    ...{ done: sizeShown(executed, found), size: sizeShown(row.quantity, found) },
  });
  const own = state === 'waiting' || state === 'firing' || state === 'fired' || state === 'refused';
  const word = text(own ? `trade.algo.iceberg.${state}` : `trade.algo.state.${state}`);
  return state === 'refused' ? word : `${word} · ${done}`;
}

/** Where it stands, in words; why, where it ended otherwise than wanted. */
function StateCell({ row, tools }: { readonly row: AlgoRow; readonly tools: CellTools }) {
  const { text } = tools;
  const word = stateText(tools, row);
  const tone = row.unknown ? 'warning' : STATE_TONES[row.state as keyof typeof STATE_TONES];
  const label = tone === undefined ? <span>{word}</span> : <Badge tone={tone}>{word}</Badge>;
  const why = endWords(row);
  if (why === undefined) return label;
  const known = knownReason(why);
  const reason = known === undefined ? why : `${text(known.id)}${known.rest}`;
  return (
    <WithDetails row={row}>
      <span title={reason}>
        {label} <span className="text-soft">{reason}</span>
      </span>
    </WithDetails>
  );
}

function distanceText({ prices }: AlgoTools, row: AlgoRow): string {
  const [first] = legsOf(row);
  if (isDone(row) || !isOf(row, prices.of) || first?.leg.triggerPrice == null) return '–';
  return fromMarket(first.leg.triggerPrice, first.leg.triggerBy === 'mark' ? prices.mark : prices.last);
}

function CancelButton({ row, tools }: { readonly row: AlgoRow; readonly tools: AlgoTools }) {
  if (isDone(row)) return null;
  const { text } = tools;
  return (
    <Button
      size="small"
      disabled={row.cancelPending}
      aria-label={`${text('trade.orders.cancel')} ${row.symbol} ${text(`trade.algo.type.${row.algoType}`)}`}
      data-removes=""
      onClick={() => tools.onCancel(row)}
      className="h-6 max-lg:h-11"
    >
      {text(row.cancelPending ? 'trade.orders.cancelling' : 'trade.orders.cancel')}
    </Button>
  );
}

type AlgoColumn =
  | ('time' | 'symbol' | 'kind' | 'side' | 'trigger')
  | ('price' | 'size' | 'distance' | 'state' | 'action');

/** Columns of orders that wait for a price. */
export function algoColumns(tools: AlgoTools): readonly VirtualColumn<AlgoRow>[] {
  const { text } = tools;
  const column = (
    id: AlgoColumn,
    width: number,
    cell: (row: AlgoRow) => ReactNode,
    more: Partial<VirtualColumn<AlgoRow>> = {},
  ): VirtualColumn<AlgoRow> => ({ id, width, cell, head: text(`trade.algo.column.${id}`), ...more });
  const numeric = { numeric: true } as const;
  return [
    column('time', 124, (row) => <TimeText millis={row.createdAt} />, { order: (row) => row.createdAt }),
    column('symbol', 185, (row) => <SymbolCell row={row} />, { order: (row) => row.symbol }),
    column('kind', 196, (row) => kindText(tools, row), { order: (row) => row.algoType }),
    column('side', 90, (row) => <SideText side={row.side} effect={row.effect} />),
    column('trigger', 160, (row) => <TriggerCell {...{ row, tools }} />, numeric),
    column('price', 110, (row) => <PriceCell {...{ row, tools }} />, numeric),
    column('size', 100, (row) => algoSizeText(row, tools), numeric),
    column('distance', 90, (row) => distanceText(tools, row), numeric),
    column('state', 280, (row) => <StateCell {...{ row, tools }} />, { order: (row) => row.state }),
    {
      ...column('action', 96, (row) => <CancelButton {...{ row, tools }} />, { numeric: true, sticky: true }),
      head: <span className="sr-only">{text('trade.orders.action')}</span>,
    },
  ];
}

/** How much of an iceberg is done, before its size: a phone has no room for it beside the state. */
function doneText({ executed, ...row }: AlgoRow, tools: CellTools): string {
  return executed === null ? '' : `${sizeShown(executed, tools.instrument(marketOf(row)))} / `;
}

/** An order that waits, on a phone. */
export function algoCard(tools: AlgoTools) {
  const { text } = tools;
  return (row: AlgoRow): ReactNode => (
    <Card
      head={
        <>
          <SymbolCell row={row} />
          <SideText side={row.side} effect={row.effect} />
          <span className="text-soft">{kindText(tools, row)}</span>
        </>
      }
      end={<CancelButton {...{ row, tools }} />}
      pairs={[
        { label: text('trade.algo.column.trigger'), value: <TriggerCell {...{ row, tools }} /> },
        { label: text('trade.algo.column.price'), value: <PriceCell {...{ row, tools }} /> },
        {
          label: text('trade.algo.column.size'),
          value: `${doneText(row, tools)}${algoSizeText(row, tools)}`,
        },
        { label: text('trade.algo.column.distance'), value: distanceText(tools, row) },
        { label: text('trade.algo.column.time'), value: <TimeText millis={row.createdAt} /> },
        { label: text('trade.algo.column.state'), value: <StateCell {...{ row, tools }} /> },
      ]}
    />
  );
}
