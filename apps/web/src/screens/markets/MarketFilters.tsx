import { Search, Star } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig, closedLabel } from '../../stores/app/boot.ts';
import type { MarketScope, MarketType } from '../../stores/market-lists/market-list.ts';
import { Segments } from '../../ui/entry/Segments.tsx';
import { isTyping } from '../../ui/entry/typing.ts';
import { Badge } from '../../ui/states.tsx';
import type { TabItem } from '../../ui/Tabs.tsx';

/** The search field; `/` jumps into it, Esc empties it. */
export function MarketSearch(props: { readonly value: string; readonly onChange: (typed: string) => void }) {
  const t = useText();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <label className="flex h-9 w-full max-w-72 items-center gap-2 rounded-md border border-line-strong bg-field px-3 focus-within:border-focus max-md:h-11 max-md:max-w-none">
      <Search size={14} aria-hidden="true" className="shrink-0 text-faint" />
      <span className="sr-only">{t('market.search')}</span>
      <input
        ref={field}
        type="search"
        value={props.value}
        maxLength={40}
        autoComplete="off"
        aria-keyshortcuts="/"
        placeholder={t('market.search')}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && props.onChange('')}
        className="h-full min-w-0 flex-1 bg-transparent text-[13px] outline-none placeholder:text-faint"
      />
      <span
        aria-hidden="true"
        className="rounded-sm border border-line px-1.5 text-[11px] text-faint max-md:hidden"
      >
        /
      </span>
    </label>
  );
}

/** The tabs: favourites, everything, one platform. A platform that is "coming soon" says so; its figures are there. */
export function useScopeTabs(): readonly TabItem<MarketScope>[] {
  const t = useText();
  return [
    {
      value: 'favourites',
      label: (
        <span className="inline-flex items-center gap-1.5">
          <Star size={13} aria-hidden="true" />
          {t('market.favourites')}
        </span>
      ),
    },
    { value: 'all', label: t('market.all') },
    ...bootConfig().platforms.map(({ slug, name, state, paused }) => ({
      value: slug,
      label: (
        <span className="inline-flex items-center gap-1.5">
          {name}
          {state === 'coming-soon' && <Badge>{t(closedLabel({ paused }))}</Badge>}
        </span>
      ),
    })),
  ];
}

/** All, spot or futures. */
export function TypeFilter(props: {
  readonly value: MarketType;
  readonly onChange: (type: MarketType) => void;
}) {
  const t = useText();
  return (
    <Segments
      label={t('market.type')}
      value={props.value}
      onChange={props.onChange}
      items={[
        { value: 'all', label: t('market.all') },
        { value: 'SPOT', label: t('nav.spot') },
        { value: 'SWAP', label: t('nav.futures') },
      ]}
    />
  );
}
