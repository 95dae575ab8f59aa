import type { BootPlatform } from '@crossbook/contract';
import { type Platform, platformOfSlug, type SymbolType } from '@crossbook/domain';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { alikeSymbol } from '../../calculators/market/alike-symbols.ts';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig, bootPlatform } from '../../stores/app/boot.ts';
import {
  findInstrument,
  instrumentsOf,
  instrumentsStore,
  type ListedInstrument,
  loadInstruments,
} from '../../stores/market/instruments.ts';
import { defaultMarket, FIRST_MARKET, type MarketName, tradeLink } from '../../stores/market/market.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { SymbolPicker } from './bar/SymbolPicker.tsx';
import { TradeSkeleton } from './trade-layouts.tsx';

/** A market that is on screen: its instrument, and what the hub says of its exchange. */
export interface OpenMarket {
  readonly instrument: ListedInstrument;
  readonly venue: BootPlatform;
}

/** Nothing stands at this address: what was looked for, and how to find what was meant. */
function Missing(props: {
  readonly title: string;
  readonly text?: string;
  /** Opens in one click. */
  readonly suggestion: MarketName;
}) {
  const { title, suggestion } = props;
  const text = useText();
  const navigate = useNavigate();
  const [searching, setSearching] = useState(false);
  return (
    <section className="mx-auto flex w-full max-w-lg flex-1 flex-col items-start justify-center gap-4 px-4 py-16">
      <h1 className="text-lg font-semibold">{title}</h1>
      {props.text !== undefined && <p className="text-sm text-soft">{props.text}</p>}
      <div className="flex flex-wrap gap-2">
        <Link {...tradeLink(suggestion)} className={buttonClass('primary', 'medium')}>
          {text('trade.unknown.open', { symbol: suggestion.symbol })}
        </Link>
        <Button onClick={() => setSearching(true)}>{text('trade.unknown.search')}</Button>
      </div>
      {searching && (
        <SymbolPicker
          current={suggestion}
          onClose={() => setSearching(false)}
          onMarket={(market) => void navigate(tradeLink(market))}
        />
      )}
    </section>
  );
}

/** A list that could not be read is asked for again this often: a hub that has just started may not have it yet. */
const ASK_AGAIN_MILLIS = 5_000;

function NoList({ platform }: { readonly platform: Platform }) {
  const text = useText();
  const again = useCallback(() => void loadInstruments(platform, true), [platform]);
  useEffect(() => {
    const timer = setInterval(again, ASK_AGAIN_MILLIS);
    return () => clearInterval(timer);
  }, [again]);
  return (
    <div className="grid flex-1 place-items-center">
      <ErrorState title={text('trade.instruments.failed')} retry={text('common.retry')} onRetry={again} />
    </div>
  );
}

function firstPlatform(symbolType: SymbolType): Platform {
  return (
    bootConfig().platforms.find((row) => row.restBases[symbolType] !== undefined)?.platform ??
    FIRST_MARKET.platform
  );
}

/** Finds the market of the address and shows it, or says why there is none. */
export function MarketGate(props: {
  readonly symbolType: SymbolType;
  readonly children: (market: OpenMarket) => ReactNode;
}) {
  const { symbolType, children } = props;
  const text = useText();
  const { exchange = '', symbol = '' } = useParams({ strict: false });
  const facts = platformOfSlug(exchange);
  const venue = facts === undefined ? undefined : bootPlatform(facts.platform);
  const platform = venue?.restBases[symbolType] === undefined ? undefined : venue.platform;
  const status = useStore(instrumentsStore, ({ byPlatform }) =>
    platform === undefined ? undefined : byPlatform[platform]?.status,
  );
  const listed = useStore(instrumentsStore, (state) =>
    platform === undefined ? undefined : instrumentsOf(state, platform, symbolType),
  );
  const instrument = useStore(instrumentsStore, (state) =>
    platform === undefined ? undefined : findInstrument(state, platform, symbolType, symbol),
  );
  useEffect(() => {
    if (platform !== undefined) void loadInstruments(platform);
  }, [platform]);
  if (venue === undefined || platform === undefined) {
    return (
      <Missing
        title={text(venue === undefined ? 'trade.unknownVenue.title' : 'trade.unknownVenue.market', {
          venue: facts?.name ?? exchange,
        })}
        suggestion={defaultMarket(firstPlatform(symbolType), symbolType)}
      />
    );
  }
  if (instrument !== undefined) return children({ instrument, venue });
  if (status === undefined || status === 'loading') return <TradeSkeleton />;
  if (status === 'failed' || listed?.length === 0) return <NoList platform={platform} />;
  return (
    <Missing
      title={text('trade.unknown.title', { symbol, venue: venue.name })}
      text={text('trade.unknown.text')}
      suggestion={alikeSymbol(listed ?? [], symbol) ?? defaultMarket(platform, symbolType)}
    />
  );
}
