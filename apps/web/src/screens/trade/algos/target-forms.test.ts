import '../../../i18n/trade-words.ts';
import type { BootConfig } from '@crossbook/contract';
import { amount, type Platform, SIDE } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, expect, test } from 'vitest';
import { askedTargets } from '../../../calculators/algos/order-targets.ts';
import { type TargetForms as Forms, NO_FORMS, NO_TARGET } from '../../../calculators/algos/targets.ts';
import { CONTRACT } from '../../../calculators/contracts/contract.fixture.ts';
import { algoTicketStore } from '../../../stores/algos/algo-ticket.ts';
import { bootStore } from '../../../stores/app/boot.ts';
import { algoOffer } from '../../../stores/market/market.ts';
import { ContractTargets, TargetsSent } from './ContractTargets.tsx';
import { TargetForms } from './TargetForms.tsx';

/** The fields of an order's targets on a contract, in each form: what they show, and what is wrong beside them. */

beforeEach(() => {
  bootStore.setState({ status: 'ready', config: { productName: 'Crossbook' } as BootConfig });
});

/** 0.5 BTC bought at 60,000. */
const SCENE = {
  ...{ side: SIDE.BUY, entry: amount('60000'), size: amount('0.5'), leverage: 20 },
  ...{ tickSize: amount('0.1'), feeRate: amount('0') },
};
const STOP = { text: '59000', unit: 'price' } as const;
const part = (text: string, share: string) => ({ target: { text, unit: 'price' as const }, share });

interface Looked {
  readonly forms?: Partial<Forms>;
  readonly platform?: Platform;
  readonly tried?: boolean;
}

function looks({ forms = {}, platform = 2, tried = true }: Looked) {
  const targets = {
    on: true,
    takeProfit: NO_TARGET,
    stopLoss: STOP,
    by: 'last',
    ...NO_FORMS,
    ...forms,
  } as const;
  // A page that is rendered to text shows how its stores began.
  Object.assign(algoTicketStore.getInitialState(), { targets });
  const lot = amount('0.01');
  const instrument = { ...CONTRACT, platform, contractValue: lot, lotSize: lot, minQty: lot };
  const offer = algoOffer(platform, 'SWAP');
  const bracket = askedTargets(targets, { instrument, side: SIDE.BUY, scene: SCENE, offer });
  return { instrument, side: SIDE.BUY, scene: SCENE, bracket, tried, onEnter: () => undefined };
}

function page<Props extends object>(part: FunctionComponent<Props>, props: Props): string {
  return renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, createElement(part, props)));
}
const fields = (looked: Looked) => page(TargetForms, looks(looked));

test('at OKX one of each, several and a trailing stop are offered; several are two rows at first', () => {
  const one = fields({});
  for (const form of ['One target', 'Several targets', 'Trailing stop']) expect(one).toContain(`>${form}<`);
  expect(one).toContain('name="takeProfit"');
  const two = fields({ forms: { form: 'several' } });
  expect(two.match(/name="takeProfit\d"/g)).toEqual(['name="takeProfit1"', 'name="takeProfit2"']);
  expect(two).toContain('name="stopLoss"');
  // Two are the fewest.
  expect(two).not.toContain('Remove TP 1');
});

test.each([
  ['Binance', 1],
  ['Bybit', 3],
] as const)('at %s, which takes one of each alone, there is no choice', (_, platform) => {
  const shown = page(ContractTargets, looks({ platform, forms: { form: 'several' } }));
  expect(shown).not.toContain('Several targets');
  expect(shown).toContain('name="takeProfit"');
});

test('who makes several, and when, is said', () => {
  expect(page(ContractTargets, looks({ forms: { form: 'several' } }))).toContain(
    'Placed by OKX once all of the order has filled, at market, reduce-only; of an order that ends before, Crossbook places them',
  );
  expect(page(ContractTargets, looks({ forms: { form: 'trailing' } }))).toContain(
    'Placed by OKX once the order is over, for what it has filled, reduce-only.',
  );
});

