import { platformFacts } from '@crossbook/domain';
import { Star } from 'lucide-react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import type { ListedInstrument } from '../../stores/market/instruments.ts';
import { marketKey } from '../../stores/market/market.ts';
import { favouritesStore, toggleFavourite } from '../../stores/market-lists/favourites.ts';
import { isMember, sessionStore } from '../../stores/member/session.ts';
import { classNames } from '../../ui/class-names.ts';

/** Marks a market as favourite; a visitor is asked to log in. */
export function FavouriteStar(props: {
  readonly instrument: ListedInstrument;
  readonly onVisitor: () => void;
}) {
  const t = useText();
  const { instrument } = props;
  const perp = instrument.symbolType === 'SWAP' ? ` ${t('market.perp')}` : '';
  // The same pair stands in the list once for every platform and type.
  const name = `${platformFacts(instrument.platform).name} ${instrument.base}/${instrument.quote}${perp}`;
  const member = useStore(sessionStore, isMember);
  const marked = useStore(favouritesStore, ({ keys }) => keys.has(marketKey(instrument)));
  return (
    <button
      type="button"
      aria-pressed={marked}
      aria-label={t('favourite.star', { symbol: name })}
      onClick={(event) => {
        event.stopPropagation();
        if (member) void toggleFavourite(instrument);
        else props.onVisitor();
      }}
      className="-ml-2 grid size-9 shrink-0 place-items-center rounded-md text-faint hover:text-text max-md:size-11"
    >
      <Star size={15} aria-hidden="true" className={classNames(marked && 'fill-accent text-accent')} />
    </button>
  );
}
