import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Millis, SymbolType } from '@crossbook/domain';
import { PUBLIC_LIMITS, VenueArbiter } from '@crossbook/venues/trading';
import { expect, test } from 'vitest';
import type { VenueConfig } from '../../config-venues.ts';
import { steadyClock, timers } from '../outside/outside.ts';
import { publicHalf } from './venues.ts';

test.each<[SymbolType, string]>([
  ['SPOT', '/api/v3/time'],
  ['SWAP', '/fapi/v1/time'],
])(
  'of %s a read that goes on failing is logged once, and again after it has worked',
  async (symbolType, path) => {
    let status = 404;
    const asked: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(status).end(status === 200 ? '{"serverTime":5}' : '{}');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const bases = { SPOT: base, SWAP: base };
    const venue: VenueConfig = {
      ...{ platform: 1, state: 'live', mode: 'simulator', master: undefined },
      ...{ restBases: bases, streamBases: bases, tradeBase: base },
    };
    const noted: unknown[] = [];
    const arbiter = new VenueArbiter({ clock: steadyClock, timers, visitorFactor: 1 });
    const { rest } = publicHalf({ venue, door: { arbiter, limits: PUBLIC_LIMITS[1] } }, symbolType, {
      clock: () => 0 as Millis,
      note: (...line) => noted.push(line),
    });
    const line = { platform: 1, symbolType, call: 'serverTime', failure: 'http-status' };
    try {
      for (let times = 0; times < 3; times += 1) {
        expect(await rest.serverTime()).toEqual({ ok: false, code: 'http-status' });
      }
      expect(noted.splice(0)).toEqual([['public-read-failed', line]]);
      status = 200;
      expect(await rest.serverTime()).toEqual({ ok: true, value: 5 });
      expect(noted).toEqual([]);
      status = 404;
      await rest.serverTime();
      expect(noted).toEqual([['public-read-failed', line]]);
      expect(asked).toEqual(Array.from({ length: 5 }, () => path));
    } finally {
      await new Promise((closed) => server.close(closed));
    }
  },
);
