import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RECORDINGS_DIR } from '../../../../tests/recordings.ts';
import { asObject, parseJson } from '../wire/guards.ts';
import { BINANCE_CONTRACT_KIT } from './binance-contract-kit.ts';
import { BYBIT_CONTRACT_KIT } from './bybit-contract-kit.ts';
import type { ContractKit } from './contract-kit.ts';
import { OKX_CONTRACT_KIT } from './okx-contract-kit.ts';
import { recorded } from './recorded.ts';

/** Every recorded or documented message of an account's private stream, through the connector that follows it: what each tells. */

/** A message that leaves out a documented field is no fact; that it came is a reason to read by REST. */
const LACKING = {
  fee: 'malformed orders',
  profit: 'malformed execution',
  locked: 'contracts other, pool; malformed wallet',
};
/** Acknowledgements, what is followed by no connector, contracts that are not ours. */
const NOTHING = '';
/** One contract of the kit is listed; what an order of another counts is not known. */
const UNLISTED = 'malformed orders';

interface Folder {
  readonly of: ContractKit;
  readonly folder: string;
  /** Which of its files are messages of a private stream. */
  readonly which: RegExp;
  readonly reported: Readonly<Record<string, string>>;
}

const FOLDERS: readonly Folder[] = [
  {
    of: BINANCE_CONTRACT_KIT,
    folder: 'nautilus/binance/futures/user_data_json',
    which: /json$/,
    reported: {
      account_update: 'contracts order BTCUSDT BTCUSDT BTCUSDT',
      algo_update_canceled: 'algo cancelled',
      order_update_adl: 'order 5 with a fill by deleveraging',
      order_update_calculated_pending: 'order 2',
      order_update_new: 'order 2',
      order_update_trade: 'order 5 with a fill by trade',
      trade_lite: NOTHING,
    },
  },
  {
    of: BINANCE_CONTRACT_KIT,
    folder: 'nautilus/binance-py/ws_messages',
    which: /^ws_futures_(?!depth|ticker)/,
    reported: {
      ws_futures_algo_update_finished_canceled: 'algo fired',
      ws_futures_algo_update_triggering: 'algo firing',
      ws_futures_order_update_adl: 'order 4 with a fill by deleveraging',
      ws_futures_order_update_liquidation: 'order 4 with a fill by liquidation',
      ws_futures_order_update_new_limit_if_touched_price_match: 'order 2',
      ws_futures_order_update_new_reduce_only_qty: 'order 2',
      ws_futures_order_update_settlement: 'order 4 with a fill by trade',
    },
  },
  {
    of: OKX_CONTRACT_KIT,
    folder: 'nautilus/okx',
    which: /^ws_(?:account|orders)/,
    reported: {
      ws_account_empty: 'balances',
      ws_orders_adl: UNLISTED,
      ws_orders_fok: LACKING.fee,
      ws_orders_liquidation: 'order 4 with a fill by liquidation',
      ws_orders_trigger: LACKING.fee,
    },
  },
  {
    of: OKX_CONTRACT_KIT,
    folder: 'okx.net/Subscriptions/Unified/Account',
    which: /txt$/,
    reported: { Balance: 'balances USDT; contracts other, pool', Deposit: NOTHING, Withdrawal: NOTHING },
  },
  {
    of: OKX_CONTRACT_KIT,
    folder: 'okx.net/Subscriptions/Unified/Trading',
    which: /txt$/,
    reported: { AdvancedAlgoOrder: NOTHING, LiquidationWarning: NOTHING, Position: NOTHING },
  },
  {
    of: BYBIT_CONTRACT_KIT,
    folder: 'nautilus/bybit',
    which: /^ws_(?:account|auth|order_|subscription)/,
    reported: {
      ws_account_execution: LACKING.profit,
      ws_account_execution_fast: NOTHING,
      ws_account_order: 'algo cancelled; order 3',
      ws_account_order_filled: 'algo fired; order 4',
      ws_account_order_market_if_touched: 'algo waiting',
      ws_account_order_sell_market_if_touched: 'algo waiting',
      ws_account_order_stop_loss: 'algo waiting',
      ws_account_order_take_profit: 'algo waiting',
      ws_account_position_short: 'contracts other ETHUSDT',
      ws_account_wallet: LACKING.locked,
      ws_account_wallet_small_order: LACKING.locked,
      ws_auth_success: NOTHING,
      ws_order_response: NOTHING,
      ws_subscription_ack: NOTHING,
    },
  },
];

/** The message of a file: of one by example what follows the equals sign, of a stream's envelope what is in it. */
function messageOf(path: string): object {
  const text = recorded(path)?.toString('utf8') ?? '';
  const message = asObject(parseJson(path.endsWith('.txt') ? text.slice(text.indexOf('\n=') + 2) : text));
  return (message?.stream === undefined ? message : asObject(message.data)) ?? {};
}

/** What the connector tells of a message, in the order of the alphabet. */
async function reportOf(kit: ContractKit, message: object): Promise<string> {
  const reported: string[] = [];
  const { trading, sockets } = kit.create(() => kit.listenKey?.() ?? kit.answers.serverTimeout());
  trading.userStream(
    { apiKey: 'key', secret: 'secret', passphrase: 'phrase' },
    {
      onOpen: () => undefined,
      onOrder: ({ state, fill }) =>
        reported.push(
          `order ${state.status}${fill === undefined ? '' : ` with a fill by ${fill.contract?.cause}`}`,
        ),
      onAlgo: ({ status }) => reported.push(`algo ${status}`),
      onBalances: (balances) => reported.push(['balances', ...balances.map(({ asset }) => asset)].join(' ')),
      onContracts: ({ cause, positions, pool }) =>
        reported.push(
          ['contracts', cause, ...positions.map(({ symbol }) => symbol)].join(' ') +
            (pool === undefined ? '' : ', pool'),
        ),
      onClosed: () => undefined,
      onMalformed: (why) => reported.push(`malformed ${why}`),
    },
  );
  await kit.subscribe(sockets);
  sockets.newest.say(message);
  await new Promise<void>((done) => setImmediate(done));
  trading.close();
  return reported.toSorted().join('; ');
}

describe.skipIf(!existsSync(RECORDINGS_DIR)).each(FOLDERS)(
  '$of.name, $folder',
  ({ of, folder, which, reported }) => {
    test('each of its messages tells what it says, and none is left out', async () => {
      const files = readdirSync(join(RECORDINGS_DIR, folder)).filter((name) => which.test(name));
      const all = await Promise.all(
        files.map(async (name) => [
          name.replace(/\.[a-z]+$/, ''),
          await reportOf(of, messageOf(`${folder}/${name}`)),
        ]),
      );
      expect(Object.fromEntries(all)).toEqual(reported);
    });
  },
);
