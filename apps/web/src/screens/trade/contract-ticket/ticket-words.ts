import '../../../i18n/later-words.ts';
import {
  type Amount,
  decimalsOf,
  formatAmountFixed,
  ORDER_TYPE,
  platformFacts,
  SIDE,
} from '@crossbook/domain';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import type { ContractFacts, ContractSummary } from '../../../calculators/contracts/contract-summary.ts';
import {
  type ContractTicketState,
  effectOfOrder,
  leverageOf,
  meansWhole,
} from '../../../calculators/contracts/contract-ticket.ts';
import { moneyText } from '../../../calculators/signed-text.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { gapText } from '../../../calculators/ticket/gap-text.ts';
import { entryAmount } from '../../../calculators/ticket/number-entry.ts';
import { sideKey } from '../../../calculators/ticket/order-side.ts';
import type { Text } from '../../../i18n/i18n.ts';

/** A size in coins with its unit. */
export function coinsText(coins: Amount, { instrument }: Pick<ContractFacts, 'instrument'>): string {
  const digits = decimalsOf(baseStep(instrument));
  return `${groupThousands(formatAmountFixed(coins, digits))} ${instrument.base}`;
}

/** The button as a sentence: "Buy / Long 0.050 BTC", "Close long, all of it". */
export function actionText(
  text: Text,
  state: ContractTicketState,
  { facts, summary }: { readonly facts: ContractFacts; readonly summary: ContractSummary },
): string {
  const effect = effectOfOrder(state, facts.setting);
  const oneWay = state.side === SIDE.BUY ? 'trade.contract.buyLong' : 'trade.contract.sellShort';
  const verb = effect === 0 ? text(oneWay) : text(`side.${sideKey(state.side, effect)}`);
  if (meansWhole(state, facts.setting)) return text('trade.contract.whole', { action: verb });
  const { coins } = summary;
  return coins === undefined ? `${verb} ${facts.instrument.base}` : `${verb} ${coinsText(coins, facts)}`;
}

/** What is sent besides the size: price, distance from the market, kind, time in force, venue, mode, leverage. */
export function orderSentence(text: Text, state: ContractTicketState, facts: ContractFacts): string {
  const limit = state.type === ORDER_TYPE.LIMIT;
  const { instrument, setting, mark } = facts;
  const gap = gapText(entryAmount(state.price), mark);
  return [
    limit ? `${groupThousands(state.price)} ${instrument.quote}${gap}` : text('trade.ticket.marketPrice'),
    text(limit ? 'type.limit' : 'type.market'),
    ...(limit ? [text(`trade.ticket.tif.${state.timeInForce}`)] : []),
    platformFacts(instrument.platform).name,
    ...(setting === undefined
      ? []
      : [
          `${text(`trade.marginMode.${setting.marginMode}`)} ${leverageOf(effectOfOrder(state, setting), setting)}×`,
        ]),
  ].join(' · ');
}

/** What will really be sent, where the field says it otherwise: "sends 0.126 BTC = 9,961.20 USDT". */
export function sendsText(
  text: Text,
  state: ContractTicketState,
  { facts, summary }: { readonly facts: ContractFacts; readonly summary: ContractSummary },
): string | undefined {
  if (meansWhole(state, facts.setting)) return text('trade.contract.sendsWhole');
  if (
    summary.coins === undefined ||
    (state.unit === 'coin' && facts.instrument.contractValue === 10n ** 18n)
  ) {
    return undefined;
  }
  const size = coinsText(summary.coins, facts);
  const value = summary.value === undefined ? '–' : `${moneyText(summary.value)} ${facts.instrument.quote}`;
  return text('trade.contract.sends', { size, value });
}
