import type { BookChange, Millis } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BookSync } from '../book-sync.ts';
import type { FetchText, MarketMessage, VenuePublic } from '../venue-public.ts';
import { type Claim, NOON, type PublicKit } from './venue-kit.ts';
import { PUBLIC_KITS } from './venue-kits.ts';

function answering(text: string, status = 200): FetchText {
  return async () => ({ status, text });
}

/** A public half that knows its instrument. */
function knowing(kit: PublicKit): VenuePublic {
  return kit.createPublic(answering(''));
}

function decode(venue: VenuePublic, frame: string): MarketMessage {
  return venue.socket.decode(Buffer.from(frame), NOON);
}

function changeOf(message: MarketMessage): BookChange {
  if (message.kind !== 'book') throw new Error(`not a book message: ${JSON.stringify(message)}`);
  return message.change;
}

/** A live book at update 100 with one level a side. */
async function liveBook(kit: PublicKit): Promise<{ readonly venue: VenuePublic; readonly sync: BookSync }> {
  const bids = [['10.00', '1.00000']] as const;
  const asks = [['10.02', '2.00000']] as const;
  const venue = kit.createPublic(answering(kit.rest.depth(100, bids, asks)));
  const sync = new BookSync({ venue, symbol: kit.instrument.symbol });
  const snapshot = await venue.rest.depth(kit.instrument, 100);
  if (!snapshot.ok) throw new Error(snapshot.code);
  const streamed = kit.frames.snapshot?.(100, bids, asks);
  sync.apply(streamed === undefined ? snapshot.value : changeOf(decode(venue, streamed)));
  return { venue, sync };
}

