import type { Millis } from '@crossbook/domain';
import { type NewContent, SHIPPED_AUTHOR } from '../ports.ts';
import { PRIVACY, TERMS } from './legal.ts';
import { COMMUNITY, FIRST_STEPS, OPEN, SUPPORT } from './pages.ts';
import { QUESTIONS } from './questions.ts';

/** The texts that a hub begins with, so that every page has something true to say. @param money some are for one kind only. */
export function shippedContent(now: Millis, money: 'paper' | 'live'): readonly NewContent[] {
  const made = { publishAt: now, author: SHIPPED_AUTHOR };
  return [
    { ...made, kind: 'terms', slug: 'terms', texts: TERMS },
    { ...made, kind: 'privacy', slug: 'privacy', texts: PRIVACY },
    { ...made, kind: 'page', slug: 'support', texts: SUPPORT },
    { ...made, kind: 'page', slug: 'community', texts: COMMUNITY },
    { ...made, kind: 'announcement', slug: 'open', texts: OPEN },
    ...QUESTIONS.map(([slug, texts], position) => ({ ...made, kind: 'faq' as const, slug, position, texts })),
    ...(money === 'paper'
      ? [{ ...made, kind: 'event' as const, slug: 'first-steps', texts: FIRST_STEPS }]
      : []),
  ];
}
