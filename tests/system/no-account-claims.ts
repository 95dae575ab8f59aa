import type { CallInput, CallResponse } from '@crossbook/contract';
import { expect } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import type { ContractVenue } from './contract-venues.ts';
import type { HubProcess } from './hub-process.ts';

/** What a new account at each exchange is set to, as their documents say. */
const FIRST_LEVERAGE = { 43: 20, 41: 3, 42: 10 } as const;

/** A call about contracts by somebody without an account there, and how it is answered. */
interface Asked {
  readonly what: string;
  readonly ask: (member: TestBrowser, venue: ContractVenue) => Promise<unknown>;
  readonly answer: (venue: ContractVenue) => object;
}

const at = ({ platformType, symbol }: ContractVenue) => ({ platformType, symbol });

function order(venue: ContractVenue, part: object): CallInput<'connextrade/PlaceOrder'> {
  const seen = { ...at(venue), tinstType: 2, side: 1, marginMode: 'cross', leverage: 5 } as const;
  return { ...seen, orderType: 2, quantity: venue.size, ...part };
}

function stop(venue: ContractVenue, part: object): CallInput<'connextrade/PlaceAlgoOrder'> {
  const { orderType: _, ...seen } = order(venue, { side: 2 });
  return { ...seen, algoType: 'stop', triggerPrice: '1000', ...part };
}

const done = (data: unknown) => ({ code: 1, data });
const EMPTY = done([]);
const NO_ROWS = done({ rows: [] });
/** There is no such position. */
const NO_POSITION = { code: 3023, data: null };
/** The first transfer opens the account; until then nothing of it can be set. */
const NO_ACCOUNT = { code: 3039, data: null };
/** There is no money to open anything with. */
const NO_MONEY = { code: 3010, data: null };

