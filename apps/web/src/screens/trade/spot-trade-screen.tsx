import type { Amount } from '@crossbook/domain';
import { platformOfSlug, type Side } from '@crossbook/domain';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { bootPlatform } from '../../stores/boot.ts';
import {
  findInstrument,
  instrumentsStore,
  type ListedInstrument,
  loadInstruments,
} from '../../stores/instruments.ts';
import { catchUp, keepLive } from '../../stores/live.ts';
import { isMember, sessionStore } from '../../stores/session.ts';
import { tradeSettingsStore } from '../../stores/settings.ts';
import { createTicketStore } from '../../stores/ticket.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useFreshness, useWide } from './live-hooks.ts';
import { createLiveMarket, followInstrument, type LiveMarket } from './live-market.ts';
import { startOrderSounds } from './order-sounds.ts';
import { DesktopTrade, PhoneTrade, TradeSkeleton, type TradeViewProps } from './trade-layouts.tsx';

/** The pair that opens where nothing else is known (spec section 9). */
const DEFAULT_SYMBOL = 'BTCUSDT';

function Unknown(props: { readonly title: string; readonly text?: string }) {
  const text = useText();
  return (
    <div className="mx-auto flex max-w-lg flex-1 flex-col items-start justify-center gap-4 px-4 py-16">
      <h1 className="text-lg font-semibold">{props.title}</h1>
      {props.text !== undefined && <p className="text-sm text-soft">{props.text}</p>}
      <Link
        to="/spot/$exchange/$symbol"
        params={{ exchange: 'binance', symbol: DEFAULT_SYMBOL }}
        className={buttonClass('primary', 'medium')}
      >
        {text('trade.unknown.open', { symbol: DEFAULT_SYMBOL })}
      </Link>
    </div>
  );
}

/** The trade page of one instrument. Its stores outlive a change of instrument. */
function Terminal(props: {
  readonly instrument: ListedInstrument;
  readonly venueName: string;
  readonly fill: boolean;
}) {
  const { instrument, venueName, fill } = props;
  const { platform } = instrument;
  const [market] = useState<LiveMarket>(createLiveMarket);
  const [ticket] = useState(() => createTicketStore(tradeSettingsStore.getState().timeInForce));
  const wide = useWide();
  const navigate = useNavigate();
  const fresh = useFreshness(market, instrument);
  const member = useStore(sessionStore, isMember);
  useEffect(() => followInstrument(market, instrument), [market, instrument]);
  // Before any effect of the ticket fills it in.
  useLayoutEffect(() => ticket.getState().follow(instrument), [ticket, instrument]);
  useEffect(() => keepLive(platform), [platform]);
  useEffect(() => {
    if (member) catchUp(platform);
  }, [member, platform]);
  useEffect(startOrderSounds, []);
  const facts = useCallback(
    () => ({
      instrument,
      makerFee: instrument.makerFee,
      takerFee: instrument.takerFee,
      availableBase: undefined,
      availableQuote: undefined,
      bestBid: undefined,
      bestAsk: undefined,
      priceStale: false,
      platformOpen: true,
    }),
    [instrument],
  );
  const view: TradeViewProps = {
    market,
    ticket,
    instrument,
    venueName,
    freshness: fresh,
    firstVisit: fill,
    picks: {
      onPrice: (price: Amount) => ticket.getState().act({ kind: 'pick-price', price }, facts()),
      onSize: (size: Amount) => ticket.getState().act({ kind: 'pick-size', size }, facts()),
    },
    onSide: (side: Side) => ticket.getState().act({ kind: 'side', side }, facts()),
    onSymbol: (symbol: string) =>
      void navigate({ to: '/spot/$exchange/$symbol', params: { exchange: 'binance', symbol } }),
  };
  return wide ? <DesktopTrade {...view} /> : <PhoneTrade {...view} />;
}

/** `/spot/$exchange/$symbol`. */
export function SpotTradeScreen() {
  const text = useText();
  const { exchange = '', symbol = '' } = useParams({ strict: false });
  const search: { readonly fill?: unknown } = useSearch({ strict: false });
  const venue = platformOfSlug(exchange);
  const platform = venue?.platform;
  const offered = platform === undefined ? undefined : bootPlatform(platform);
  const listed = useStore(instrumentsStore, ({ byPlatform }) =>
    platform === undefined ? undefined : byPlatform[platform],
  );
  const instrument = useStore(instrumentsStore, (state) =>
    platform === undefined ? undefined : findInstrument(state, platform, 'SPOT', symbol),
  );
  useEffect(() => {
    if (platform !== undefined) void loadInstruments(platform);
  }, [platform]);
  if (venue === undefined || offered === undefined || !offered.symbolTypes.includes('SPOT')) {
    return <Unknown title={text('trade.unknownVenue.title', { venue: venue?.name ?? exchange })} />;
  }
  if (listed?.status === 'failed') {
    return (
      <div className="grid flex-1 place-items-center">
        <ErrorState
          title={text('trade.instruments.failed')}
          retry={text('common.retry')}
          onRetry={() => void loadInstruments(venue.platform)}
        />
      </div>
    );
  }
  if (listed?.status !== 'ready') return <TradeSkeleton />;
  if (instrument === undefined) {
    return (
      <Unknown
        title={text('trade.unknown.title', { symbol, venue: offered.name })}
        text={text('trade.unknown.text')}
      />
    );
  }
  return (
    <Terminal instrument={instrument} venueName={offered.name} fill={String(search.fill ?? '') === '1'} />
  );
}
