import { beforeEach, expect, test } from 'vitest';
import {
  algoTicketStore,
  changeAlgoEntry,
  changeTargets,
  clearAlgoEntries,
  followAlgoMarket,
} from './algo-ticket.ts';

function fill(): void {
  const { targets } = algoTicketStore.getState();
  changeAlgoEntry({
    trigger: '58000',
    takeProfit: '62000',
    callback: '1',
    activation: '60000',
    whole: true,
    visible: '0.1',
  });
  changeTargets({
    on: true,
    takeProfit: { ...targets.takeProfit, text: '2', unit: 'percent' },
    stopLoss: { ...targets.stopLoss, text: '1', unit: 'percent' },
  });
}

/** What could be sent by mistake: figures, and whether any are wanted. */
function left(): readonly unknown[] {
  const { entry, targets } = algoTicketStore.getState();
  const { trigger, takeProfit, callback, activation, visible, whole } = entry;
  return [
    trigger,
    takeProfit,
    callback,
    activation,
    visible,
    whole,
    targets.on,
    targets.takeProfit.text,
    targets.stopLoss.text,
  ];
}

beforeEach(() => followAlgoMarket('1:SPOT:BTCUSDT'));

const NOTHING = ['', '', '', '', '', false, false, '', ''];

test('take-profit, stop-loss and triggers are of one order: once it was sent they never come back, their unit stays', () => {
  fill();
  clearAlgoEntries();
  expect(left()).toEqual(NOTHING);
  // Switched on again, it begins empty.
  changeTargets({ on: true });
  expect(left()).toEqual(NOTHING.with(6, true));
  expect(algoTicketStore.getState().targets.takeProfit.unit).toBe('percent');
});

test('the form of the targets, shares and units go on to the next order and market; their figures do not', () => {
  const trailing = { callback: '1', callbackIn: 'distance', activation: '61000' } as const;
  const parts = [
    { target: { text: '2', unit: 'percent' }, share: '40' },
    { target: { text: '62000', unit: 'price' }, share: '60' },
  ] as const;
  changeTargets({ on: true, form: 'several', parts, trailing });
  followAlgoMarket('2:SWAP:BTC-USDT-SWAP');
  expect(algoTicketStore.getState().targets).toMatchObject({
    ...{ on: false, form: 'several', trailing: { callback: '', callbackIn: 'distance', activation: '' } },
    parts: [
      { target: { text: '', unit: 'percent' }, share: '40' },
      { target: { text: '', unit: 'price' }, share: '60' },
    ],
  });
});

test('another market begins without them, the same one keeps them', () => {
  fill();
  followAlgoMarket('1:SPOT:BTCUSDT');
  expect(left()[0]).toBe('58000');
  followAlgoMarket('1:SPOT:ETHUSDT');
  expect(left()).toEqual(NOTHING);
  followAlgoMarket('1:SPOT:BTCUSDT');
  expect(left()).toEqual(NOTHING);
});
