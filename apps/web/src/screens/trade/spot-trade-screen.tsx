import type { Amount } from '@crossbook/domain';
import { useSearch } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import { spotResend } from '../../calculators/contracts/resend.ts';
import type { TicketAction } from '../../calculators/ticket/ticket.ts';
import { useText } from '../../i18n/i18n.ts';
import '../../i18n/trade-words.ts';
import { followAlgoMarket, pickTrigger } from '../../stores/algos/algo-ticket.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../stores/app/settings.ts';
import type { ListedInstrument } from '../../stores/market/instruments.ts';
import { marketKey, spotOffer } from '../../stores/market/market.ts';
import { createTicketStore } from '../../stores/trading/ticket/ticket.ts';
import { lazyPart } from '../../ui/read-ahead.ts';
import { Skeleton } from '../../ui/states.tsx';
import { useWide } from './live/live-hooks.ts';
import { useLiveMarket } from './live/use-live-market.ts';
import { MarketGate, type OpenMarket } from './market-gate.tsx';
import { startOrderSounds } from './order-sounds.ts';
import { OpenOrdersName, OrdersPanel } from './orders/OrdersPanel.tsx';
import { PhoneTicket, useThumbShare } from './phone/PhoneTicket.tsx';
import { PhoneTrade } from './phone/PhoneTrade.tsx';
import { ScaledPair } from './scaled-tickets.ts';
import { ClosedThumb, ClosedTicket } from './ticket/ClosedTicket.tsx';
import { OrderTicket } from './ticket/OrderTicket.tsx';
import { DesktopTrade, type TradeViewProps } from './trade-layouts.tsx';
import { useOrderAt } from './use-order-at.ts';
import { useResend } from './use-resend.ts';

const ConditionalPair = lazyPart(
  async () => (await import('./conditional/ConditionalPair.tsx')).ConditionalPair,
);

/** The tab of a phone that has open orders alone. */
function orderLists(instrument: ListedInstrument): TradeViewProps['lists'] {
  return {
    name: <OpenOrdersName instrument={instrument} />,
    onOpen: () => changeTradeSettings({ spotTab: 'open' }),
  };
}

/** A pair whose platform is coming soon: everything public, and one's own orders; no ticket. */
function ClosedTerminal({ instrument, venue }: OpenMarket) {
  const live = useLiveMarket(instrument);
  const wide = useWide();
  useEffect(startOrderSounds, []);
  const view: TradeViewProps = {
    ...live,
    instrument,
    venue,
    picks: undefined,
    ticket: (
      <ClosedTicket
        instrument={instrument}
        venueName={venue.name}
        why={venue.paused ? 'paused' : 'coming-soon'}
      />
    ),
    orders: <OrdersPanel instrument={instrument} market={live.market} wide={wide} />,
    lists: orderLists(instrument),
  };
  return wide ? (
    <DesktopTrade {...view} />
  ) : (
    <PhoneTrade {...view} thumb={<ClosedThumb instrument={instrument} />} />
  );
}

/** Which ticket is on screen: that of the first order, until the member chooses a kind. */
function useKind(fill: boolean) {
  const kept = useStore(tradeSettingsStore, ({ orderKind }) => orderKind);
  const [first, setFirst] = useState(fill);
  useLayoutEffect(() => {
    // Another kind that was kept would be marked beside a ticket that is none.
    if (fill && tradeSettingsStore.getState().orderKind > 2) changeTradeSettings({ orderKind: 1 });
    return tradeSettingsStore.subscribe((now, before) => {
      if (now.orderKind !== before.orderKind) setFirst(false);
    });
  }, [fill]);
  return { kind: first ? 1 : kept, first };
}

/** A size of its own, by a share of the largest one. */
function beginShare(act: (action: TicketAction) => void, percent: number): void {
  act({ kind: 'sent' });
  act({ kind: 'percent', percent });
}

/** The trade page of one pair. Its stores outlive a change of instrument. */
function Terminal({ instrument, venue, fill }: OpenMarket & { readonly fill: boolean }) {
  const text = useText();
  const live = useLiveMarket(instrument);
  const [ticket] = useState(() => createTicketStore(tradeSettingsStore.getState()));
  const [sheet, setSheet] = useState(fill);
  const wide = useWide();
  // Before any effect of the ticket fills it in.
  useLayoutEffect(() => {
    ticket.getState().follow(instrument);
    followAlgoMarket(marketKey(instrument));
  }, [ticket, instrument]);
  useEffect(startOrderSounds, []);
  const act = useCallback(
    (action: TicketAction) =>
      ticket.getState().act(action, {
        instrument,
        offer: spotOffer(instrument.platform),
        makerFee: instrument.makerFee,
        takerFee: instrument.takerFee,
        availableBase: undefined,
        availableQuote: undefined,
        bestBid: undefined,
        bestAsk: undefined,
        priceStale: false,
        platformOpen: true,
      }),
    [ticket, instrument],
  );
  const onOrder = useOrderAt(instrument, act);
  useResend(instrument, (row) => {
    for (const action of spotResend(row, instrument)) act(action);
    setSheet(!wide);
  });
  const { kind, first } = useKind(fill);
  const { sized, arm } = useThumbShare(kind, (percent) => beginShare(act, percent));
  const part = {
    ...{ store: ticket, market: live.market, instrument },
    ...(wide ? {} : { onSent: () => setSheet(false) }),
  };
  const form =
    kind === 3 ? (
      <ConditionalPair {...part} />
    ) : kind === 4 ? (
      <Suspense fallback={<Skeleton className="m-3 h-96" />}>
        <ScaledPair {...part} />
      </Suspense>
    ) : (
      <OrderTicket {...part} firstVisit={first} />
    );
  const view: TradeViewProps = {
    ...live,
    instrument,
    venue,
    picks: {
      onPrice: (price: Amount) => {
        pickTrigger(price, instrument);
        act({ kind: 'pick-price', price });
      },
      onSize: (size: Amount) => act({ kind: 'pick-size', size }),
    },
    onOrder,
    ticket: wide ? form : null,
    orders: <OrdersPanel instrument={instrument} market={live.market} wide={wide} />,
    lists: orderLists(instrument),
  };
  if (wide) return <DesktopTrade {...view} />;
  const thumb = (
    <PhoneTicket
      title={`${instrument.base}/${instrument.quote}`}
      labels={{ buy: text('trade.ticket.buy'), sell: text('trade.ticket.sell') }}
      open={sheet}
      onOpen={(side) => {
        act({ kind: 'side', side });
        arm();
        setSheet(true);
      }}
      onClose={() => setSheet(false)}
      ticket={form}
      sized={sized}
    />
  );
  return <PhoneTrade {...view} thumb={thumb} />;
}

/** `/spot/$exchange/$symbol`. */
export function SpotTradeScreen() {
  const search: { readonly fill?: unknown } = useSearch({ strict: false });
  return (
    <MarketGate symbolType="SPOT">
      {(open) =>
        open.venue.state === 'live' && open.venue.symbolTypes.includes('SPOT') ? (
          <Terminal {...open} fill={String(search.fill ?? '') === '1'} />
        ) : (
          <ClosedTerminal {...open} />
        )
      }
    </MarketGate>
  );
}
