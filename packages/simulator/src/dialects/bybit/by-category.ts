import { refused } from '@crossbook/domain';
import type { Endpoint } from './endpoint.ts';
import { ERRORS } from './errors.ts';
import type { BybitCategory } from './format.ts';

/** One address that serves pairs and contracts: the category says whose parameters are read. */
export function byCategory(
  prepare: Readonly<Record<BybitCategory, Endpoint['prepare']>>,
): Endpoint['prepare'] {
  return (reader, desk) => {
    const category = reader.requiredText('category');
    if (category === 'spot' || category === 'linear') return prepare[category](reader, desk);
    reader.refuse(ERRORS.badCategory);
    return () => refused(ERRORS.badCategory);
  };
}
