import type { ClosedPositionRow, UserEvent } from '@crossbook/contract';
import { beforeEach, expect, test } from 'vitest';
import { MARGIN } from '../../../calculators/contracts/contract.fixture.ts';
import { positionFixture } from '../../../calculators/contracts/position.fixture.ts';
import { alarmsStore } from '../../app/alarms.ts';
import { setClock } from '../../app/clock.ts';
import { EVENT_TELLINGS } from '../../app/notice-events.ts';
import { noticesStore } from '../../app/notices.ts';
import { forgetWarnings, sayContractEvent } from './contract-notices.ts';
import { applyPosition, endPosition, forgetPositions } from './positions.ts';

const closed: ClosedPositionRow = {
  ...{ positionId: 'p1', exchange: 1, symbol: 'BTCUSDT', effect: 0, direction: 'long', marginMode: 'cross' },
  ...{ leverage: 20, maxQuantity: '0.5', entryPrice: '60000', exitPrice: '57000', realisedPnl: '-1500' },
  ...{ fees: '30', funding: '0', net: '-1530', ended: 'liquidated', openedAt: 1, closedAt: 2 },
};

let clock = 0;
beforeEach(() => {
  setClock({ now: () => clock, randomBytes: () => new Uint8Array(10) });
  forgetWarnings();
});

function said(event: UserEvent) {
  const before = { notices: noticesStore.getState().notices.length, alarms: alarmsStore.getState().count };
  if (event.kind === 'position') applyPosition(event.position);
  sayContractEvent(event);
  return {
    ids: noticesStore
      .getState()
      .notices.slice(before.notices)
      .map(({ message, event }) => [
        'id' in message ? message.id : '',
        event !== undefined && EVENT_TELLINGS[event].toast === 'stays',
      ]),
    alarms: alarmsStore.getState().count - before.alarms,
  };
}

const funding = {
  id: 'f1',
  exchange: 1,
  symbol: 'BTCUSDT',
  effect: 0,
  quantity: '1',
  markPrice: '1',
} as const;

test('a payment of funding is kept in the list and is no toast', () => {
  const paid = { ...funding, rate: '0.0001', amount: '-3.2', time: 1 };
  sayContractEvent({ kind: 'funding', funding: paid });
  expect(noticesStore.getState().notices.at(-1)).toMatchObject({
    ...{ message: { id: 'contract.funding' }, event: 'booked' },
    detail: { values: { amount: '−3.20', rate: '+0.0100%' } },
  });
});

test.each([
  ['a liquidation', { kind: 'position-closed', closed }, 'contract.liquidated', 1],
  [
    'auto-deleveraging',
    { kind: 'position-closed', closed: { ...closed, positionId: 'p2', ended: 'deleveraged' } },
    'contract.deleveraged',
    1,
  ],
  ['a margin call', { kind: 'margin-call', exchange: 1, symbols: ['BTCUSDT'] }, 'contract.marginCall', 1],
  [
    'a position under liquidation',
    { kind: 'position', position: positionFixture({ positionId: 'p0', status: 'liquidating' }) },
    'contract.liquidating',
    0,
  ],
] as const satisfies readonly (readonly [string, UserEvent, string, number])[])(
  '%s stays on screen until it is put away',
  (_name, event, id, alarms) => {
    expect(said(event)).toEqual({ ids: [[id, true]], alarms });
  },
);

test.each([
  ['a position that its owner closed', { kind: 'position-closed', closed: { ...closed, ended: 'closed' } }],
  ['an ordinary change', { kind: 'position', position: positionFixture() }],
] as const satisfies readonly (readonly [string, UserEvent])[])('%s needs no notice', (_name, event) => {
  expect(said(event)).toEqual({ ids: [], alarms: 0 });
});

test('what the stream tells and a list tells again is said once', () => {
  const paid = { ...funding, id: 'f2', rate: '0.0001', amount: '-3.2', time: 1 };
  const events = [
    { kind: 'position-closed', closed: { ...closed, positionId: 'p3' } },
    { kind: 'funding', funding: paid },
  ] as const satisfies readonly UserEvent[];
  for (const event of events) expect(said(event).ids).toHaveLength(1);
  for (const event of events) expect(said(event)).toEqual({ ids: [], alarms: 0 });
});

test('a liquidation that is told of after its end does not take the end back', () => {
  const position = positionFixture({ positionId: 'p6', status: 'liquidating' });
  said({ kind: 'position', position });
  expect(said({ kind: 'position-closed', closed: { ...closed, positionId: 'p6' } }).alarms).toBe(1);
  expect(said({ kind: 'position', position })).toEqual({ ids: [], alarms: 0 });
  // Nor does one of a position that no longer stands, whatever its name.
  endPosition({ ...closed, closedAt: position.updatedAt + 1 });
  expect(said({ kind: 'position', position: { ...position, positionId: 'p7' } }).ids).toEqual([]);
});

