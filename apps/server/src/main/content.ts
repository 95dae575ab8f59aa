import type { CallHandlers } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import type { Config } from '../config.ts';
import { type ContentCall, contentHandlers } from '../content/content.ts';
import { shippedContent } from '../content/shipped/shipped.ts';
import type { Database } from '../storage/postgres/database.ts';
import { contentStore } from '../storage/stores/content-store.ts';

/** The texts of the hub, put together. */
export interface ContentPart {
  readonly handlers: Pick<CallHandlers, ContentCall>;
  /** Publishes texts that come with the program and that nobody has published yet. */
  ship(now: Millis): Promise<void>;
}

/** Puts the texts together on a database. */
export function composeContent(database: Database, config: Config): ContentPart {
  const store = contentStore(database);
  return {
    handlers: contentHandlers(store, config.productName),
    ship: (now) => store.publishMissing(shippedContent(now, config.money), now),
  };
}
