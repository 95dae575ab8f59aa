import { amount, POSITION_SIDE, SIDE, TIME_IN_FORCE } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { shownIn as binance } from '../binance/perps/trading/algo-states.ts';
import { ALGO } from '../binance/perps/trading/messages.fixture.ts';
import { shownIn as bybit } from '../bybit/account/algo-shapes.ts';
import { shownIn as okx } from '../okx/account/algo-shapes.ts';

/**
 * What lists say of an order that somebody set at the exchange, read in full or not at all. Shapes: Binance "Current All Algo
 * Open Orders", OKX v5 "Algo order list", Bybit v5 order/open-order (2026-07).
 */

const at = (price: string, by: 'last' | 'mark' = 'last', limit?: string) => ({
  trigger: { price: amount(price), by },
  ...(limit === undefined ? {} : { limit: amount(limit) }),
});
const NET = { position: POSITION_SIDE.NET, timeInForce: TIME_IN_FORCE.GTC, reduces: true } as const;
const SELL = { ...NET, side: SIDE.SELL } as const;

const OKX = {
  ...{ instType: 'SWAP', instId: 'BTC-USDT-SWAP', ordType: 'conditional', side: 'sell', posSide: 'net' },
  ...{ tdMode: 'cross', sz: '5', closeFraction: '', reduceOnly: 'true', tpTriggerPx: '', tpOrdPx: '' },
  ...{ tpTriggerPxType: '', slTriggerPx: '59000', slTriggerPxType: 'mark', slOrdPx: '-1' },
  ...{ callbackRatio: '', callbackSpread: '', activePx: '' },
};
const OKX_STOP = { ...SELL, marginMode: 'cross', plan: { kind: 'stop', leg: at('59000', 'mark') } } as const;
const target = { tpTriggerPx: '61000', tpTriggerPxType: 'last', tpOrdPx: '61100' };
const trigger = {
  ...{ ordType: 'trigger', slTriggerPx: '', slTriggerPxType: '', slOrdPx: '' },
  ...{ triggerPx: '59000', triggerPxType: 'mark', ordPx: '58900', last: '60000' },
};
const trail = { ordType: 'move_order_stop', slTriggerPx: '', callbackSpread: '50', activePx: '62000' };

describe('OKX', () => {
  test.each<[string, object, object | undefined]>([
    ['a stop', {}, { ...OKX_STOP, quantity: amount('5') }],
    ['one on all of it', { sz: '', closeFraction: '1' }, OKX_STOP],
    [
      'both legs of a long position',
      { ...target, ordType: 'oco', posSide: 'long', tdMode: 'isolated', reduceOnly: 'false' },
      {
        ...{ ...OKX_STOP, marginMode: 'isolated', position: POSITION_SIDE.LONG, quantity: amount('5') },
        plan: { kind: 'oco', takeProfit: at('61000', 'last', '61100'), stopLoss: at('59000', 'mark') },
      },
    ],
    [
      'a trailing stop',
      trail,
      {
        ...{ ...OKX_STOP, quantity: amount('5') },
        plan: {
          kind: 'trailing',
          trailing: { by: 'last', distance: amount('50'), activation: amount('62000') },
        },
      },
    ],
    [
      'a trigger order below the price of its placing, with what it brings',
      {
        ...trigger,
        attachAlgoOrds: [{ ...target, slTriggerPx: '58000', slTriggerPxType: 'index', slOrdPx: '-1' }],
      },
      {
        ...{ ...OKX_STOP, quantity: amount('5') },
        plan: { kind: 'stop', leg: at('59000', 'mark', '58900') },
        brings: {
          takeProfit: at('61000', 'last', '61100'),
          stopLoss: { trigger: { price: amount('58000'), by: 'index' } },
        },
      },
    ],
    [
      'a trigger order above it, which brings a stop alone',
      {
        ...trigger,
        last: '58000',
        ordPx: '-1',
        attachAlgoOrds: [{ slTriggerPx: '57000', slTriggerPxType: '', slOrdPx: '-1' }],
      },
      {
        ...{ ...OKX_STOP, quantity: amount('5') },
        plan: { kind: 'take-profit', leg: at('59000', 'mark') },
        brings: { stopLoss: at('57000') },
      },
    ],
    ['a trigger order that does not say where the price stood', { ...trigger, last: '' }, undefined],
    [
      'a trigger order that brings several targets',
      { ...trigger, attachAlgoOrds: [target, target] },
      undefined,
    ],
    [
      'a trigger order that brings a share',
      { ...trigger, attachAlgoOrds: [{ tpTriggerRatio: '0.1' }] },
      undefined,
    ],
    ['its leverage', { lever: '20.0' }, { ...OKX_STOP, quantity: amount('5'), leverage: 20 }],
    ['a leverage that is none', { lever: '0' }, { ...OKX_STOP, quantity: amount('5') }],
    ['one that opens', { reduceOnly: 'false' }, { ...OKX_STOP, quantity: amount('5'), reduces: false }],
    ['a pair', { instType: 'SPOT' }, undefined],
    ['no trigger', { slTriggerPx: '' }, undefined],
    ['no side', { side: '' }, undefined],
    ['no size', { sz: '' }, undefined],
    ['an unknown price', { slTriggerPxType: 'oracle' }, undefined],
  ])('%s', (_claim, part, shown) => {
    expect(okx({ ...OKX, ...part })).toEqual(shown);
  });
});

