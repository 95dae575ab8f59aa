import type { AlgoRow, BootConfig, ClosedPositionRow, PositionRow } from '@crossbook/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { positionFixture } from '../../calculators/contracts/position.fixture.ts';
import { bootStore } from '../app/boot.ts';
import { noticesStore } from '../app/notices.ts';
import { beginSession, endSession } from '../member/session.ts';
import { applyPosition, forgetPositions, positionsStore } from './contracts/positions.ts';
import { catchUpPositions, onUser } from './private-events.ts';

const closed: ClosedPositionRow = {
  ...{ positionId: 'p1', exchange: 1, symbol: 'BTCUSDT', effect: 0, direction: 'long', marginMode: 'cross' },
  ...{ leverage: 20, maxQuantity: '0.5', entryPrice: '60000', exitPrice: '57000', realisedPnl: '-1500' },
  ...{ fees: '30', funding: '0', net: '-1530', ended: 'liquidated', openedAt: 10, closedAt: 20 },
};

let positions: readonly PositionRow[];
let history: readonly ClosedPositionRow[];
let reads: number;

beforeEach(() => {
  forgetPositions();
  reads = 0;
  noticesStore.setState({ notices: [] });
  vi.stubGlobal('fetch', async (input: string) => {
    if (String(input).includes('CurPositionList')) reads += 1;
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

test.each([
  ['a leg of an order on a contract', { parentOrderId: 'its order', symbolType: 'SWAP' }, false],
  ['one that nothing hangs on', { parentOrderId: null, symbolType: 'SWAP' }, true],
  ['a leg of a pair', { parentOrderId: 'its order', symbolType: 'SPOT' }, true],
] as const)('once %s has changed, a position is as protected as its list says', async (_name, of, bare) => {
  applyPosition({ ...held, unprotected: true });
  positions = [held];
  const algo = {
    algoId: `a ${of.symbolType} ${of.parentOrderId}`,
    exchange: 1,
    state: 'waiting',
    updatedAt: 1,
    ...of,
  };
  // Any number of them at once is one more read.
  for (let at = 0; at < 3; at += 1) onUser({ kind: 'algo', algo: algo as unknown as AlgoRow });
  await vi.waitFor(() => {
    const [row] = positionsStore.getState().open.values();
    expect(row?.unprotected === true).toBe(bare);
  });
  expect(reads).toBeLessThanOrEqual(2);
});
