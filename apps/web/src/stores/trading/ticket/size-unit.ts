import type { Platform } from '@crossbook/domain';
import { readChoices, writeChoice } from '../../../calculators/kept-choices.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../app/settings.ts';

/** What sizes of contracts at an exchange are given in: the choice there, else the last one anywhere. */
export function keptSizeUnit(platform: Platform): string {
  const { sizeUnits, sizeUnit } = tradeSettingsStore.getState();
  // Not every exchange counts contracts.
  const elsewhere = sizeUnit === 'contracts' ? 'coin' : sizeUnit;
  return readChoices(sizeUnits).get(String(platform)) ?? elsewhere;
}

/** Keeps a choice for an exchange. */
export function keepSizeUnit(platform: Platform, unit: string): void {
  const { sizeUnits } = tradeSettingsStore.getState();
  changeTradeSettings({ sizeUnit: unit, sizeUnits: writeChoice(sizeUnits, String(platform), unit) });
}
