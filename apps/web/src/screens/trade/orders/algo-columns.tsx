import type { AlgoRow, OrderRow } from '@crossbook/contract';
import { type Amount, parseAmount } from '@crossbook/domain';
import { type ReactNode, Suspense } from 'react';
import { useStore } from 'zustand';
import { percentOfRatio } from '../../../calculators/algos/algo-entry.ts';
import { knownReason, stateWord } from '../../../calculators/algos/algo-reasons.ts';
import { childAtWork } from '../../../calculators/algos/child-at-work.ts';
import { whileAway } from '../../../calculators/algos/while-away.ts';
import { coinsOf, priceShown, sizeShown } from '../../../calculators/tables/order-values.ts';
import type { Text } from '../../../i18n/i18n.ts';
import { endWords } from '../../../i18n/notice-words.ts';
import { type AlgoChange, replaceAlgo } from '../../../stores/algos/algo-calls.ts';
import { isDone } from '../../../stores/algos/algos.ts';
import { ordersStore } from '../../../stores/trading/orders.ts';
import { Button } from '../../../ui/Button.tsx';
import { lazyPart } from '../../../ui/read-ahead.ts';
import { Badge } from '../../../ui/states.tsx';
import { Card } from '../../../ui/tables/Card.tsx';
import {
  algoSizeText,
  type CellTools,
  marketOf,
  SideText,
  SymbolCell,
  TimeText,
  WithDetails,
} from '../tables/cells.tsx';
import { EditableNumber } from '../tables/EditableNumber.tsx';
import type { VirtualColumn } from '../tables/VirtualTable.tsx';
import { distanceOrder, fromMarket, NOWHERE } from './from-market.ts';
import type { TriggerPrices } from './prices-elsewhere.ts';

const AwayState = lazyPart(async () => (await import('./AwayState.tsx')).AwayState);

/** What the cells of orders that wait need besides their row. */
export interface AlgoTools extends CellTools {
  readonly onCancel: (row: AlgoRow) => void;
  /** Whether the hub cannot reach its exchange now. */
  readonly away: (row: AlgoRow) => boolean;
  /** The newest prices of its market; `undefined` where nobody knows them. */
  readonly prices: (row: AlgoRow) => TriggerPrices | undefined;
}

type Leg = NonNullable<AlgoRow['stopLoss']>;

function shownPrice(tools: AlgoTools, row: AlgoRow, price: string | null): string {
  return priceShown(price, tools.instrument(marketOf(row)));
}

