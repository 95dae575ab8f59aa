import type { AdminCaller, AdminHandlers, AdminPlatformRow } from '@crossbook/contract';
import type { Platform } from '@crossbook/domain';
import { platformOfType } from '@crossbook/domain';
import { refusal } from '../accounts/ports.ts';
import type { Act, Asking } from './ports.ts';

/** What was said of a platform, as a row of the history. */
export interface ShownSaying {
  readonly id: string;
  readonly name: string;
  readonly at: number;
  readonly by: string;
  readonly state: AdminPlatformRow['state'];
  readonly reason: string;
}

/** Platforms as the back office opens and closes them. */
export interface PlatformDesk {
  /** As they are in force now. */
  rows(): Promise<readonly AdminPlatformRow[]>;
  history(): Promise<readonly ShownSaying[]>;
  /** The newest saying about a platform; '0' where there is none. */
  standing(platform: Platform): string;
  /** Closes a platform to new risk at once; false where it is so already. */
  close(act: Act, platform: Platform, state: 'paused' | 'coming-soon'): Promise<boolean>;
  /** Takes up in the running hub what was decided. */
  refresh(): Promise<void>;
}

/** What the calls about platforms need. */
export interface PlatformCallsDeps {
  readonly platforms: PlatformDesk;
  readonly actOf: (caller: AdminCaller, call: string, reason: string) => Act;
  readonly ask: Asking;
}

type PlatformCall = 'x/admin/Platforms' | 'x/admin/PlatformClose' | 'x/admin/PlatformOpen';

/** Which platforms are open to new risk: closing is one admin's word, opening takes two. Demo admins only look. */
export function platformCalls({
  platforms,
  actOf,
  ask,
}: PlatformCallsDeps): Pick<AdminHandlers, PlatformCall> {
  const rowOf = async (platformType: number) =>
    (await platforms.rows()).find((row) => row.platformType === platformType) as AdminPlatformRow;
  return {
    'x/admin/Platforms': async () => ({
      ok: true,
      value: { rows: [...(await platforms.rows())], history: [...(await platforms.history())] },
    }),
    'x/admin/PlatformClose': async (caller, { platformType, state, reason }) => {
      if (caller.demo) return refusal({ error: 'demo-refused' });
      const platform = platformOfType(platformType)?.platform as Platform;
      if ((await rowOf(platformType)).state === state) return refusal({ error: 'already-decided' });
      const done = await platforms.close(actOf(caller, 'x/admin/PlatformClose', reason), platform, state);
      return done ? { ok: true, value: {} } : refusal({ error: 'already-decided' });
    },
    'x/admin/PlatformOpen': async (caller, { platformType, reason }) => {
      if (caller.demo) return refusal({ error: 'demo-refused' });
      const { state, canOpen, name } = await rowOf(platformType);
      if (state === 'live') return refusal({ error: 'already-decided' });
      if (!canOpen)
        return refusal({ error: 'field-invalid', field: 'platformType', allowed: 'an exchange with a key' });
      const platform = platformOfType(platformType)?.platform as Platform;
      const what = { platform, state: 'live', standing: platforms.standing(platform) };
      const act = actOf(caller, 'x/admin/PlatformOpen', reason);
      return ask(act, { kind: 'platform-open', subject: `platform ${name}`, what });
    },
  };
}
