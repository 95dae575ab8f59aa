import type { Millis } from '@crossbook/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type Params, unique } from '../../wire/rig.fixture.ts';
import { type Member, MemberRig, SWAP } from '../perps/member-rig.fixture.ts';
import type { ChannelSocket } from '../rig.fixture.ts';

/** The countdown that cancels what rests when its owner is not heard of. */

const rig = openedOnce(() => MemberRig.open());
let member: Member;
let socket: ChannelSocket;
beforeEach(async () => {
  rig.core.clearHouse(SWAP);
  rig.core.marks.set(SWAP, 60_000);
  member = await rig.member(unique('countdown'), '10000');
  socket = await member.listen({ channel: 'orders', instType: 'ANY' });
});

const CALL = 'POST trade/cancel-all-after';
const PAIR = { instId: 'AAAUSDT', tdMode: 'cash', px: '50' };
/** Lets time pass in parts: a socket that is silent for half a minute is closed. */
async function pass(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 20) {
    rig.core.now = (rig.core.now + Math.min(left, 20) * 1_000) as Millis;
    const pongs = () => socket.heard.filter((message) => message === 'pong').length;
    const before = pongs();
    socket.send('ping');
    await socket.hear(() => pongs() > before);
  }
}
/** Waits for the cancellation of an order; others that were cancelled with it were told before. */
async function cancelled(ordId: string | undefined): Promise<readonly (readonly string[])[]> {
  const isOf = (row: Record<string, string>) => row.ordId === ordId && row.state === 'canceled';
  await socket.hear(({ arg, data }) => arg?.channel === 'orders' && data?.some(isOf));
  const rows: Record<string, string>[] = socket.pushes('orders').flatMap(({ data }) => data);
  return rows
    .filter(({ state }) => state === 'canceled')
    .map(({ instId = '', tag = '', cancelSource = '' }) => [instId, tag, cancelSource]);
}
const open = async () => {
  const rows: Record<string, string>[] = await member.ask('GET trade/orders-pending');
  return rows.map(({ tag }) => tag).sort();
};

describe('a countdown', () => {
  test('of a tag cancels the orders that have it, one of the account all others, pairs too; each says why', async () => {
    await member.order('buy', '1', { px: '50000', tag: 'a' });
    const { ordId: other } = await member.order('buy', '1', { px: '50000', tag: 'b' });
    const { ordId: tagged } = await member.order('buy', '1', { ...PAIR, tag: 'a' });
    const ts = rig.core.now;
    expect(await member.ask(CALL, { timeOut: '10', tag: 'a' })).toEqual([
      { tag: 'a', triggerTime: String(ts + 10_000), ts: String(ts) },
    ]);
    expect(await member.ask(CALL, { timeOut: 20 })).toMatchObject([{ triggerTime: String(ts + 20_000) }]);
    await pass(10);
    const ended = await cancelled(tagged);
    expect(ended).toContainEqual([SWAP, 'a', '20']);
    expect(ended).toContainEqual(['AAAUSDT', 'a', '20']);
    expect(await open()).toEqual(['b']);
    await pass(10);
    expect(await cancelled(other)).toContainEqual([SWAP, 'b', '20']);
    const { ordId: late } = await member.order('buy', '1', { px: '50000' });
    await pass(200);
    await member.ask('POST trade/cancel-order', { instId: SWAP, ordId: late ?? '' });
    expect(await cancelled(late)).toContainEqual([SWAP, '', '1']);
  });

  test('begins anew with every call and ends with 0', async () => {
    const { ordId } = await member.order('buy', '1', { px: '50000' });
    await member.ask(CALL, { timeOut: '10', tag: 'mark' });
    await member.ask(CALL, { timeOut: '10' });
    await pass(9);
    await member.ask(CALL, { timeOut: '120' });
    expect(await member.ask(CALL, { timeOut: '0', tag: 'mark' })).toMatchObject([{ triggerTime: '0' }]);
    const witness = await rig.member(unique('witness'), '10000');
    const heard = await witness.listen({ channel: 'orders', instType: 'SWAP' });
    await witness.order('buy', '1', { px: '50000' });
    await witness.ask(CALL, { timeOut: '10' });
    await pass(10);
    await heard.hear(({ data }) => data?.[0].state === 'canceled');
    expect(await open()).toEqual(['']);
    await pass(110);
    expect(await cancelled(ordId)).toEqual([[SWAP, '', '20']]);
  });

  const refusals: [string, Params, string][] = [
    ['no time', {}, '50014'],
    ['less than ten seconds', { timeOut: '9' }, '51000'],
    ['more than two minutes', { timeOut: '121' }, '51000'],
    ['a part of a second', { timeOut: '10.5' }, '51000'],
    ['a tag with a sign', { timeOut: '10', tag: 'a-b' }, '51000'],
  ];
  test.each(refusals)('with %s is refused', async (_, params, code) => {
    expect((await member.call(CALL, params)).body.code).toBe(code);
  });

  test('runs for twenty tags of an account at once; one of them set again is not one more', async () => {
    const ask = async (tag: string) => (await member.call(CALL, { timeOut: '120', tag })).body.code;
    for (let at = 0; at < 20; at += 1) expect(await ask(`t${at}`)).toBe('0');
    expect(await ask('t20')).toBe('51071');
    expect(await ask('t0')).toBe('0');
    await member.ask(CALL, { timeOut: '0', tag: 't0' });
    expect(await ask('t20')).toBe('0');
    expect(await ask('')).toBe('0');
  });
});
