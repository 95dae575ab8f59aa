import '../../../i18n/later-words.ts';
import '../../../i18n/trade-words.ts';
import { amount, SIDE } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement, type ReactElement } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { type TicketWarning, throughBookWarning } from '../../../calculators/ticket/ticket-warnings.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { drawnBy } from '../../../ui/drawn.fixture.ts';
import { ConfirmOrder } from './ConfirmOrder.tsx';

// A dialog finds the place of toasts in the page; nothing is ever put there here.
vi.hoisted(() => {
  const document = { createElement: () => ({}), body: { append: () => undefined } };
  Object.assign(globalThis, { document });
});

const within = (child: ReactElement) => createElement(I18nProvider, { i18n } as never, child);
const dialog = (warnings: readonly TicketWarning[]) =>
  drawnBy(
    ConfirmOrder,
    {
      ...{ kind: 'limit', tone: 'up', action: 'Buy 1 BTC', sentence: '', warnings, children: null },
      ...{ onClose: () => undefined, onConfirm: () => undefined },
    },
    { within },
  );

describe('the last question before an order', () => {
  test.each([
    ['nothing to think about', '100', 'send', true],
    ['a remark that is not grave', '103', 'send', true],
    ['a grave remark', '106', 'cancel', false],
  ])('with %s', (_claim, price, begins, offers) => {
    const book = { bestBid: amount('99'), bestAsk: amount('100') };
    const { drawn } = dialog(throughBookWarning({ ...book, side: SIDE.BUY, price: amount(price) }));
    const buttons = drawn.filter(({ type }) => type === Button);
    // The one that the focus is put on is the one with a ref, and there is just one.
    const focused = buttons.map(({ props }) => props.ref !== undefined);
    expect(focused).toEqual(begins === 'cancel' ? [true, false] : [false, true]);
    // What is grave is asked each time: it offers no way to be asked no more.
    expect(drawn.some(({ type }) => type === Checkbox)).toBe(offers);
  });
});