/** The legs that it has, with their names in the call that changes them. */
export function legsOf({ takeProfit, stopLoss, algoType }: AlgoRow) {
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

/** One that waits, was placed here, and of which nothing is under way may be changed. */
function isChangeable(row: AlgoRow): boolean {
  return row.state === 'waiting' && !row.unknown && !row.cancelPending && row.ofExchange !== true;
}

/** A stop that ends what is held, or belongs to an order; any other one may begin something. */
function protects({ reduceOnly, side, effect, algoType, parentOrderId }: AlgoRow): boolean {
  const closes = effect !== 0 && effect !== side;
  return reduceOnly || closes || algoType === 'oco' || parentOrderId !== null;
}

function AlgoNumber(props: {
  readonly tools: AlgoTools;
  readonly row: AlgoRow;
  readonly value: string;
  readonly lead: string;
  readonly edits: 'trade.algo.editTrigger' | 'trade.algo.editLimit';
  readonly leg: 'takeProfit' | 'stopLoss';
  readonly field: keyof AlgoChange;
}) {
  const { tools, row, value, lead, edits, leg, field } = props;
  const found = tools.instrument(marketOf(row));
  const price = shownPrice(tools, row, value);
  const named = leg === 'takeProfit' || protects(row) ? leg : 'stop';
  return (
    <EditableNumber
      shown={`${lead}${price}`}
      value={value}
      whole
      label={tools.text(edits, { leg: named, price, symbol: row.symbol })}
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
    // A venue may leave out how far one follows that was set there.
    const far =
      ratio === null && distance === null ? '' : farText(tools, row, { ratio, distance, sign: '± ' });
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
            {...{ tools, row, lead, value: leg.triggerPrice, leg: name, field: trigger }}
            edits="trade.algo.editTrigger"
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
  // Of two legs each stands beside its trigger, which is as high as a thumb needs.
  const beside = legs.length > 1 && isChangeable(row) ? 'flex items-center max-lg:min-h-11' : undefined;
  return (
    <span className="flex flex-col items-start lg:items-end">
      {legs.map(({ leg, name, limit }) =>
        leg.price === null ? (
          <span key={name} className={beside}>
            {tools.text('type.market')}
          </span>
        ) : (
          <AlgoNumber
            key={name}
            {...{ tools, row, lead: '', value: leg.price, leg: name, field: limit }}
            edits="trade.algo.editLimit"
          />
        ),
      )}
    </span>
  );
}

/** What comes with what it sends: "brings TP 61,000 · SL 59,000". */
function broughtTexts(tools: CellTools, { brings, ...row }: AlgoRow): readonly string[] {
  if (brings === undefined) return [];
  const found = tools.instrument(marketOf(row));
  const legs = [
    ['trade.chart.takeProfit', brings.takeProfit],
    ['trade.chart.stopLoss', brings.stopLoss],
  ] as const;
  const said = legs.flatMap(([name, leg]) =>
    leg === null ? [] : [`${tools.text(name)} ${priceShown(leg.triggerPrice, found)}`],
  );
  return [tools.text('trade.algo.brings', { legs: said.join(' · ') })];
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
    ...(row.ofExchange === true ? [text('trade.algo.ofExchange')] : []),
    ...broughtTexts(tools, row),
  ].join(' · ');
}

const STATE_TONES = { firing: 'warning', refused: 'down', fired: 'up' } as const;

/** How much of an iceberg is done, or of the order that it became while that is open. */
function progressText(tools: CellTools, row: AlgoRow, child: OrderRow | undefined): string | undefined {
  const done = row.executed ?? child?.cumQuantity;
  if (done === undefined) return undefined;
  const found = tools.instrument(marketOf(row));
  return tools.text('trade.algo.iceberg.done', {
    ...{
      done: sizeShown(done, found),
      size: sizeShown(row.executed === null ? (child?.quantity ?? null) : row.quantity, found),
    },
  });
}

/** Where it stands, in a word. */
function stateText({ text }: CellTools, row: AlgoRow): string {
  const { unknown, executed, state } = row;
  if (unknown) return text('trade.algo.state.unknown');
  const own = state === 'waiting' || state === 'firing' || state === 'fired' || state === 'refused';
  return text(executed !== null && own ? `trade.algo.iceberg.${state}` : stateWord(row));
}

/** Where it stands, in words; why, where it ended otherwise than wanted. */
function StateCell({ row, tools }: { readonly row: AlgoRow; readonly tools: AlgoTools }) {
  const { text } = tools;
  const child = useStore(ordersStore, ({ open }) => childAtWork(row, open));
  const word = stateText(tools, row);
  const done = row.unknown || row.state === 'refused' ? undefined : progressText(tools, row, child);
  const why = endWords(row);
  const ended = done === undefined ? word : `${word} · ${done}`;
  const said = why === undefined || ended.endsWith(':') ? ended : `${ended}:`;
  const tone = row.unknown ? 'warning' : STATE_TONES[row.state as keyof typeof STATE_TONES];
  const label = tone === undefined ? <span>{said}</span> : <Badge tone={tone}>{said}</Badge>;
  const stands = tools.away(row) ? whileAway(row) : undefined;
  if (stands !== undefined) {
    return (
      <Suspense fallback={label}>
        <AwayState {...{ row, stands }} /> {done !== undefined && <span className="text-soft">{done}</span>}
      </Suspense>
    );
  }
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

/** What fires first, and the price that it waits for; `undefined` where it waits no more. */
function awaited({ prices }: AlgoTools, row: AlgoRow): readonly [string, string | undefined] | undefined {
  const [first] = legsOf(row);
  if (isDone(row) || first?.leg.triggerPrice == null) return undefined;
  return [first.leg.triggerPrice, prices(row)?.[first.leg.triggerBy]];
}

function distanceText(tools: AlgoTools, row: AlgoRow): string {
  const prices = awaited(tools, row);
  return prices === undefined ? '–' : fromMarket(...prices);
}

function distanceKey(tools: AlgoTools, row: AlgoRow): number {
  const prices = awaited(tools, row);
  return prices === undefined ? NOWHERE : distanceOrder(...prices);
}

/** What rows are compared by in the columns of triggers and limits: the first leg's. */
const legKey =
  (field: 'triggerPrice' | 'price') =>
  (row: AlgoRow): number =>
    Number(legsOf(row)[0]?.leg[field] ?? row.iceberg?.price ?? 0);

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
  // What closes the whole position is the largest.
  const sizeKey = (row: AlgoRow): number =>
    row.quantity === null
      ? Number.POSITIVE_INFINITY
      : Number(coinsOf(row.quantity, tools.instrument(marketOf(row))));
  return [
    column('time', 124, (row) => <TimeText millis={row.createdAt} />, { order: (row) => row.createdAt }),
    column('symbol', 185, (row) => <SymbolCell row={row} />, { order: (row) => row.symbol }),
    column('kind', 196, (row) => kindText(tools, row), { order: (row) => row.algoType }),
    column('side', 90, (row) => <SideText side={row.side} effect={row.effect} />, {
      order: (row) => row.side * 3 + row.effect,
    }),
    column('trigger', 160, (row) => <TriggerCell {...{ row, tools }} />, {
      ...numeric,
      order: legKey('triggerPrice'),
    }),
    column('price', 110, (row) => <PriceCell {...{ row, tools }} />, { ...numeric, order: legKey('price') }),
    column('size', 100, (row) => algoSizeText(row, tools), { ...numeric, order: sizeKey }),
    column('distance', 90, (row) => distanceText(tools, row), {
      ...numeric,
      order: (row) => distanceKey(tools, row),
    }),
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

/** A value of a card: one that can be changed is as high as a thumb needs, and still on the line of the others. */
function onCard(row: AlgoRow, of: 'triggerPrice' | 'price', shown: ReactNode): ReactNode {
  const [only, ...others] = legsOf(row);
  const presses = isChangeable(row) && others.length === 0 && only?.leg[of] != null;
  return presses ? <span className="-my-3.5 block">{shown}</span> : shown;
}

/** An order that waits, on a phone. */
export function algoCard(tools: AlgoTools) {
  const { text } = tools;
  return (row: AlgoRow): ReactNode => (
    <>
      <Card
        head={
          <>
            <SymbolCell row={row} />
            <SideText side={row.side} effect={row.effect} />
            <span className="text-soft">{kindText(tools, row)}</span>
            <TimeText millis={row.createdAt} />
          </>
        }
        end={<CancelButton {...{ row, tools }} />}
        pairs={[
          {
            label: text('trade.algo.column.trigger'),
            value: onCard(row, 'triggerPrice', <TriggerCell {...{ row, tools }} />),
          },
          {
            label: text('trade.algo.column.price'),
            value: onCard(row, 'price', <PriceCell {...{ row, tools }} />),
          },
          {
            label: text('trade.algo.column.size'),
            value: `${doneText(row, tools)}${algoSizeText(row, tools)}`,
          },
          { label: text('trade.algo.column.distance'), value: distanceText(tools, row) },
        ]}
      />
      <p className="pt-1 break-words whitespace-normal">
        <StateCell {...{ row, tools }} />
      </p>
    </>
  );
}
