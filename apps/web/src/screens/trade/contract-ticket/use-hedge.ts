import type { SettingRow } from '@crossbook/contract';
import { useStore } from 'zustand';
import { tradeSettingsStore } from '../../../stores/app/settings.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';

/**
 * Whether a ticket has the fields of two legs: the exchange says so, and until it has, it is as this browser saw it last, so
 * that nothing jumps. Nothing is sent before the exchange has said it.
 */
export function useHedge(setting: SettingRow | undefined): boolean {
  const member = useStore(sessionStore, isMember);
  const kept = useStore(tradeSettingsStore, ({ positionMode }) => positionMode);
  return (setting?.positionMode ?? (member ? kept : 'one-way')) === 'hedge';
}
