import { QueryClient } from '@tanstack/react-query';

/**
 * Pages of records read by REST: histories, the outbox. Live data never goes through it.
 * Handed to each hook by name, so that screens without records do not load it.
 */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: 1, staleTime: 5_000, refetchOnWindowFocus: true } },
});

/** What is nobody's own, by the first word of its key; the back office has a session and an end of its own. */
const NOT_OF_MEMBERS: ReadonlySet<unknown> = new Set(['contents', 'content', 'countries', 'outbox', 'admin']);

/** What was read for a member leaves the page with him: nobody who sits down here next finds it. */
export function forgetMember(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => !NOT_OF_MEMBERS.has(queryKey[0]) });
}