/** Claims about the public half. */
const PUBLIC_CLAIMS: readonly Claim<PublicKit>[] = [
  {
    id: 'C01',
    says: 'only USDT-quoted instruments are listed, halted ones with their status, all with steps above 0',
    async prove(kit) {
      const listed = await kit
        .createPublic(answering(kit.rest.instruments()))
        .rest.instruments(kit.instrument.symbolType);
      if (!listed.ok) throw new Error(listed.code);
      expect(listed.value.map((instrument) => instrument.status).sort()).toEqual(['halted', 'trading']);
      expect(listed.value.every((one) => one.quote === 'USDT' && one.tickSize > 0n && one.lotSize > 0n)).toBe(
        true,
      );
    },
  },
  {
    id: 'C02',
    says: 'a snapshot and the deltas that follow build exactly the expected book; size 0 removes',
    async prove(kit) {
      const { venue, sync } = await liveBook(kit);
      sync.apply(
        changeOf(decode(venue, kit.frames.delta(101, 101, [['10.00', '0.00000']], [['10.01', '3.50000']]))),
      );
      sync.apply(changeOf(decode(venue, kit.frames.delta(102, 102, [['9.99', '0.00001']], []))));
      expect([sync.state, sync.book.lastSeq]).toEqual(['LIVE', 102]);
      expect(sync.book.levels('bids')).toEqual([[999, 1]]);
      expect(sync.book.levels('asks')).toEqual([
        [1_001, 350_000],
        [1_002, 200_000],
      ]);
    },
  },
  {
    id: 'C03',
    says: 'a missing delta is a gap: the book is dropped and a snapshot asked for',
    async prove(kit) {
      const { venue, sync } = await liveBook(kit);
      expect(
        sync.apply(changeOf(decode(venue, kit.frames.delta(102, 102, [['10.00', '5.00000']], [])))),
      ).toBe('needs-snapshot');
      expect([sync.state, sync.counters.gaps, sync.book.count('bids')]).toEqual(['SYNCING', 1, 0]);
    },
  },
  {
    id: 'C04',
    says: 'a repeated delta changes nothing and is counted',
    async prove(kit) {
      const { venue, sync } = await liveBook(kit);
      const once = changeOf(decode(venue, kit.frames.delta(101, 101, [['10.00', '5.00000']], [])));
      expect([sync.apply(once), sync.apply(once), sync.counters.duplicates]).toEqual([
        'applied',
        'dropped',
        1,
      ]);
    },
  },
  {
    id: 'C05',
    says: "the side of a public trade is the aggressor's",
    prove(kit) {
      for (const side of ['buy', 'sell'] as const) {
        const message = decode(knowing(kit), kit.frames.trade('10.01', '0.50000', side));
        expect(message).toMatchObject({ kind: 'trades', trades: [{ price: 1_001, size: 50_000, side }] });
      }
    },
  },
  {
    id: 'C06',
    says: 'every beginning of a frame is malformed, and nothing throws',
    prove(kit) {
      const venue = knowing(kit);
      const frames = [
        kit.frames.delta(1, 2, [['10.00', '1.00000']], [['10.01', '0.00000']]),
        kit.frames.trade('10.01', '1', 'buy'),
      ];
      for (const frame of frames) {
        for (let length = 0; length < frame.length; length += 1) {
          expect(decode(venue, frame.slice(0, length)).kind).toBe('malformed');
        }
      }
    },
  },
  {
    id: 'C07',
    says: 'figures that are no plain decimals on the price grid are malformed, never rounded',
    prove(kit) {
      for (const price of [
        '10.001',
        '1e1',
        'NaN',
        '-10.00',
        '',
        ' 10.00',
        '0.00',
        '99999999999999999999.00',
      ]) {
        expect(decode(knowing(kit), kit.frames.delta(1, 2, [[price, '1.00000']], [])).kind).toBe('malformed');
      }
      for (const size of ['1e1', 'Infinity', '-1.00000', '', '0x1']) {
        expect(decode(knowing(kit), kit.frames.delta(1, 2, [['10.00', size]], [])).kind).toBe('malformed');
      }
    },
  },
  {
    id: 'C08',
    says: 'a message about an unknown instrument is malformed: its scale is unknown',
    prove(kit) {
      expect(decode(knowing(kit), kit.frames.strangeDelta()).kind).toBe('malformed');
    },
  },
  {
    id: 'C09',
    says: 'the answer to a subscription names its request',
    prove(kit) {
      expect(decode(knowing(kit), kit.frames.acknowledged(42))).toEqual({
        kind: 'acknowledged',
        requestId: 42,
        accepted: true,
      });
      expect(knowing(kit).socket.subscribe([{ kind: 'book', symbol: kit.instrument.symbol }], 42)).toContain(
        '42',
      );
    },
  },
  {
    id: 'C10',
    says: 'candles come oldest first, and none opens at or after the asked end',
    async prove(kit) {
      const times = [NOON - 180_000, NOON - 120_000, NOON - 60_000];
      const page = { limit: 3, endTime: NOON };
      const bars = await kit
        .createPublic(answering(kit.rest.candles(times)))
        .rest.candles(kit.instrument, '1m', page);
      expect(bars.ok && bars.value.map((bar) => bar.time)).toEqual(times);
      const late = answering(kit.rest.candles([...times, NOON]));
      const beyond = await kit.createPublic(late).rest.candles(kit.instrument, '1m', page);
      expect(beyond.ok && beyond.value.some((bar) => bar.time >= NOON)).toBe(false);
    },
  },
  {
    id: 'C11',
    says: 'no network, a bad status and a bad shape are three different named failures, never a throw',
    async prove(kit) {
      const failures: [FetchText, string][] = [
        [() => Promise.reject(new Error('refused')), 'network'],
        [answering('<html>', 502), 'http-status'],
        [answering('{"unexpected":true}'), 'malformed'],
        [answering('{'), 'malformed'],
      ];
      for (const [fetchText, code] of failures) {
        expect(await kit.createPublic(fetchText).rest.depth(kit.instrument, 100)).toEqual({
          ok: false,
          code,
        });
      }
    },
  },
  {
    id: 'C12',
    says: 'receive times are those handed in',
    prove(kit) {
      const change = changeOf(
        knowing(kit).socket.decode(Buffer.from(kit.frames.delta(1, 2, [], [])), 7 as Millis),
      );
      expect(change.receivedAt).toBe(7);
    },
  },
  {
    id: 'C13',
    says: 'open interest is told in base coins, for the asked perpetuals that the venue names; pairs have none',
    async prove(kit) {
      const strange = { ...kit.instrument, symbol: 'ABCUSDT', base: 'ABC' };
      const reported = kit.perpetual?.openInterest('81234.567');
      const { rest } = kit.createPublic(answering(reported ?? 'pairs need not be asked for'));
      const known = reported === undefined ? [] : [[kit.instrument.symbol, '81234.567']];
      const both = await rest.openInterest([kit.instrument, strange]);
      expect(both.ok && [...both.value]).toEqual(known);
      const none = await rest.openInterest([]);
      expect(none.ok && [...none.value]).toEqual([]);
      if (reported === undefined) return;
      const dead = kit.createPublic(() => Promise.reject(new Error('refused')));
      expect(await dead.rest.openInterest([kit.instrument])).toEqual({ ok: false, code: 'network' });
    },
  },
  {
    id: 'C14',
    says: 'tickers of perpetuals carry mark, index, funding and its next time; those of pairs are not there',
    async prove(kit) {
      const stats = { mark: '10.04', index: '10.03', funding: '-0.000125', nextFunding: NOON + 3_600_000 };
      const { perpetual } = kit;
      if (perpetual === undefined) {
        expect(
          knowing(kit).socket.subscribe([{ kind: 'ticker', symbol: kit.instrument.symbol }], 1),
        ).not.toMatch(/mark|funding/i);
        return;
      }
      const venue = kit.createPublic(async (url) => ({ status: 200, text: perpetual.tickers(url, stats) }));
      const listed = await venue.rest.tickers('SWAP');
      expect(listed.ok && listed.value).toMatchObject([
        {
          symbol: kit.instrument.symbol,
          lastPrice: '10.01',
          markPrice: '10.04',
          indexPrice: '10.03',
          fundingRate: '-0.000125',
          nextFundingTime: NOON + 3_600_000,
        },
      ]);
    },
  },
];

describe.each(PUBLIC_KITS.map((kit) => ({ name: kit.name, kit })))('$name', ({ kit }) => {
  const claims = PUBLIC_CLAIMS.map((claim) => ({ id: claim.id, says: claim.says, claim }));
  test.each(claims)('$id $says', async ({ claim }) => {
    await claim.prove(kit);
  });
});
