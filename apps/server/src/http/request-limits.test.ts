import { readFileSync } from 'node:fs';
import type { Millis } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { type RequestClass, requestLimits } from './request-limits.ts';

const page = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8');
const CLASSES: readonly RequestClass[] = ['public', 'member', 'order', 'relay'];
const ADDRESS = '192.0.2.7';

test.each(CLASSES)(
  'an address has as many requests of the class %s a minute as docs/security.md says',
  (of) => {
    let now = 1 as Millis;
    const limits = requestLimits(1, () => now);
    const most = Number(new RegExp(`^\\| ${of} \\|[^|]*\\| ([0-9]+) \\|$`, 'm').exec(page)?.[1]);
    expect(most).toBeGreaterThan(0);
    expect(limits.take(of, ADDRESS, most)).toBeUndefined();
    expect(limits.take(of, ADDRESS)).toBeGreaterThan(0);
    // Neither a neighbour nor another class pays for it, and it is over with the minute.
    expect(limits.take(of, '192.0.2.8')).toBeUndefined();
    for (const other of CLASSES) if (other !== of) expect(limits.take(other, ADDRESS)).toBeUndefined();
    now = 60_002 as Millis;
    expect(limits.take(of, ADDRESS)).toBeUndefined();
  },
);
