import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALLS } from '@crossbook/contract';
import { expect, test } from 'vitest';

/** The only calls of the pages whose refusals become no toast, and why each is none (decision 0068). */
const QUIET = {
  'pub/getcaptcha': 'by itself, while somebody types',
  'user/login': 'its first try alone, where the page does the check anew',
  'security/userinfo': 'by itself: who is logged in',
  'security/userinfonew': 'a panel says it',
  'security/usergooglesecret': 'a panel says it; a new secret is asked for by a click, and is told',
  'common/country': 'a field says it',
  'invite/namuinvitereward': 'a panel says it',
  'x/kyc/Status': 'a panel says it',
  'x/account/Sessions': 'a panel says it',
  'x/terms/Due': 'it is asked again by what is refused for it',
  'x/account/Devices': 'a panel says it',
  'x/account/LoginHistory': 'a panel says it',
  'x/account/Limits': 'a panel says it',
  'x/passkey/List': 'a panel says it',
  'x/passkey/Rename': 'but for one that is gone, which is said in other words',
  'x/content/List': 'a panel says it',
  'x/content/Get': 'a panel says it',
  'x/demo/Funds': 'over and over',
  'x/wallet/Equity': 'over and over',
  'x/trade/Opening': 'over and over',
  'x/trade/Fills': 'a panel says it; a look-up behind a refusal',
  'x/trade/Countdowns': 'over and over, and a dialog says it',
  'x/trade/FundingHistory': 'a panel says it',
  'x/alert/List': 'a panel says it',
  'x/alert/Remove': 'by itself, once one was shown; who removes one is told',
  'connexfunding/fundingbalance': 'a panel says it',
  'connexfunding/tradingbalance': 'a panel says it',
  'connexfunding/GetRpnl': 'a panel says it',
  'connexfunding/UniversalTransferHistory': 'a panel says it',
  'connextrade/OrderHistory': 'a panel says it',
  'connextrade/v2/OrderHistory': 'a look-up behind a refusal, or of what was missed',
  'connextrade/AlgoOrderHistory': 'a panel says it',
  'connextrade/PositionHistory': 'a panel says it',
  'connextrade/CurOrderList': 'a panel says it',
  'connextrade/CurAlgoOrderList': 'a panel says it',
  'connextrade/CurPositionList': 'a panel says it',
  'connextrade/GetLeverage': 'the ticket says it',
  'connextrade/GetPositionTiers': 'the ticket does without',
  'connextrade/AvailableOpen': 'while somebody types',
  'connexbasicdata/getuserfree': 'by itself, with the page',
  'connexbasicdata/GetWebsocketArgs': 'by itself, with every connection',
  'connexbasicdata/QuerySymInfo': 'a panel says it',
  'connexbasicdata/GetCurrencies': 'by itself, with the page',
} as const;

const SOURCES = join(import.meta.dirname, '../..');

function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|^admin\/|\/admin\//.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** The arguments of a call, from its name to the bracket that ends it. */
function argumentsAt(source: string, from: number): string {
  let depth = 1;
  let end = from;
  for (; depth > 0 && end < source.length; end += 1) {
    if (source[end] === '(') depth += 1;
    if (source[end] === ')') depth -= 1;
  }
  return source.slice(from, end);
}

test('what a member does is told by a toast: the calls that are quiet are these, and no others', () => {
  const quiet = new Set<string>();
  const toasts = new Set<string>();
  for (const source of sourcesBelow(SOURCES)) {
    for (const { index, 0: begin } of source.matchAll(/\bcall\(\s*(?=')/g)) {
      const given = argumentsAt(source, index + begin.length);
      const [name = ''] = given.slice(1).split("'");
      (/\bquiet\b/.test(given) ? quiet : toasts).add(name);
    }
  }
  expect([...quiet].sort()).toEqual(Object.keys(QUIET).sort());
  for (const name of toasts) expect(CALLS, name).toHaveProperty([name]);
  // What changes something for a member, and every step of signing up, logging in and getting back in.
  const acts =
    /^(user|sms|usersms|security\/(bind|modify|reset)|x\/(kyc\/Submit|demo\/(Start|Keep)|oauth|trade\/(Place|Rev|Adj|Mar)))/;
  expect([...quiet].filter((name) => acts.test(name))).toEqual(['user/login']);
  expect([...toasts].filter((name) => acts.test(name)).length).toBeGreaterThan(20);
});
