import { type Amount, formatAmount, refused, toNumberForDisplay, ZERO } from '@crossbook/domain';
import { mayTrade } from '../../../accounts/key-rights.ts';
import { masterOf } from '../../../accounts/labels.ts';
import type { AccountNumber } from '../../../exchange.ts';
import { fields } from '../../wire/fields.ts';
import { balancesOf, findSubAccount, isMaster } from '../account-types.ts';
import type { Desk } from '../desk.ts';
import {
  type Answer,
  type Endpoint,
  rows,
  rowsUnlessRefused,
  type SignedCall,
  signedEndpoint,
} from '../endpoint.ts';
import { cannotBeEmpty, ERRORS } from '../errors.ts';
import { formatCharge, formatFloat } from '../format.ts';
import { uidOf } from '../ids.ts';
import { factsOf, type Listed, MARGIN_ASSET } from '../listing.ts';
import { answerForChosen, INSTRUMENT_TYPES, instrumentRow } from '../market/instruments.ts';
import { ticksOf } from '../orders/order-words.ts';
import { accountLevel, positionModeOf } from '../perps/settings.ts';
import { maxAvailableRow, maxSizeRow } from '../perps/sizes.ts';
import { isTraded, marginModeOf, traderOf } from '../perps/words.ts';
import { accountRow, heldBalances } from './balances.ts';

const CURRENCIES_MAX = 20;
const PAIRS_MAX = 5;

function balance({ desk, reader, account }: SignedCall): Answer {
  const wanted = reader.list('ccy', CURRENCIES_MAX);
  return rowsUnlessRefused(reader, () => {
    const held = heldBalances(desk, account);
    return [
      accountRow(
        desk,
        account,
        wanted === undefined ? held : held.filter(({ asset }) => wanted.includes(asset)),
      ),
    ];
  });
}

function config({ desk, account, apiKey }: SignedCall): Answer {
  const master = masterOf(desk.venue.spot) ?? account;
  return rows([
    {
      acctLv: accountLevel(desk, { account }),
      acctStpMode: 'cancel_maker',
      autoLoan: false,
      ctIsoMode: 'automatic',
      enableSpotBorrow: false,
      greeksType: 'PA',
      ...fields('ip levelTmp settleCcy spotOffsetType', ''),
      kycLv: '3',
      label: 'simulated',
      level: 'Lv1',
      liquidationGear: '-1',
      mainUid: uidOf(isMaster(desk, account) ? account : master),
      mgnIsoMode: 'automatic',
      opAuth: '0',
      perm: mayTrade(desk.venue.spot, apiKey, 'contracts') ? 'read_only,trade' : 'read_only',
      posMode: positionModeOf(desk, { account }),
      roleType: '0',
      settleCcyList: [],
      spotBorrowAutoRepay: false,
      spotRoleType: '0',
      spotTraderInsts: [],
      traderInsts: [],
      type: isMaster(desk, account) ? '0' : '1',
      uid: uidOf(account),
    },
  ]);
}

/** Fees of a kind of instrument: those of its first listed one, which all have. */
function tradeFee({ desk, reader }: SignedCall): Answer {
  const instType = reader.requiredChoice('instType', INSTRUMENT_TYPES);
  const instId = reader.text('instId');
  const listed = desk.listing
    .all()
    .find((one) => one.instType === instType && (instId === undefined || one.instId === instId));
  if (reader.refusal === undefined && listed === undefined) return refused(ERRORS.noInstrument);
  return rowsUnlessRefused(reader, () => {
    if (listed === undefined) return [];
    const facts = factsOf(listed);
    const [maker, taker] = [formatCharge(facts.makerFee), formatCharge(facts.takerFee)];
    // `maker` and `taker` of contracts are those of coin-margined ones, which are charged the same.
    const contracts = listed.contract !== undefined;
    const [contractMaker, contractTaker] = contracts ? [maker, taker] : ['', ''];
    return [
      {
        category: '1',
        ...fields('delivery exercise settle', ''),
        feeGroup: [{ groupId: '1', maker, taker }],
        fiat: [],
        instType,
        level: 'Lv1',
        maker,
        makerU: contractMaker,
        makerUSDC: contractMaker,
        ruleType: 'normal',
        taker,
        takerU: contractTaker,
        takerUSDC: contractTaker,
        ts: String(desk.now()),
      },
    ];
  });
}

/** The instruments that a call names in one text, pairs or contracts, and what they are traded with. */
function chosenOf({ desk, reader, account }: SignedCall): {
  readonly listed: readonly Listed[];
  readonly mode: 'cash' | 'cross' | 'isolated';
} {
  const names = reader.list('instId', PAIRS_MAX) ?? [];
  if (names.length === 0) reader.refuse(cannotBeEmpty('instId'));
  const mode = reader.requiredChoice('tdMode', ['cash', 'cross', 'isolated']);
  const listed = names.map((name) => desk.listing.find(name)).filter((one) => one !== undefined);
  if (listed.length !== names.length) reader.refuse(ERRORS.noInstrument);
  const cash = mode === 'cash';
  const fits = listed.every((one) => (cash ? one.instType === 'SPOT' : isTraded(one)));
  if (!fits || (!cash && accountLevel(desk, { account }) !== '2')) reader.refuse(ERRORS.accountMode);
  return { listed, mode };
}

