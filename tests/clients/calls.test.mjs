import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { USDMClient } from 'binance';
import { RestClientV5 } from 'bybit-api';
import { RestClient } from 'okx-api';
import { ccxt } from './local-ccxt.mjs';
import { LONG, playedSimulator } from './played-simulator.mjs';

/**
 * Every call about orders, positions and accounts of contracts that the clients have, by their own tables and code: the
 * simulator knows it, or docs/venues/left-out-calls.md says that it does not, and why.
 */

/** At once: a client's burst, far below the limits of an address. */
const ASKED_AT_ONCE = 20;
const PAGE = readFileSync(new URL('../../docs/venues/left-out-calls.md', import.meta.url), 'utf8');
const LEFT_OUT = new Set([...PAGE.matchAll(/`((?:GET|POST|PUT|DELETE) \/[^`]+)`/g)].map(([, call]) => call));

const simulator = playedSimulator(5);
/** Calls that a table of ccxt names: `{ get: { 'order/realtime': 5 } }`, or lists of names. */
function ofTable(table, prefix) {
  return Object.entries(table ?? {}).flatMap(([method, paths]) =>
    (Array.isArray(paths) ? paths : Object.keys(paths)).map(
      (path) => `${method.toUpperCase()} ${prefix}${path}`,
    ),
  );
}

/** Calls that the methods of an SDK make, read from what they are written as. */
function ofMethods(Client) {
  const text = Object.getOwnPropertyNames(Client.prototype)
    .map((name) => Object.getOwnPropertyDescriptor(Client.prototype, name)?.value)
    .filter((method) => typeof method === 'function')
    .map(String)
    .join('\n');
  const calls = text.matchAll(/this\.(get|post|put|delete)(?:Private)?\(\s*['"`]\/?([\w/-]+)/g);
  return [...calls].map(([, method, path]) => `${method.toUpperCase()} /${path}`);
}

const VENUES = {
  binance: {
    calls: () => {
      const { api } = new ccxt.binance();
      return [
        ...['', 'V2', 'V3'].flatMap((version) =>
          ['fapiPublic', 'fapiPrivate'].flatMap((half) =>
            ofTable(api[`${half}${version}`], `/fapi/${version.toLowerCase() || 'v1'}/`),
          ),
        ),
        ...ofMethods(USDMClient),
      ];
    },
    about: /^\w+ \/fapi\//,
    isUnknown: ({ body }) => body.code === -5000 || body.msg === 'This call is not simulated.',
  },
  okx: {
    calls: () => [...ofTable(new ccxt.okx().api.private, '/api/v5/'), ...ofMethods(RestClient)],
    about: /^\w+ \/api\/v5\/(?:account|trade)\//,
    isUnknown: ({ status }) => status === 404 || status === 405,
  },
  bybit: {
    calls: () => [...ofTable(new ccxt.bybit().api.private, '/'), ...ofMethods(RestClientV5)],
    about:
      /^\w+ \/v5\/(?:order|position|execution|account|pre-upgrade)\/|^GET \/v5\/asset\/(?:settlement|delivery)-/,
    isUnknown: ({ body }) => body.retCode === 10_017,
  },
};

/** Whether the simulator has no such call; nobody signs, and nothing is sent along. */
async function isUnknown(venue, call) {
  const [method, path] = call.split(' ');
  const headers = { 'content-type': 'application/json' };
  const sent = method === 'GET' ? {} : { headers, body: '{}' };
  const response = await fetch(`${simulator.url}${path}`, { method, ...sent });
  return venue.isUnknown({ status: response.status, body: await response.json() });
}

describe('calls about contracts that the clients have', () => {
  for (const [name, venue] of Object.entries(VENUES)) {
    test(`${name}: each is answered or is on the page of those that are left out`, LONG, async () => {
      const calls = [...new Set(venue.calls())].filter((call) => venue.about.test(call)).sort();
      assert.ok(calls.length > 50, `${calls.length} calls found`);
      const unknown = [];
      for (let at = 0; at < calls.length; at += ASKED_AT_ONCE) {
        const asked = calls.slice(at, at + ASKED_AT_ONCE);
        const found = await Promise.all(asked.map((call) => isUnknown(venue, call)));
        unknown.push(...asked.filter((_, index) => found[index]));
      }
      assert.deepEqual(unknown, [...LEFT_OUT].filter((call) => venue.about.test(call)).sort());
    });
  }
});
