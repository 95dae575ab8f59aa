import { amount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { baseStep, countsContracts } from './contract-size.ts';

test.each([
  { of: 'a pair', symbolType: 'SPOT', lot: '0.00001', coins: '1', step: '0.00001', contracts: false },
  { of: 'coins', symbolType: 'SWAP', lot: '0.001', coins: '1', step: '0.001', contracts: false },
  { of: 'hundredths', symbolType: 'SWAP', lot: '0.01', coins: '0.01', step: '0.0001', contracts: true },
  { of: 'millions', symbolType: 'SWAP', lot: '1', coins: '1000000', step: '1000000', contracts: true },
] as const)('$of: a step of $lot lots of $coins coins is $step coins', (row) => {
  const instrument = {
    symbolType: row.symbolType,
    lotSize: amount(row.lot),
    contractValue: amount(row.coins),
  };
  expect(baseStep(instrument)).toBe(amount(row.step));
  expect(countsContracts(instrument)).toBe(row.contracts);
});
