import { formatAmount, ok, refused, toNumberForDisplay } from '@crossbook/domain';
import type { AccountNumber } from '../../../../exchange.ts';
import type { PerpFacts } from '../../../../venue.ts';
import { type Answer, accountOf, type Endpoint, type Prepared } from '../../endpoint.ts';
import { ERRORS, mandatory } from '../../errors.ts';
import type { ParamReader } from '../../params.ts';
import { aboutContract, type FuturesDesk, namedContract } from '../desk.ts';
import {
  badLeverage,
  FUTURES_ERRORS,
  LEVERAGE_WORDS,
  POSITION_MODE_WORDS,
  perpRefusalError,
} from '../errors.ts';
import { BY_REST, memberEndpoint } from '../member-endpoint.ts';
import { notionalMaxAt } from './positions.ts';

const DONE: Answer = ok({ code: 200, msg: 'success' });

/** Whether the account holds a long and a short position side by side: one mode for all contracts. */
export function isHedged(desk: FuturesDesk, account: AccountNumber): boolean {
  const [first] = desk.perps.contracts.keys();
  return first !== undefined && desk.perps.setting(account, first).positionMode === 'HEDGE';
}

function setLeverage(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = namedContract(reader, desk);
  const leverage = reader.integer('leverage');
  if (leverage === undefined) reader.refuse(mandatory('leverage'));
  // How high it may be is said by the first tier of the contract.
  else if (leverage < 1) reader.refuse(badLeverage(leverage));
  return {
    weight: 1,
    run: async (caller) => {
      if (contract === undefined || leverage === undefined) return refused(ERRORS.badSymbol);
      const { symbol } = contract;
      const set = await desk.perps.setLeverage(accountOf(caller), symbol, { leverage, side: 'BOTH' });
      // The same leverage again is as good as a new one.
      if (!set.ok && set.code === 'LEVERAGE_TOO_HIGH') return refused(badLeverage(leverage));
      if (!set.ok && set.code !== 'UNCHANGED') {
        return refused(LEVERAGE_WORDS[set.code] ?? perpRefusalError(set.code));
      }
      const maxNotionalValue = formatAmount(notionalMaxAt(desk, symbol, leverage));
      return ok({ leverage, maxNotionalValue, symbol });
    },
  };
}

function setMarginType(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = namedContract(reader, desk);
  const type = reader.requiredChoice('marginType', ['ISOLATED', 'CROSSED']);
  return {
    weight: 1,
    run: async (caller) => {
      if (contract === undefined) return refused(ERRORS.badSymbol);
      const mode = type === 'CROSSED' ? 'CROSS' : 'ISOLATED';
      const set = await desk.perps.setMarginMode(accountOf(caller), contract.symbol, mode);
      return set.ok ? DONE : refused(perpRefusalError(set.code));
    },
  };
}

function setPositionMode(reader: ParamReader, desk: FuturesDesk): Prepared {
  const dual = reader.requiredChoice('dualSidePosition', ['true', 'false']);
  return {
    weight: 1,
    run: async (caller) => {
      const mode = dual === 'true' ? 'HEDGE' : 'ONE_WAY';
      const set = await desk.perps.setPositionMode(accountOf(caller), undefined, mode);
      return set.ok ? DONE : refused(POSITION_MODE_WORDS[set.code] ?? perpRefusalError(set.code));
    },
  };
}

const positionMode = (_: ParamReader, desk: FuturesDesk): Prepared => ({
  weight: 30,
  run: (caller) => ok({ dualSidePosition: isHedged(desk, accountOf(caller)) }),
});

/** USDT alone is margin; other assets beside it are not simulated. */
function setAssetMode(reader: ParamReader): Prepared {
  const multi = reader.requiredChoice('multiAssetsMargin', ['true', 'false']);
  const refusal = multi === 'true' ? ERRORS.unsupported : FUTURES_ERRORS.assetModeUnchanged;
  return { weight: 1, run: () => refused(refusal) };
}

const assetMode = (): Prepared => ({ weight: 30, run: () => ok({ multiAssetsMargin: false }) });

/** The contract named, or all that are listed. */
function chosen(reader: ParamReader, desk: FuturesDesk): readonly PerpFacts[] {
  if (!reader.has('symbol')) return [...desk.perps.contracts.values()];
  const contract = namedContract(reader, desk);
  return contract === undefined ? [] : [contract];
}

function leverageBracket(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contracts = chosen(reader, desk);
  return {
    weight: 1,
    run: () =>
      ok(
        contracts.map(({ symbol }) => ({
          symbol,
          notionalCoef: 1,
          brackets: desk.perps.tiers(symbol).map((tier) => ({
            bracket: tier.tier,
            initialLeverage: tier.maxLeverage,
            notionalCap: toNumberForDisplay(tier.cap),
            notionalFloor: toNumberForDisplay(tier.floor),
            maintMarginRatio: toNumberForDisplay(tier.maintenanceRate),
            cum: toNumberForDisplay(tier.deduction),
          })),
        })),
      ),
  };
}

function symbolConfig(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contracts = chosen(reader, desk);
  return {
    weight: 5,
    run: (caller) =>
      ok(
        contracts.map(({ symbol }) => {
          const { marginMode, leverageLong } = desk.perps.setting(accountOf(caller), symbol);
          return {
            symbol,
            marginType: marginMode === 'CROSS' ? 'CROSSED' : 'ISOLATED',
            isAutoAddMargin: false,
            leverage: leverageLong,
            maxNotionalValue: formatAmount(notionalMaxAt(desk, symbol, leverageLong)),
          };
        }),
      ),
  };
}

const commissionRate = (reader: ParamReader, desk: FuturesDesk): Prepared =>
  aboutContract(reader, desk, 20, ({ symbol, makerFee, takerFee }) =>
    ok({
      symbol,
      makerCommissionRate: formatAmount(makerFee),
      takerCommissionRate: formatAmount(takerFee),
      rpiCommissionRate: '0',
    }),
  );

/** Leverage, margin and position mode, what they allow, and fees. */
export const SETTING_CALLS: readonly Endpoint<FuturesDesk>[] = [
  memberEndpoint(BY_REST, 'leverage POST /fapi/v1/leverage', setLeverage),
  memberEndpoint(BY_REST, 'marginType POST /fapi/v1/marginType', setMarginType),
  memberEndpoint(BY_REST, 'positionSide POST /fapi/v1/positionSide/dual', setPositionMode),
  memberEndpoint(BY_REST, 'positionSide.status GET /fapi/v1/positionSide/dual', positionMode),
  memberEndpoint(BY_REST, 'multiAssetsMargin POST /fapi/v1/multiAssetsMargin', setAssetMode),
  memberEndpoint(BY_REST, 'multiAssetsMargin.status GET /fapi/v1/multiAssetsMargin', assetMode),
  memberEndpoint(BY_REST, 'leverageBracket GET /fapi/v1/leverageBracket', leverageBracket),
  memberEndpoint(BY_REST, 'symbolConfig GET /fapi/v1/symbolConfig', symbolConfig),
  memberEndpoint(BY_REST, 'commissionRate GET /fapi/v1/commissionRate', commissionRate),
];