test('what can be done stands on the notice: margin and closing where it is near, the history where it is over', () => {
  const actions = (event: UserEvent) => {
    sayContractEvent(event);
    return noticesStore
      .getState()
      .notices.at(-1)
      ?.actions?.map((action) => Object.values(action).join(' '));
  };
  const call: UserEvent = { kind: 'margin-call', exchange: 1, symbols: ['BTCUSDT'] };
  forgetPositions();
  expect(actions(call)).toEqual(['contract.toAddMargin add-margin']);
  forgetWarnings();
  applyPosition(positionFixture({ exchange: 2, symbol: 'ETH-USDT-SWAP' }));
  applyPosition(positionFixture());
  const both = ['contract.toAddMargin add-margin', 'contract.toClose close 1 BTCUSDT'];
  expect(actions(call)).toEqual(both);
  expect(actions({ kind: 'margin', margin: { ...MARGIN, exchange: 1, ratio: 0.9 } })).toEqual(both);
  expect(actions({ kind: 'position-closed', closed: { ...closed, positionId: 'p4' } })).toEqual([
    'contract.toHistory history 1 BTCUSDT',
  ]);
});

test('figures are rounded for reading, and a ratio is never more than all of it', () => {
  const long = { ...closed, positionId: 'p5', exitPrice: '43180.62721525', net: '443.687502526666666667' };
  sayContractEvent({ kind: 'position-closed', closed: long });
  expect(noticesStore.getState().notices.at(-1)?.detail).toMatchObject({
    values: { price: '43,180.63', net: '+443.69' },
  });
  sayContractEvent({ kind: 'margin', margin: { ...MARGIN, exchange: 3, ratio: 1e9 } });
  expect(noticesStore.getState().notices.at(-1)?.message).toMatchObject({ values: { percent: '100.0' } });
});

function heardAt(exchange: 1 | 2, ratio: number | null): string {
  const { ids, alarms } = said({ kind: 'margin', margin: { ...MARGIN, exchange, ratio } });
  return ids.length === 0 ? '' : alarms === 0 ? 'warned' : 'alarm';
}

test('where the exchange has a mark of its own, that is said too', () => {
  const ratios = [0.33, 0.34, 0.3, 0.35, 0.71, 0.86, 0.2, 0.34];
  expect(ratios.map((ratio) => heardAt(2, ratio))).toEqual([
    ...['', 'warned', '', '', 'warned', 'alarm', '', 'warned'],
  ]);
});

test('a margin call that is repeated is said once, with all contracts that it named, and again when it lasts', () => {
  const call = (...symbols: string[]) => {
    const { ids } = said({ kind: 'margin-call', exchange: 1, symbols });
    return ids.length === 0 ? '' : noticesStore.getState().notices.at(-1)?.message;
  };
  const of = (symbols: string) => ({ id: 'contract.marginCall', values: { venue: 'Binance', symbols } });
  expect(call('BTCUSDT')).toEqual(of('BTCUSDT'));
  expect(call('BTCUSDT')).toBe('');
  expect(call('ETHUSDT')).toEqual(of('BTCUSDT, ETHUSDT'));
  expect(call('BTCUSDT', 'ETHUSDT')).toBe('');
  clock += 300_000;
  expect(call('ETHUSDT')).toEqual(of('ETHUSDT'));
  forgetWarnings();
  expect(call('ETHUSDT')).toEqual(of('ETHUSDT'));
});

test('a call that comes long before liquidation is a warning, in the place of the one by our own ratio', () => {
  const call = (symbol: string) => said({ kind: 'margin-call', exchange: 2, symbols: [symbol] });
  const warned = { ids: [['contract.marginCall', true]], alarms: 0 };
  const newest = () => noticesStore.getState().notices.at(-1)?.key;
  expect(call('BTC-USDT-SWAP')).toEqual(warned);
  expect([0.34, 0.71].map((ratio) => heardAt(2, ratio))).toEqual(['', 'warned']);
  const ratio = newest();
  // It takes no graver one's place.
  expect(call('ETH-USDT-SWAP')).toEqual(warned);
  expect(newest()).not.toBe(ratio);
  forgetWarnings();
  expect(heardAt(2, 0.34)).toBe('warned');
  expect(call('BTC-USDT-SWAP')).toEqual(warned);
  expect(newest()).toBe(ratio);
});

test('a ratio is said once per crossing, and again only after it fell five points below', () => {
  const at = (ratio: number | null) => heardAt(1, ratio);
  const ratios = [null, 0.69, 0.71, 0.75, 0.69, 0.72, 0.86, 0.9, 0.84, 0.86, 0.79, 0.86, 0.5, 0.71];
  expect(ratios.map(at)).toEqual([
    ...['', '', 'warned', '', '', '', 'alarm', '', '', '', '', 'alarm', '', 'warned'],
  ]);
});
