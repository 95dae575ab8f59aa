import { QueryClient } from '@tanstack/react-query';

/**
 * Pages of records read by REST: histories, the outbox. Live data never goes through it.
 * Handed to each hook by name, so that screens without records do not load it.
 */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: 1, staleTime: 5_000, refetchOnWindowFocus: true } },
});
