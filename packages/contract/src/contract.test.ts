import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ALGO_FAULT_NAMES, ORDER_FAULT_NAMES } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { JAPANESE_TEXTS } from './errors-ja.ts';
import { KOREAN_TEXTS } from './errors-ko.ts';
import { CALLS, ERRORS, type ErrorName, errorFacts } from './index.ts';
import { CALL_SCHEMAS } from './schema/index.ts';

/** Every way in that needs no session. */
const PUBLIC = `pub/getcaptcha sms/getgeecaptcha common/country user/accountexist sms/sms user/checkcode user/usernew
  x/demo/Start user/login user/loginstep2 user/forgetpwd x/oauth/Start user/oauthlogin x/oauth/BindPassword x/account/Freeze
  x/account/OtpResetBegin x/account/OtpResetFinish x/account/Unfreeze x/recovery/Ask x/recovery/Finish x/passkey/LoginOptions x/passkey/Login
  connexbasicdata/QuerySymInfo connexbasicdata/GetCurrencies connexbasicdata/GetNetWorks x/content/List x/content/Get`;

describe('the contract', () => {
  test('every call has a schema and every schema a call', () => {
    expect(Object.keys(CALLS).sort()).toEqual(Object.keys(CALL_SCHEMAS).sort());
  });

  test('the calls whose handlers get no member are exactly the public ones', () => {
    const open = Object.entries(CALLS).filter(([, facts]) => facts.access === 'public');
    expect(open.map(([name]) => name).sort()).toEqual(PUBLIC.split(/\s+/).sort());
  });

  test('only public reads answer GET', () => {
    for (const [name, facts] of Object.entries(CALLS)) {
      if (facts.get) expect(facts.access, name).toBe('public');
    }
  });
});

describe('the error catalogue', () => {
  test.each([
    ['order', ORDER_FAULT_NAMES],
    ['algo order', ALGO_FAULT_NAMES],
  ])('has what the rules of an %s find, in the order of their checks', (_kind, found) => {
    const names: readonly ErrorName[] = found;
    const places = names.map((name) => ERRORS.findIndex((row) => row.name === name));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((left, right) => left - right));
  });

  test('no code and no name is used twice, and none is the code of success', () => {
    expect(new Set(ERRORS.map((row) => row.code)).size).toBe(ERRORS.length);
    expect(new Set(ERRORS.map((row) => row.name)).size).toBe(ERRORS.length);
    expect(ERRORS.some((row) => row.code === 1)).toBe(false);
  });

  test('every error has a text in each language, with the same placeholders and figures', () => {
    const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map((match) => match[0]).sort();
    for (const row of ERRORS) {
      expect(row.ja, row.name).toMatch(/[\u3040-\u30ff\u4e00-\u9fff]/);
      expect(row.ko, row.name).toMatch(/[\uac00-\ud7a3]/);
      expect(places(row.ja), row.name).toEqual(places(row.en));
      expect(places(row.ko), row.name).toEqual(places(row.en));
      const digits = row.en.match(/\d+/g) ?? [];
      for (const text of [row.ja, row.ko])
        for (const digit of digits) expect(text, row.name).toContain(digit);
      expect(row.when.length, row.name).toBeGreaterThan(5);
    }
  });

  test('no text in Japanese or Korean holds English: names and placeholders are all that is not their own', () => {
    const names = /\{\w+\}|sosflag|clientId|localhost|SMS|IP|KYC|MB|ms|JPEG|PNG|WebP|Post-only/g;
    for (const row of ERRORS) {
      for (const text of [row.ja, row.ko])
        expect(text.replaceAll(names, ''), row.name).not.toMatch(/[A-Za-z]{2}/);
    }
  });

  test.each([
    ['Japanese', JAPANESE_TEXTS],
    ['Korean', KOREAN_TEXTS],
  ])('no %s text names an error that does not exist', (_language, texts) => {
    expect(Object.keys(texts).sort()).toEqual(ERRORS.map((row) => row.name).sort());
  });

  test('an error is found by its name', () => {
    for (const row of ERRORS) expect(errorFacts(row.name as Parameters<typeof errorFacts>[0])).toEqual(row);
  });
});

