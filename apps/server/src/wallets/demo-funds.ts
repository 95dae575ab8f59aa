import type { CallAnswer, CallResponse, MemberCaller } from '@crossbook/contract';
import {
  type Amount,
  amount,
  formatAmount,
  type OrderId,
  PLATFORMS,
  type Platform,
  platformFacts,
  type UserId,
} from '@crossbook/domain';
import { transferId } from '@crossbook/ledger';
import { DIRECTION, type WalletDeps } from './ports.ts';
import { type Giving, testFunds } from './test-funds.ts';
import { moveFunds } from './universal-transfer.ts';

/** What each open platform gets of a demo's test funds. */
export const DEMO_FUNDS_AMOUNT: Amount = amount('10000');
const ASSET = 'USDT';
/**
 * Demos are funded one after the other at each platform, with this pause: at OKX, which takes four transfers in two
 * seconds from the whole hub, members have three of them whatever number of strangers tries it.
 */
const PAUSE_MILLIS = 2_000;
/** Demos that wait for their funds at a platform; more than are made in an hour. */
const WAITING_MAX = 200;

type Answer = CallResponse<'x/demo/Funds'>;

/** Funds of demo members. */
export interface DemoFunds {
  /** x/demo/Funds: asks for what is not on its way yet, and says how far all of it is. Harmless to repeat. */
  answer(caller: MemberCaller): Promise<CallAnswer<Answer>>;
  /** Begins nothing more; resolves when nothing is being moved. */
  stop(): Promise<void>;
}

/** Only its member can have made this id: what it is made of is known to nobody else. */
function idOf(deps: WalletDeps, user: UserId, what: string): OrderId {
  return transferId('demo-funds', deps.privateName(`demo funds ${user} ${what}`)) as string as OrderId;
}

/** Puts a demo's funds together: a gift to the funding wallet, then a transfer to each open platform. */
export function createDemoFunds(giving: Giving): DemoFunds {
  const { deps } = giving;
  const lines = new Map<Platform, Line>();
  const lineOf = (platform: Platform): Line => {
    const line = lines.get(platform) ?? createLine(deps, (caller) => fund(giving, caller, platform));
    lines.set(platform, line);
    return line;
  };
  return {
    async answer(caller) {
      const open = PLATFORMS.filter(({ platform }) => deps.venue(platform)?.state === 'live');
      const platforms: Answer['platforms'] = [];
      for (const { platform, platformType } of caller.demo === true ? open : []) {
        const transfer = await deps.movements.transfer(idOf(deps, caller.user, `to ${platform}`));
        if (transfer === undefined) lineOf(platform).join(caller);
        const state = transfer?.state ?? 'waiting';
        platforms.push({ platformType, amount: formatAmount(DEMO_FUNDS_AMOUNT), state });
      }
      return { ok: true, value: { asset: ASSET, platforms } };
    },
    async stop() {
      await Promise.all([...lines.values()].map((line) => line.stop()));
    },
  };
}

async function fund(giving: Giving, caller: MemberCaller, platform: Platform): Promise<void> {
  const { deps } = giving;
  const given = await testFunds(giving, caller, { clientId: idOf(deps, caller.user, 'gift') });
  if (!given.ok || given.value.state !== 'done') return;
  const id = idOf(deps, caller.user, `to ${platform}`);
  const moved = await moveFunds(giving, caller.user, {
    ...{ id, platform, direction: DIRECTION.TO_TRADING, pocket: 'spot' as const },
    ...{ asset: ASSET, amount: DEMO_FUNDS_AMOUNT },
  });
  if (!moved.ok) {
    const { name } = platformFacts(platform);
    deps.note('a demo got no funds', { user: caller.user, platform: name, why: moved.code.error });
  }
}

/** Who waits for funds at one platform. */
interface Line {
  /** Takes a place unless the member has one, or the line is full; who asks again finds a place then. */
  join(caller: MemberCaller): void;
  stop(): Promise<void>;
}

function createLine(deps: WalletDeps, serve: (caller: MemberCaller) => Promise<void>): Line {
  const waiting = new Map<UserId, MemberCaller>();
  let serving: Promise<void> | undefined;
  let stopped = false;
  let endPause = (): void => undefined;
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const cancel = deps.after(PAUSE_MILLIS, resolve);
      endPause = () => {
        cancel();
        resolve();
      };
    });
  const run = async (): Promise<void> => {
    for (;;) {
      const [caller] = waiting.values();
      if (caller === undefined || stopped) return;
      try {
        await serve(caller);
      } catch (error) {
        deps.note('funding a demo failed', { user: caller.user, error: String(error) });
      }
      waiting.delete(caller.user);
      if (!stopped) await pause();
    }
  };
  return {
    join(caller) {
      if (stopped || waiting.has(caller.user) || waiting.size >= WAITING_MAX) return;
      waiting.set(caller.user, caller);
      serving ??= run().finally(() => {
        serving = undefined;
      });
    },
    async stop() {
      stopped = true;
      endPause();
      await serving;
    },
  };
}
