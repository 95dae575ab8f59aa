import { venueProfile } from '@crossbook/venues';
import { expect, test } from 'vitest';
import { contractFacts } from '../../../calculators/contracts/contract.fixture.ts';
import { contractErrors } from '../../../calculators/contracts/contract-errors.ts';
import { summariseContract } from '../../../calculators/contracts/contract-summary.ts';
import {
  type ContractTicketState,
  emptyContractTicket,
} from '../../../calculators/contracts/contract-ticket.ts';
import { focusWrong } from './focus-field.ts';

/** What happens to the fields of a form, in order. */
function focused(errors: readonly { readonly field: string }[]): readonly string[] {
  const done: string[] = [];
  const input = (selector: string) => ({
    focus: () => done.push(`focus ${selector}`),
    select: () => done.push(`select ${selector}`),
  });
  focusWrong({ querySelector: input } as unknown as HTMLElement, errors);
  return done;
}

const fields = (name: string): readonly string[] => [
  `focus input[name="${name}"]`,
  `select input[name="${name}"]`,
];

test.each<[string, Partial<ContractTicketState>, boolean, readonly string[]]>([
  ['nothing filled in', { price: '', size: '' }, false, fields('price')],
  ['no size', { size: '' }, false, fields('size')],
  ['a price out of the band', { price: '70000' }, false, fields('price')],
  ['a size between two lots', { size: '0.0105' }, false, fields('size')],
  ['nothing to reduce and no size', { size: '', reduceOnly: true }, false, fields('size')],
  ['old prices alone', { type: 2, price: '' }, true, []],
  ['nothing wrong', {}, false, []],
])('a contract ticket with %s puts the focus into the first wrong field', (_, change, priceStale, done) => {
  const ticket = {
    ...emptyContractTicket({ orderKind: 1, timeInForce: 1, sizeUnit: 'coin' }),
    ...{ price: '60000', size: '0.01', ...change },
  };
  const facts = contractFacts({ priceStale });
  const summary = summariseContract(ticket, facts, undefined);
  expect(focused(contractErrors(ticket, facts, { offer: venueProfile(1).trading.spot, summary }))).toEqual(
    done,
  );
});

test('without a form nothing is focused, and nothing fails', () => {
  expect(() => focusWrong(null, [{ field: 'size' }])).not.toThrow();
});
