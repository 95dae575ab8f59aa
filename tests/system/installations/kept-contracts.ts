import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PlatformType, platformFacts } from '@crossbook/domain';
import { TEST_PASSWORD, TestBrowser } from '../../../apps/server/src/main/testing.ts';
import { openTestDatabase, type TestDatabase } from '../../../apps/server/src/storage/testing.ts';
import { priceAt } from '../algo-rows.ts';
import { orderAsSeen, trade } from '../contract-books.ts';
import { CONTRACT_VENUES, type ContractVenue } from '../contract-venues.ts';
import { ACCOUNT_LABELS, until, type VenueContractStats } from '../hub-process.ts';
import { platformOf } from '../venue-money.ts';
import { fixtureFolder, type KeptDatabase, type Running, startInstallation } from './installation.ts';

/** What a member with contracts at one exchange was shown before the end, and what the exchange had. */
export interface KeptMember {
  readonly name: string;
  readonly email: string;
  readonly tid: number;
  readonly platformType: PlatformType;
  readonly symbol: string;
  readonly shown: object;
  readonly venue: object;
}

/** Everything that a member is shown which does not move with the market. */
export async function shownTo(member: TestBrowser, platformType: PlatformType): Promise<object> {
  const at = { platformType } as const;
  const { data: open } = await member.call('connextrade/CurPositionList', at);
  const positions = open?.positions.map(
    ({ positionId, symbol, effect, marginMode, quantity, entryPrice, leverage, ...rest }) => ({
      ...{ positionId, symbol, effect, marginMode, quantity, entryPrice, leverage },
      ...{ realisedPnl: rest.realisedPnl, fees: rest.fees, funding: rest.funding, openedAt: rest.openedAt },
    }),
  );
  return {
    positions,
    wallets: (await member.call('connexfunding/tradingbalance', at)).data,
    funding: (await member.call('connexfunding/fundingbalance', {})).data,
    orders: (await member.call('connextrade/OrderHistory', { ...at, tinstType: 2 })).data,
    resting: (await member.call('connextrade/CurOrderList', at)).data,
    waiting: (await member.call('connextrade/CurAlgoOrderList', at)).data,
    algos: (await member.call('connextrade/AlgoOrderHistory', at)).data,
    fills: (await member.call('x/trade/Fills', at)).data,
    closed: (await member.call('connextrade/PositionHistory', at)).data,
    payments: (await member.call('x/trade/FundingHistory', at)).data,
    transfers: (await member.call('connexfunding/UniversalTransferHistory', {})).data,
    setting: (await member.call('connextrade/GetLeverage', { ...at, symbol: symbolOf(platformType) })).data,
  };
}

function symbolOf(platformType: PlatformType): string {
  return CONTRACT_VENUES.find((venue) => venue.platformType === platformType)?.symbol ?? '';
}

