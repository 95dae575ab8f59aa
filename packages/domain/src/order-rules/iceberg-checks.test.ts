import { describe, expect, test } from 'vitest';
import type { AlgoOffer, AlgoPlan } from '../algo-order.ts';
import { amount, ZERO } from '../amount.ts';
import { SIDE, TIME_IN_FORCE } from '../order.ts';
import { algoFaults } from './algo-checks.ts';
import { algoHold } from './algo-hold.ts';
import type { AlgoRequest } from './algo-request.ts';
import { BTCUSDT } from './btcusdt.fixture.ts';

/** What an iceberg must be, by itself and at a venue that has them. */

const OFFER: AlgoOffer = {
  kinds: ['stop', 'iceberg'],
  ...{ triggerBy: ['last'], whole: 'one-way', limitTimes: [TIME_IN_FORCE.GTC] },
  iceberg: {
    ratio: { min: amount('0.0001'), max: amount('0.01'), step: amount('0.0001') },
    ...{ distance: true, slicesMax: 10, openMax: 5 },
  },
  ...{ amends: true, locks: false, openMax: 5, perSymbol: true, attached: 'hub' },
};
const plan = (part: Readonly<Record<string, string>> = {}): AlgoPlan => {
  const values = { limit: '100', visible: '0.5', ...('distance' in part ? {} : { ratio: '0.001' }), ...part };
  const iceberg = Object.fromEntries(
    Object.entries(values)
      .filter(([, text]) => text !== '')
      .map(([name, text]) => [name, amount(text)]),
  );
  return { kind: 'iceberg', iceberg: { limit: ZERO, visible: ZERO, ...iceberg } };
};
const asked = (
  part: Readonly<Record<string, string>> = {},
  more: Partial<AlgoRequest> = {},
): AlgoRequest => ({
  ...{ instrument: BTCUSDT, side: SIDE.BUY, plan: plan(part), quantity: amount('2'), ...more },
});
const faults = (request: AlgoRequest, offer: Partial<AlgoOffer> = {}) =>
  algoFaults(request, { offer: { ...OFFER, ...offer }, prices: { last: amount('100') } });

describe('an iceberg', () => {
  test.each<[string, AlgoRequest]>([
    ['by a share', asked()],
    ['by a distance', asked({ distance: '1' })],
    ['of one slice', asked({ visible: '2' })],
    ['of as many as there may be', asked({ visible: '0.2' })],
    ['with its limit away from the market', asked({ limit: '50' })],
    ['that sells', asked({ limit: '150' }, { side: SIDE.SELL })],
  ])('%s is sound', (_, request) => expect(faults(request)).toEqual([]));

  const { quantity: _, ...unsized } = asked();
  const closes = { closes: true, positionMode: 'one-way' } as const;
  test.each<[string, string | undefined, AlgoRequest]>([
    ['order-combination', undefined, asked({ ratio: '' })],
    ['order-combination', undefined, asked({ ratio: '0.001', distance: '1' })],
    ['price-step', 'price', asked({ limit: '100.001' })],
    ['price-step', 'behindDistance', asked({ distance: '0.001' })],
    ['price-range', 'price', asked({ limit: '100000000' })],
    ['trailing-range', 'behindRatio', asked({ ratio: '0.02' })],
    ['trailing-range', 'behindRatio', asked({ ratio: '0.00015' })],
    ['quantity-step', 'visibleQuantity', asked({ visible: '0.500000001' })],
    ['quantity-range', 'visibleQuantity', asked({ visible: '0.19' })],
    ['quantity-range', 'visibleQuantity', asked({ visible: '3' })],
    ['quantity-step', 'quantity', asked({}, { quantity: amount('2.000000001') })],
    ['notional-too-small', 'visibleQuantity', asked({ limit: '1', visible: '0.5' })],
    [
      'algo-not-offered',
      'whole',
      { ...unsized, whole: true, contract: closes, instrument: { ...BTCUSDT, symbolType: 'SWAP' } },
    ],
  ])('%s is found at %s', (name, field, request) => {
    expect(faults(request)[0]).toMatchObject({ name, ...(field === undefined ? {} : { field }) });
  });

  test('is refused by the venue that has none, and by its field where it has no distance', () => {
    expect(faults(asked(), { kinds: ['stop'] })[0]).toMatchObject({
      name: 'algo-not-offered',
      field: 'algoType',
    });
    const { iceberg } = OFFER;
    if (iceberg === undefined) throw new Error('has icebergs');
    const shares = { iceberg: { ...iceberg, distance: false } };
    expect(faults(asked({ distance: '1' }), shares)[0]).toMatchObject({
      ...{ name: 'algo-not-offered', field: 'behindDistance' },
    });
    expect(faults(asked(), shares)).toEqual([]);
  });

  test('of a pair would hold all of it at its limit, one of a contract nothing', () => {
    const market = { prices: {} };
    expect(algoHold(asked(), market, amount('1.05'))).toEqual({ asset: 'USDT', amount: amount('200') });
    expect(algoHold(asked({}, { side: SIDE.SELL }), market, amount('1.05'))).toEqual({
      ...{ asset: 'BTC', amount: amount('2') },
    });
    const contract = asked({}, { instrument: { ...BTCUSDT, symbolType: 'SWAP' } });
    expect(algoHold(contract, market, amount('1.05'))).toEqual({ asset: 'USDT', amount: ZERO });
  });
});
