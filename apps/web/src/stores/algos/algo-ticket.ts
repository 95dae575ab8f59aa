import { type Amount, decimalsOf, formatAmountFixed, type Instrument } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { type AlgoEntry, EMPTY_ALGO } from '../../calculators/algos/algo-entry.ts';
import type { TargetsAsked } from '../../calculators/algos/brackets.ts';
import { blank, blankForms, NO_FORMS, NO_TARGET, type TargetForms } from '../../calculators/algos/targets.ts';
import { tradeSettingsStore } from '../app/settings.ts';

/** Take-profit and stop-loss that go with an order, in each form that an exchange may take. */
export interface TargetsEntry extends TargetsAsked, TargetForms {
  readonly on: boolean;
}

/** What of the tickets waits for a price. */
export interface AlgoTicketState {
  /** The market that it is for, by its `marketKey`. */
  readonly market: string;
  readonly entry: AlgoEntry;
  readonly targets: TargetsEntry;
}

const NO_TARGETS: TargetsEntry = {
  ...{ on: false, takeProfit: NO_TARGET, stopLoss: NO_TARGET, by: 'last' },
  ...NO_FORMS,
};

/** The price that triggers followed the last time, in this browser. */
const kept = () => tradeSettingsStore.getState().triggerBy;

/** One for the trade pages: kind and trigger price kind stay from market to market, figures never do. */
export const algoTicketStore = createStore<AlgoTicketState>(() => ({
  ...{ market: '', targets: { ...NO_TARGETS, by: kept() }, entry: { ...EMPTY_ALGO, by: kept() } },
}));

/** Writes some of the fields. */
export function changeAlgoEntry(change: Partial<AlgoEntry>): void {
  algoTicketStore.setState(({ entry }) => ({ entry: { ...entry, ...change } }));
}

/** Writes some of take-profit and stop-loss. */
export function changeTargets(change: Partial<TargetsEntry>): void {
  algoTicketStore.setState(({ targets }) => ({ targets: { ...targets, ...change } }));
}

const NO_ENTRIES = {
  trigger: '',
  takeProfit: '',
  callback: '',
  activation: '',
  visible: '',
  whole: false,
} as const;

/** Figures are of one order only: they go once it was sent, and never come back; what they were given in stays. */
export function clearAlgoEntries(): void {
  algoTicketStore.setState(({ entry, targets }) => ({
    entry: { ...entry, ...NO_ENTRIES },
    targets: {
      ...{ on: false, by: targets.by, ...blankForms(targets) },
      ...{ takeProfit: blank(targets.takeProfit), stopLoss: blank(targets.stopLoss) },
    },
  }));
}

/** Another market came on screen. */
export function followAlgoMarket(market: string): void {
  if (algoTicketStore.getState().market === market) return;
  clearAlgoEntries();
  algoTicketStore.setState({ market });
}

/** A price was picked in the book: where a trigger is asked for it is the trigger. */
export function pickTrigger(price: Amount, { tickSize }: Pick<Instrument, 'tickSize'>): void {
  changeAlgoEntry({ trigger: formatAmountFixed(price, decimalsOf(tickSize)) });
}
