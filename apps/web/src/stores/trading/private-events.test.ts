import type { BootConfig, ClosedPositionRow, PositionRow } from '@crossbook/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { positionFixture } from '../../calculators/contracts/position.fixture.ts';
import { bootStore } from '../app/boot.ts';
import { noticesStore } from '../app/notices.ts';
import { beginSession, endSession } from '../member/session.ts';
import { applyPosition, forgetPositions, positionsStore } from './contracts/positions.ts';
import { catchUpPositions } from './private-events.ts';

const closed: ClosedPositionRow = {
  ...{ positionId: 'p1', exchange: 1, symbol: 'BTCUSDT', effect: 0, direction: 'long', marginMode: 'cross' },
  ...{ leverage: 20, maxQuantity: '0.5', entryPrice: '60000', exitPrice: '57000', realisedPnl: '-1500' },
  ...{ fees: '30', funding: '0', net: '-1530', ended: 'liquidated', openedAt: 10, closedAt: 20 },
};

let positions: readonly PositionRow[];
let history: readonly ClosedPositionRow[];

beforeEach(() => {
  forgetPositions();
  noticesStore.setState({ notices: [] });
  vi.stubGlobal('fetch', async (input: string) => {
    const data = String(input).includes('CurPositionList') ? { positions, margin: [] } : { rows: history };
    return new Response(JSON.stringify({ code: 1, msg: 'OK', data }));
  });
  const platforms = [{ platform: 1, state: 'live', symbolTypes: ['SPOT', 'SWAP'] }];
  const config = { hosts: { own: '' }, tenant: 'crossbook', environment: 'test', platforms };
  bootStore.setState({ status: 'ready', config: config as unknown as BootConfig }, true);
  beginSession({ token: 'a token', tid: 100_001 });
});
afterEach(() => {
  endSession();
  vi.unstubAllGlobals();
});

const held = positionFixture({ positionId: 'p1', openedAt: 10 });
const other = { ...closed, positionId: 'p2', closedAt: 5 };

test.each([
  ['liquidated while nobody heard it', [], [closed], ['contract.liquidated']],
  ['deleveraged', [], [{ ...closed, positionId: 'p3', ended: 'deleveraged' }], ['contract.deleveraged']],
  ['closed by its owner elsewhere', [], [{ ...closed, ended: 'closed' }], []],
  ['still there', [held], [other], []],
  ['gone, and another one was liquidated before', [], [other], []],
] as const)('of a position that is %s, what the exchange ended is said', async (_name, now, past, said) => {
  applyPosition(held);
  positions = now;
  history = past;
  await catchUpPositions(1);
  const ids = noticesStore.getState().notices.map(({ message }) => ('id' in message ? message.id : ''));
  expect(ids).toEqual(said);
  expect(positionsStore.getState().open.size).toBe(now.length);
});
