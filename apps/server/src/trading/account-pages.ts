import type { Platform, UserId } from '@crossbook/domain';

/** Whose account at which platform. */
export interface AccountOwner {
  readonly user: UserId;
  readonly platform: Platform;
}

/** A page of a list, newest first. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

/** Rows and where the next page starts. */
export interface StoredPage<Row> {
  readonly rows: readonly Row[];
  readonly next?: string;
}
