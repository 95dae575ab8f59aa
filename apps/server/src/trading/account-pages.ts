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

/** All owners of a list that is read page by page, so that no more than a page of them is in memory. */
export async function* eachOwner<Owner extends AccountOwner>(
  page: (after?: AccountOwner) => Promise<readonly Owner[]>,
): AsyncGenerator<Owner> {
  let last: Owner | undefined;
  do {
    const owners = await page(last);
    yield* owners;
    last = owners.at(-1);
  } while (last !== undefined);
}