const BYBIT = {
  ...{
    side: 'Sell',
    positionIdx: 0,
    stopOrderType: 'StopLoss',
    triggerPrice: '59000',
    triggerBy: 'MarkPrice',
  },
  ...{
    triggerDirection: 2,
    price: '0',
    qty: '0',
    timeInForce: 'IOC',
    reduceOnly: true,
    closeOnTrigger: true,
  },
};
const BYBIT_STOP = {
  ...{ ...SELL, timeInForce: TIME_IN_FORCE.IOC, plan: { kind: 'stop', leg: at('59000', 'mark') } },
} as const;

describe('Bybit', () => {
  test.each<[string, object, object | undefined]>([
    ['a stop of the position', {}, BYBIT_STOP],
    [
      'a target of a part at a limit',
      {
        ...{ stopOrderType: 'PartialTakeProfit', triggerDirection: 1, triggerPrice: '61000', qty: '0.02' },
        ...{ triggerBy: 'LastPrice', price: '61100', timeInForce: 'GTC' },
      },
      { ...SELL, quantity: amount('0.02'), plan: { kind: 'take-profit', leg: at('61000', 'last', '61100') } },
    ],
    [
      'a trailing stop, how far it follows unsaid',
      { stopOrderType: 'TrailingStop', triggerPrice: '62000', qty: '0.02' },
      {
        ...{ ...SELL, timeInForce: TIME_IN_FORCE.IOC },
        plan: { kind: 'trailing', trailing: { by: 'last', activation: amount('62000') } },
      },
    ],
    ['no direction', { triggerDirection: 0 }, undefined],
    ['no position', { positionIdx: 7 }, undefined],
    ['no size', { qty: 'x' }, undefined],
  ])('%s', (_claim, part, shown) => {
    expect(bybit({ ...BYBIT, ...part })).toEqual(shown);
  });
});

describe('Binance', () => {
  const stop = { ...SELL, plan: { kind: 'stop', leg: at('59000', 'mark') } } as const;
  test.each<[string, object, object | undefined]>([
    ['a stop', {}, { ...stop, quantity: amount('0.5') }],
    ['one on all of it', { closePosition: true, quantity: '0', reduceOnly: false }, stop],
    [
      'a target at a limit',
      { orderType: 'TAKE_PROFIT', price: '61100', triggerPrice: '61000', workingType: 'CONTRACT_PRICE' },
      {
        ...{ ...stop, quantity: amount('0.5') },
        plan: { kind: 'take-profit', leg: at('61000', 'last', '61100') },
      },
    ],
    [
      'a trailing stop',
      { orderType: 'TRAILING_STOP_MARKET', callbackRate: '1.5', triggerPrice: '' },
      {
        ...{ ...stop, quantity: amount('0.5') },
        plan: { kind: 'trailing', trailing: { by: 'mark', ratio: amount('0.015') } },
      },
    ],
    ['an unknown kind', { orderType: 'LIMIT' }, undefined],
    ['no trigger', { triggerPrice: '0' }, undefined],
  ])('%s', (_claim, part, shown) => {
    expect(binance({ ...ALGO, ...part })).toEqual(shown);
  });
});
