import '../../i18n/later-words.ts';
import type { Amount } from '@crossbook/domain';
import { Suspense, useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ContractTicketAction } from '../../calculators/contracts/contract-ticket.ts';
import { contractResend } from '../../calculators/contracts/resend.ts';
import { useText } from '../../i18n/i18n.ts';
import '../../i18n/trade-words.ts';
import { followAlgoMarket, pickTrigger } from '../../stores/algos/algo-ticket.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../stores/app/settings.ts';
import type { ListedInstrument } from '../../stores/market/instruments.ts';
import { marketKey } from '../../stores/market/market.ts';
import { contractSettingsStore, settingKey } from '../../stores/trading/contracts/contract-settings.ts';
import { createContractTicketStore } from '../../stores/trading/ticket/contract-ticket.ts';
import { lazyPart } from '../../ui/read-ahead.ts';
import { Skeleton } from '../../ui/states.tsx';
import { ContractTicket } from './contract-ticket/ContractTicket.tsx';
import { FuturesPanel, OrdersBeside, PositionsName } from './FuturesPanel.tsx';
import { useWide } from './live/live-hooks.ts';
import { useLiveMarket } from './live/use-live-market.ts';
import { MarketGate, type OpenMarket } from './market-gate.tsx';
import { startOrderSounds } from './order-sounds.ts';
import { PhoneTicket, useThumbShare } from './phone/PhoneTicket.tsx';
import { PhoneTrade } from './phone/PhoneTrade.tsx';
import { ScaledContract } from './scaled-tickets.ts';
import { ClosedThumb, ClosedTicket } from './ticket/ClosedTicket.tsx';
import { DesktopTrade, type TradeViewProps } from './trade-layouts.tsx';
import { useOrderAt } from './use-order-at.ts';
import { useResend } from './use-resend.ts';

const ConditionalContract = lazyPart(
  async () => (await import('./conditional/ConditionalContract.tsx')).ConditionalContract,
);

/** The tab of a phone that has positions alone. */
function positionLists(instrument: ListedInstrument): TradeViewProps['lists'] {
  return {
    name: <PositionsName instrument={instrument} />,
    onOpen: () => changeTradeSettings({ futuresTab: 'positions' }),
  };
}

/** A contract whose platform takes no orders for it: everything public, and what the member has there. */
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
        why={venue.state === 'live' ? 'perpetuals' : venue.paused ? 'paused' : 'coming-soon'}
      />
    ),
    orders: <FuturesPanel instrument={instrument} market={live.market} wide={wide} />,
    beside: <OrdersBeside instrument={instrument} market={live.market} />,
    lists: positionLists(instrument),
  };
  return wide ? (
    <DesktopTrade {...view} />
  ) : (
    <PhoneTrade {...view} thumb={<ClosedThumb instrument={instrument} />} />
  );
}

/** A size of its own, by a share of the largest one. */
function beginShare(act: (action: ContractTicketAction) => void, percent: number): void {
  act({ kind: 'write', field: 'size', text: '' });
  act({ kind: 'percent', percent });
}

/** The trade page of one contract. Its stores outlive a change of instrument. */
function Terminal({ instrument, venue }: OpenMarket) {
  const text = useText();
  const live = useLiveMarket(instrument);
  const [ticket] = useState(() => createContractTicketStore(tradeSettingsStore.getState()));
  const [sheet, setSheet] = useState(false);
  const wide = useWide();
  // Before any effect of the ticket fills it in.
  useLayoutEffect(() => {
    ticket.getState().follow(instrument);
    followAlgoMarket(marketKey(instrument));
  }, [ticket, instrument]);
  useEffect(startOrderSounds, []);
  const act = useCallback(
    (action: ContractTicketAction) => {
      const { settings } = contractSettingsStore.getState();
      ticket.getState().act(action, {
        instrument,
        setting: settings[settingKey(instrument.platform, instrument.symbol)]?.row,
        ...{ bestBid: undefined, bestAsk: undefined, largest: undefined },
      });
    },
    [ticket, instrument],
  );
  const onOrder = useOrderAt(instrument, act);
  useResend(instrument, (row) => {
    for (const action of contractResend(row, instrument)) act(action);
    setSheet(!wide);
  });
  const kind = useStore(tradeSettingsStore, ({ orderKind }) => orderKind);
  const { sized, arm } = useThumbShare(kind, (percent) => beginShare(act, percent));
  const Ticket = kind === 3 ? ConditionalContract : kind === 4 ? ScaledContract : ContractTicket;
  const form = (
    <Suspense fallback={<Skeleton className="m-3 h-96" />}>
      <Ticket
        store={ticket}
        market={live.market}
        instrument={instrument}
        {...(wide ? {} : { onSent: () => setSheet(false) })}
      />
    </Suspense>
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
    orders: <FuturesPanel instrument={instrument} market={live.market} wide={wide} />,
    beside: <OrdersBeside instrument={instrument} market={live.market} />,
    lists: positionLists(instrument),
  };
  if (wide) return <DesktopTrade {...view} />;
  const thumb = (
    <PhoneTicket
      title={`${instrument.base}/${instrument.quote} ${text('trade.type.SWAP')}`}
      labels={{ buy: text('trade.contract.buyLong'), sell: text('trade.contract.sellShort') }}
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

/** `/futures/$exchange/$symbol`. */
export function FuturesTradeScreen() {
  return (
    <MarketGate symbolType="SWAP">
      {(open) =>
        open.venue.state === 'live' && open.venue.symbolTypes.includes('SWAP') ? (
          <Terminal {...open} />
        ) : (
          <ClosedTerminal {...open} />
        )
      }
    </MarketGate>
  );
}
