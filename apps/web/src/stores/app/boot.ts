import type { BootConfig, BootPlatform } from '@crossbook/contract';
import type { Platform } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';

/** What `/boot.json` said. */
export type BootState =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly config: BootConfig }
  | { readonly status: 'failed' };

/** The boot configuration. Screens render only when it is ready, so `bootConfig()` is safe in them. */
export const bootStore = createStore<BootState>(() => ({ status: 'loading' }));

/** Reads `/boot.json`. A failure is a state with a retry, never an exception. */
export async function loadBoot(fetchBoot: typeof fetch = fetch): Promise<void> {
  bootStore.setState({ status: 'loading' }, true);
  try {
    const response = await fetchBoot('/boot.json', { headers: { Accept: 'application/json' } });
    if (!response.ok) throw new Error(`boot.json answered ${response.status}`);
    bootStore.setState({ status: 'ready', config: (await response.json()) as BootConfig }, true);
  } catch {
    bootStore.setState({ status: 'failed' }, true);
  }
}

/** The configuration; only for code that runs after the shell rendered. */
export function bootConfig(): BootConfig {
  const state = bootStore.getState();
  if (state.status !== 'ready') throw new Error('boot configuration used before it was read');
  return state.config;
}

/** One platform of the configuration; `undefined` when this hub does not have it. */
export function bootPlatform(platform: Platform): BootPlatform | undefined {
  const state = bootStore.getState();
  return state.status === 'ready'
    ? state.config.platforms.find((row) => row.platform === platform)
    : undefined;
}

/** What an exchange is called that takes nothing new: still to come, or closed for now. */
export function closedLabel(row: Pick<BootPlatform, 'paused'> | undefined): 'nav.paused' | 'nav.soon' {
  return row?.paused === true ? 'nav.paused' : 'nav.soon';
}

/** Whether anything here is simulated: the PAPER badge shows. */
export function isPaper(config: BootConfig): boolean {
  return config.money === 'paper' || config.platforms.some((row) => row.mode === 'simulator');
}