async function asked(admin: string, call: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${admin}/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${call}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

/** Wallet and positions of a member by the exchange's own books. */
export async function venueStats(
  admin: string,
  { tid, platformType }: Pick<KeptMember, 'tid' | 'platformType'>,
): Promise<object> {
  const platform = platformOf({ platformType });
  const label = ACCOUNT_LABELS[platform](`crossbook-member-${tid}`);
  const body = { venue: platformFacts(platform).slug, label };
  const { wallet, positions } = (await asked(admin, 'positions', body)) as unknown as VenueContractStats;
  const { balances } = await asked(admin, 'balances', body);
  return { wallet, balances, positions: positions.map(({ symbol, side, lots }) => ({ symbol, side, lots })) };
}

async function signedUp(url: string, email: string): Promise<TestBrowser> {
  const member = new TestBrowser(url);
  const flow = await member.flowFor(email);
  const made = await member.call('user/usernew', { email, flow, password: TEST_PASSWORD, agree: 'true' });
  if (made.data === null) throw new Error(made.msg);
  member.stoken = made.data.token;
  member.tid = made.data.tid;
  return member;
}

async function transfersDone(member: TestBrowser): Promise<void> {
  await until(
    async () => (await member.call('connexfunding/UniversalTransferHistory', {})).data?.rows ?? [],
    (rows) => rows.length > 0 && rows.every(({ state }) => state === 'done'),
  );
}

function sure({ code, msg }: { readonly code: number; readonly msg: string }): void {
  if (code !== 1) throw new Error(msg);
}

/** A position that was closed, one that is open and paid funding, an order that rests and one that waits for a price. */
async function tradeAll(
  member: TestBrowser,
  venue: ContractVenue,
  { url, admin }: Running['simulator']['ready'],
): Promise<void> {
  const { platformType, symbol, ownPocket } = venue;
  const at = { platformType, symbol } as const;
  sure(await member.call('x/paper/TestFunds', { platformType, tradingAmount: '5000' }));
  await transfersDone(member);
  if (ownPocket)
    sure(
      await member.call('connexfunding/UniversalTransfer', {
        ...{ platformType, direction: 3, asset: 'USDT', amount: '4000' },
      }),
    );
  await transfersDone(member);
  sure(await member.call('connextrade/SetLeverage', { ...at, leverage: 5, effect: 0 }));
  await trade(member, venue);
  sure(await member.call('connextrade/ClosePosition', { ...at, effect: 0 }));
  await until(
    async () => (await member.call('connextrade/PositionHistory', { platformType })).data?.rows ?? [],
    (rows) => rows.length === 1,
  );
  await trade(member, venue);
  const far = (factor: string) => priceAt({ url }, venue, { factor, market: 'perps' });
  sure(
    await member.call(
      'connextrade/PlaceOrder',
      await orderAsSeen(member, venue, { orderType: 1, price: await far('0.9') }),
    ),
  );
  const { orderType: _, ...terms } = await orderAsSeen(member, venue, { side: 2, reduceOnly: true });
  sure(
    await member.call('connextrade/PlaceAlgoOrder', {
      ...terms,
      algoType: 'stop',
      triggerPrice: await far('0.8'),
    }),
  );
  await asked(admin, 'funding', { venue: platformFacts(platformOf(venue)).slug, symbol });
  await until(
    async () => (await member.call('x/trade/FundingHistory', { platformType })).data?.rows ?? [],
    (rows) => rows.length === 1,
  );
}

/** Every row and sequence of a database. */
async function keptOf({ owner }: TestDatabase): Promise<KeptDatabase> {
  const tables: Record<string, readonly string[]> = {};
  const names = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  for (const { name } of names) {
    const rows = await owner.query<{ row: string }>(
      `select row_to_json(t)::text as row from ${name} t order by 1`,
    );
    tables[name] = rows.map(({ row }) => row);
  }
  const sequences = await owner.query<{ name: string; value: string }>(
    `select sequencename as name, last_value::text as value from pg_sequences
      where schemaname = 'public' and last_value is not null order by 1`,
  );
  return { sequences, tables };
}

/** What of a data folder is kept: no lock, no database, no bars that are printed anew. */
function isKept(path: string): boolean {
  return !/postgres|lock|socket|bars|\.pid/.test(path);
}

async function killed({ hub, simulator }: Running): Promise<void> {
  for (const child of [hub, simulator]) {
    child.process.kill('SIGKILL');
    await child.ended;
  }
}

/** Makes the folder anew: everything of today's version, and a kill -9. */
export async function makeInstallation(name: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'crossbook kept '));
  const database = await openTestDatabase();
  const running = await startInstallation(data, database, { PLATFORM_3: 'live' });
  const { hub, simulator } = running;
  const members: KeptMember[] = [];
  for (const venue of CONTRACT_VENUES) {
    const email = `${venue.name.toLowerCase()}@example.org`;
    const member = await signedUp(hub.ready.url, email);
    await tradeAll(member, venue, simulator.ready);
    const { platformType, symbol } = venue;
    const who = { name: venue.name, email, tid: member.tid ?? 0, platformType, symbol };
    const shown = await shownTo(member, platformType);
    members.push({ ...who, shown, venue: await venueStats(simulator.ready.admin, who) });
  }
  await killed(running);
  const endedAt = Date.now();
  const folder = fixtureFolder(name);
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder))
    if (old !== 'README.md') rmSync(join(folder, old), { recursive: true });
  cpSync(data, folder, { recursive: true, filter: (from) => isKept(from.slice(data.length)) });
  writeFileSync(join(folder, 'database.json'), `${JSON.stringify(await keptOf(database), null, 1)}\n`);
  writeFileSync(join(folder, 'expected.json'), `${JSON.stringify({ endedAt, members }, null, 1)}\n`);
  await database.close();
  rmSync(data, { recursive: true, force: true });
}