/** The own-service paths of spec section 7, by the prefix they share. */
const PATHS: Readonly<Record<string, string>> = {
  '': `common/country sms/sms pub/getcaptcha sms/getgeecaptcha user/checkcode user/usernew user/login usersms/usersms
    user/forgetpwd user/accountexist user/oauthlogin user/loginstep2 user/layout invite/namuinvitereward usercommon/upload`,
  'security/': `userinfo userinfonew modifyuserinfo bindphone bindemail resetpwd usergooglesecret bindgoogle modifyemail
    modifyphone connex/bindgoogle`,
  'connexbasicdata/': `existuserfree addsinglefree delfree getuserfree QuerySymInfo GetWebsocketArgs ChangeChatSetting
    GetChatSetting GetCurrencies GetNetWorks GetDepositAddress DepositHistory GetDepositExchange SetDepositExchange`,
  'connextrade/': `PlaceOrder PlaceAlgoOrder CancelOrder CancelAlgoOrder CancelAll ReplaceOrder ReplaceAlgoOrder
    GetLeverage SetLeverage CurPositionList PositionHistory ClosePosition ClosePositionAll ChangePositionMode GetPositionTiers
    CurOrderList CurAlgoOrderList OrderHistory AlgoOrderHistory GetOrderRpnl v2/OrderHistorySubTotal v2/OrderHistory
    AvailableOpen AvailableClose`,
  'connexfunding/': `Withdraw WithdrawHistory fundingbalance tradingbalance tradingbalancesum FundingCoinBalances
    TradingCoinBalances CoinBalanceRes UniversalTransfer UniversalTransferHistory InterTransfer InterTransferHistory
    ExchangeTransfer ExchangeTransferHistory GetExchangeFee QueryTransactionList GetRpnl
    ConvertTrade ConvertTradeHistory ConvertTradePair ConvertTradeCoins`,
};

/** What does not answer yet. A name leaves this list with its call and never comes back; it may not grow. */
const LATER: readonly string[] = [
  'connexbasicdata/GetDepositAddress',
  'connexbasicdata/DepositHistory',
  'connexbasicdata/GetDepositExchange',
  'connexbasicdata/SetDepositExchange',
  'connexfunding/Withdraw',
  'connexfunding/WithdrawHistory',
  'connexfunding/FundingCoinBalances',
  'connexfunding/TradingCoinBalances',
  'connexfunding/CoinBalanceRes',
  'connexfunding/InterTransfer',
  'connexfunding/InterTransferHistory',
  'connexfunding/ExchangeTransfer',
  'connexfunding/ExchangeTransferHistory',
  'connexfunding/GetExchangeFee',
  'connexfunding/QueryTransactionList',
  'connexfunding/ConvertTrade',
  'connexfunding/ConvertTradeHistory',
  'connexfunding/ConvertTradePair',
  'connexfunding/ConvertTradeCoins',
];
const LATER_MAX = 19;

const names = Object.entries(PATHS).flatMap(([prefix, list]) =>
  list.split(/\s+/).map((name) => `${prefix}${name}`),
);
const answers = new Set<string>(Object.keys(CALLS));

describe('the 85 names of the specification', () => {
  test('are 85, each once', () => {
    expect(new Set(names).size).toBe(85);
    expect(names).toHaveLength(85);
  });

  test('stand in the specification’s own sentences', () => {
    const page = readFileSync(fileURLToPath(new URL('../../../docs/spec-map.md', import.meta.url)), 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('| S7.own-service-paths.'));
    // "UniversalTransfer and its history" names two.
    const words = new Set(rows.flatMap((row) => row.split('|')[3]?.match(/[A-Za-z0-9/]+/g) ?? []));
    const said = (name: string): boolean => {
      const short = name.replace(/^(security|connexbasicdata|connextrade|connexfunding)\//, '');
      return [short, `/api/${name}`, short.replace(/TransferHistory$/, 'Transfer')].some((word) =>
        words.has(word),
      );
    };
    expect(names.filter((name) => !said(name))).toEqual([]);
  });

  test.each(names)('%s answers, or is on the list of what comes later', (name) => {
    expect(answers.has(name)).toBe(!LATER.includes(name));
  });

  test('leave a list of what comes later that only shrinks and names nothing else', () => {
    expect(LATER.filter((name) => !names.includes(name))).toEqual([]);
    expect(LATER.length).toBeLessThanOrEqual(LATER_MAX);
  });

  test('are all that answers outside of our own prefix', () => {
    const own = [...answers].filter((name) => !name.startsWith('x/'));
    expect(own.filter((name) => !names.includes(name))).toEqual([]);
  });
});