const THREE = [part('61000', '20'), part('62000', '30'), part('63000', '50')];

test('each row says its part of the order and what it brings, and the last line what all bring', () => {
  const shown = fields({ forms: { form: 'several', parts: THREE } });
  for (const said of [
    '0.1000 BTC · 61,000.0 (+1.67%): ≈ +100.00 USDT',
    '0.2500 BTC · 63,000.0 (+5.00%): ≈ +750.00 USDT',
  ])
    expect(shown).toContain(said);
  expect(shown).toContain('Together ≈ +1,150.00 USDT');
  // 62,300 on average against 59,000.
  expect(shown).toContain('Reward : risk 2.3 : 1');
  expect(shown).toContain('aria-label="Remove TP 3"');
});

test('ten are the most', () => {
  const ten = Array.from({ length: 10 }, (_, at) => part(String(61_000 + at), '10'));
  const add = /<button[^>]*disabled=""[^>]*>Add</;
  expect(fields({ forms: { form: 'several', parts: ten } })).toMatch(add);
  expect(fields({ forms: { form: 'several', parts: ten.slice(1) } })).not.toMatch(add);
});

test.each<[string, Partial<Forms>, string]>([
  [
    'a sum of less',
    { form: 'several', parts: [part('61000', '50'), part('62000', '20')] },
    'The shares come to 70 %, and must come to 100 %.<button type="button"',
  ],
  [
    'a price twice',
    { form: 'several', parts: [part('61000', '50'), part('61000', '50')] },
    'Another target has this price already.',
  ],
  [
    'a price on the wrong side',
    { form: 'several', parts: [part('59000', '50'), part('61000', '50')] },
    'Take-profit must be above the order price',
  ],
  [
    'a part too small',
    { form: 'several', parts: [part('61000', '0.005'), part('62000', '99.995')] },
    'Too small a part: at least 0.0001.',
  ],
  [
    'a callback too far',
    { form: 'trailing', trailing: { ...NO_FORMS.trailing, callback: '101' } },
    'The callback must be between 0.1 – 100 % (0.1 %).',
  ],
  [
    'one that would follow at once',
    { form: 'trailing', trailing: { ...NO_FORMS.trailing, callback: '1', activation: '59000' } },
    'The price that it follows from must be &gt; 60,000.0.',
  ],
])('is said beside the field: %s', (_, forms, said) => {
  const shown = fields({ forms });
  expect(shown).toContain(said);
  expect(shown.match(/aria-invalid="true"/g)).toHaveLength(1);
});

test('what is only missing is said once sending was tried', () => {
  const forms = { form: 'trailing' } as const;
  expect(fields({ forms, tried: false })).not.toContain('aria-invalid="true"');
  expect(fields({ forms })).toContain('Enter a number above 0.');
});

test('a trailing stop says what it will do, as one by itself does', () => {
  const shown = fields({ forms: { form: 'trailing', trailing: { ...NO_FORMS.trailing, callback: '1.5' } } });
  expect(shown).toContain('Follows the last price and fires when it falls 1.5 % from its best.');
  expect(shown).not.toContain('name="stopLoss"');
});

test.each<[string, Partial<Forms>, readonly string[]]>([
  [
    'several',
    { form: 'several', parts: THREE },
    [
      'TP 1',
      '61,000.0 · 0.1000 BTC · ≈ +100.00 USDT',
      'TP 3',
      'Stop-loss',
      '59,000.0 · 0.5000 BTC · ≈ −500.00 USDT',
    ],
  ],
  ['one of each', {}, ['Stop-loss', '59,000.0 · 0.5000 BTC']],
  [
    'a trailing stop',
    { form: 'trailing', trailing: { callback: '500', callbackIn: 'distance', activation: '61000' } },
    ['Trailing stop', '500 USDT, from 61,000'],
  ],
])('before sending all of it stands in the question: %s', (_, forms, said) => {
  const { bracket, instrument } = looks({ forms });
  const shown = page(TargetsSent, { ...bracket, instrument });
  for (const words of said) expect(shown).toContain(words);
});