function freeOf(desk: Desk, account: AccountNumber, asset: string): Amount {
  const trader = traderOf({ desk, account });
  // What stands behind positions is not free for pairs.
  if (asset === MARGIN_ASSET) return desk.venue.perps.pool(trader).withdrawable;
  return balancesOf(desk, account, '18').find((held) => held.asset === asset)?.free ?? ZERO;
}

/** What an account could buy (in base) and sell of a pair at a price, or at the last one. */
function pairSizeRow(desk: Desk, account: AccountNumber, listed: Listed, price: Amount | undefined): object {
  const facts = factsOf(listed);
  const at = price === undefined ? listed.markets.ticker(listed.instId).last : toNumberForDisplay(price);
  const quote = toNumberForDisplay(freeOf(desk, account, facts.quote));
  return {
    ccy: facts.base,
    instId: listed.instId,
    maxBuy: at > 0 ? formatFloat(Math.floor((quote / at) * 1e8) / 1e8) : '0',
    maxSell: formatAmount(freeOf(desk, account, facts.base)),
  };
}

function maxSize(call: SignedCall): Answer {
  const { listed, mode } = chosenOf(call);
  const { desk, account, reader } = call;
  const price = reader.decimal('px');
  reader.text('leverage');
  const ticks = listed.map((one) => (price === undefined ? undefined : ticksOf(price, factsOf(one), 'px')));
  if (mode !== 'cash') for (const one of ticks) if (one?.ok === false) reader.refuse(one.code);
  return rowsUnlessRefused(reader, () =>
    listed.map((one, at) => {
      if (mode === 'cash') return pairSizeRow(desk, account, one, price);
      const counted = ticks[at];
      const marginMode = marginModeOf(mode);
      const question = { account: traderOf(call), listed: one, marginMode };
      return maxSizeRow(desk, { ...question, price: counted?.ok ? counted.value : undefined });
    }),
  );
}

/** What is free to buy with (in quote) and to sell; of contracts what may become margin. */
function maxAvailable(call: SignedCall): Answer {
  const { listed, mode } = chosenOf(call);
  const { desk, account, reader } = call;
  reader.choice('reduceOnly', ['true', 'false']);
  return rowsUnlessRefused(reader, () =>
    listed.map((one) => {
      if (mode !== 'cash') {
        const question = { account: traderOf(call), listed: one, marginMode: marginModeOf(mode) };
        return maxAvailableRow(desk, { ...question, price: undefined });
      }
      const { base, quote } = factsOf(one);
      return {
        availBuy: formatAmount(freeOf(desk, account, quote)),
        availSell: formatAmount(freeOf(desk, account, base)),
        instId: one.instId,
      };
    }),
  );
}

/** What may leave the trading account; with margin borrowed there would be more, but nothing is lent here. */
function maxWithdrawal({ desk, reader, account }: SignedCall): Answer {
  const wanted = reader.list('ccy', CURRENCIES_MAX);
  return rowsUnlessRefused(reader, () =>
    heldBalances(desk, account)
      .filter(({ asset }) => wanted === undefined || wanted.includes(asset))
      .map(({ asset }) => ({
        ccy: asset,
        ...fields('maxWd maxWdEx', formatAmount(freeOf(desk, account, asset))),
        ...fields('spotOffsetMaxWd spotOffsetMaxWdEx', ''),
      })),
  );
}

/** A member's trading account as its master sees it. */
function subAccountBalance({ desk, reader, account }: SignedCall): Answer {
  const name = reader.requiredText('subAcct');
  if (!isMaster(desk, account)) reader.refuse(ERRORS.masterOnly);
  const sub = findSubAccount(desk, name);
  if (sub === undefined) reader.refuse(ERRORS.noSubAccount);
  return rowsUnlessRefused(reader, () =>
    sub === undefined ? [] : [accountRow(desk, sub, heldBalances(desk, sub))],
  );
}

/** The trading account. */
export const ACCOUNT_ENDPOINTS: readonly Endpoint[] = [
  signedEndpoint('account.balance GET /api/v5/account/balance', 10, balance),
  signedEndpoint('account.config GET /api/v5/account/config', 5, config),
  signedEndpoint('account.instruments GET /api/v5/account/instruments', 20, (call) =>
    answerForChosen(call.desk, call.reader, instrumentRow),
  ),
  signedEndpoint('account.fee GET /api/v5/account/trade-fee', 5, tradeFee),
  signedEndpoint('account.maxSize GET /api/v5/account/max-size', 20, maxSize),
  signedEndpoint('account.maxAvailable GET /api/v5/account/max-avail-size', 20, maxAvailable),
  signedEndpoint('account.maxWithdrawal GET /api/v5/account/max-withdrawal', 20, maxWithdrawal),
  signedEndpoint('subAccount.balance GET /api/v5/account/subaccount/balances', 6, subAccountBalance),
];