/** Every call about contracts. */
const ASKED: readonly Asked[] = [
  {
    what: 'GetLeverage: what a new account is set to',
    ask: (member, venue) => member.call('connextrade/GetLeverage', at(venue)),
    answer: ({ platformType }) => {
      const leverage = FIRST_LEVERAGE[platformType];
      return done(
        expect.objectContaining({
          ...{
            leverageLong: leverage,
            leverageShort: leverage,
            marginMode: 'cross',
            positionMode: 'one-way',
          },
        }),
      );
    },
  },
  {
    what: 'GetLeverage of the isolated mode: where every order says its mode, as it was asked',
    ask: (member, venue) => member.call('connextrade/GetLeverage', { ...at(venue), marginMode: 'isolated' }),
    answer: ({ calls }) =>
      done(expect.objectContaining({ marginMode: calls.marginMode === undefined ? 'isolated' : 'cross' })),
  },
  {
    what: 'GetPositionTiers: the table is the exchange’s, whoever asks',
    ask: (member, { platformType, symbol: sym }) =>
      member.call('connextrade/GetPositionTiers', { platformType, sym }),
    answer: () => done(expect.arrayContaining([expect.objectContaining({ tier: 1, floor: '0' })])),
  },
  {
    what: 'AvailableOpen: what no money opens',
    ask: (member, venue) => member.call('connextrade/AvailableOpen', { ...at(venue), side: 1, effect: 0 }),
    answer: () => done({ quantity: '0', bound: 'none' }),
  },
  {
    what: 'AvailableClose: nothing',
    ask: (member, venue) => member.call('connextrade/AvailableClose', { ...at(venue), effect: 0 }),
    answer: () => done({ quantity: '0', inClosingOrders: '0' }),
  },
  ...(
    [
      ['ClosePosition', 0],
      ['ClosePosition of a leg', 2],
    ] as const
  ).map(([what, effect]) => ({
    what,
    ask: (member: TestBrowser, venue: ContractVenue) =>
      member.call('connextrade/ClosePosition', { ...at(venue), effect }),
    answer: () => NO_POSITION,
  })),
  {
    what: 'ReversePosition',
    ask: (member, venue) =>
      member.call('x/trade/ReversePosition', { ...at(venue), effect: 0, side: 1, leverage: 5 }),
    answer: () => NO_POSITION,
  },
  {
    what: 'AdjustMargin',
    ask: (member, venue) =>
      member.call('x/trade/AdjustMargin', { ...at(venue), effect: 0, direction: 1, amount: '5' }),
    answer: () => NO_POSITION,
  },
  {
    what: 'ClosePositionAll',
    ask: (member, { platformType }) => member.call('connextrade/ClosePositionAll', { platformType }),
    answer: () => EMPTY,
  },
  {
    what: 'CurPositionList',
    ask: (member, { platformType }) => member.call('connextrade/CurPositionList', { platformType }),
    answer: () => done({ positions: [], margin: [] }),
  },
  {
    what: 'CancelAll',
    ask: (member, venue) => member.call('connextrade/CancelAll', at(venue)),
    answer: () => EMPTY,
  },
  {
    what: 'CurAlgoOrderList',
    ask: (member, { platformType }) => member.call('connextrade/CurAlgoOrderList', { platformType }),
    answer: () => EMPTY,
  },
  {
    what: 'PositionHistory',
    ask: (member, venue) => member.call('connextrade/PositionHistory', at(venue)),
    answer: () => NO_ROWS,
  },
  {
    what: 'FundingHistory',
    ask: (member, venue) => member.call('x/trade/FundingHistory', at(venue)),
    answer: () => NO_ROWS,
  },
  {
    what: 'SetLeverage',
    ask: (member, venue) => member.call('connextrade/SetLeverage', { ...at(venue), leverage: 5, effect: 0 }),
    answer: () => NO_ACCOUNT,
  },
  {
    what: 'ChangePositionMode',
    ask: (member, venue) =>
      member.call('connextrade/ChangePositionMode', { ...at(venue), positionMode: 'hedge' }),
    answer: () => NO_ACCOUNT,
  },
  {
    what: 'MarginMode',
    ask: (member, venue) => member.call('x/trade/MarginMode', { ...at(venue), marginMode: 'isolated' }),
    answer: () => NO_ACCOUNT,
  },
  {
    what: 'PlaceOrder that opens',
    ask: (member, venue) => member.call('connextrade/PlaceOrder', order(venue, {})),
    answer: () => NO_MONEY,
  },
  ...[{ reduceOnly: true }, { effect: 2 as const }].map((closing) => ({
    what: `PlaceOrder that closes, ${JSON.stringify(closing)}`,
    ask: (member: TestBrowser, venue: ContractVenue) =>
      member.call('connextrade/PlaceOrder', order(venue, closing)),
    answer: () => NO_POSITION,
  })),
  {
    what: 'PlaceAlgoOrder that opens',
    ask: (member, venue) => member.call('connextrade/PlaceAlgoOrder', stop(venue, {})),
    answer: () => NO_MONEY,
  },
  {
    what: 'PlaceAlgoOrder that closes',
    ask: (member, venue) => member.call('connextrade/PlaceAlgoOrder', stop(venue, { reduceOnly: true })),
    answer: () => NO_POSITION,
  },
  {
    what: 'x/trade/Opening',
    ask: (member, { platformType }) => member.call('x/trade/Opening', { platformType }),
    answer: () => done({ stopped: 'account-none' }),
  },
];

/** How the contract is set and its table, as somebody is told. */
async function shown(member: TestBrowser, venue: ContractVenue) {
  const { platformType, symbol: sym } = venue;
  const { data: setting } = await member.call('connextrade/GetLeverage', at(venue));
  const { data: tiers } = await member.call('connextrade/GetPositionTiers', { platformType, sym });
  return { setting, tiers } as {
    readonly setting: CallResponse<'connextrade/GetLeverage'> | null;
    readonly tiers: CallResponse<'connextrade/GetPositionTiers'> | null;
  };
}

/** Who has no account is told why by every call, never that the exchange is away; and what he saw is what he gets. */
export async function expectNoAccountAnswers(hub: HubProcess, venue: ContractVenue): Promise<void> {
  const member = await hub.newMember();
  for (const { what, ask, answer } of ASKED)
    expect([what, await ask(member, venue)]).toEqual([what, expect.objectContaining(answer(venue))]);
  const before = await shown(member, venue);
  await hub.fund(member, '100', venue.platformType);
  expect(await shown(member, venue)).toEqual(before);
}
