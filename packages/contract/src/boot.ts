import type { Platform, PlatformSlug, PlatformState, PlatformType } from '@crossbook/domain';

/** One platform as the browser must know it. */
export interface BootPlatform {
  readonly platform: Platform;
  readonly slug: PlatformSlug;
  readonly platformType: PlatformType;
  readonly name: string;
  readonly state: PlatformState;
  /** Closed for now, and not because it is still to come: said as such. */
  readonly paused: boolean;
  /** Whether the venue is simulated; shown at all times. */
  readonly mode: 'simulator' | 'live';
  /**
   * Base of the venue's public REST paths per market: own origin (`/md/binance`) or, in direct mode, the exchange's host.
   * A market that is absent is not offered at all.
   */
  readonly restBases: Readonly<Partial<Record<'SPOT' | 'SWAP', string>>>;
  /** Path of the live connection: `/live/1`. */
  readonly livePath: string;
  /** Symbol types that can be traded today. */
  readonly symbolTypes: readonly ('SPOT' | 'SWAP')[];
}

/** `/boot.json`: what the browser needs before the first screen (decision 0030.21). */
export interface BootConfig {
  readonly productName: string;
  readonly version: string;
  readonly money: 'paper' | 'live';
  readonly environment: 'production' | 'preproduction' | 'test';
  readonly tenant: string;
  /** Base of own-service calls per kind (decision 0030.15); all the own origin by default. */
  readonly hosts: {
    readonly own: string;
    readonly user: string;
    readonly notify: string;
    readonly public: string;
  };
  readonly platforms: readonly BootPlatform[];
  /** Whether `/dev/outbox` shows mails and codes (paper money on loopback only). */
  readonly outbox: boolean;
  /** What the log-in service of another house is called; empty where the operator named none. */
  readonly logInProvider: string;
  /** External pages of the footer and side widget by name; empty string = not configured, not shown. */
  readonly links: Readonly<
    Record<
      'terms' | 'privacy' | 'announcements' | 'products' | 'support' | 'messenger' | 'social' | 'help',
      string
    >
  >;
}
