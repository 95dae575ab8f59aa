import { useState } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { isMember, sessionStore } from '../../stores/member/session.ts';
import { EmptyState } from '../../ui/states.tsx';
import { TabPanel, Tabs } from '../../ui/Tabs.tsx';
import { useWide } from './live-hooks.ts';
import { MarketGate, type OpenMarket } from './market-gate.tsx';
import { Assets, LogInPrompt } from './orders/Assets.tsx';
import { ClosedThumb, ClosedTicket } from './ticket/ClosedTicket.tsx';
import { DesktopTrade, PhoneTrade, type TradeViewProps } from './trade-layouts.tsx';
import { useLiveMarket } from './use-live-market.ts';

/** Positions that nobody can have yet, and the balances that everybody can. */
function FuturesPanel({ instrument, wide }: Pick<OpenMarket, 'instrument'> & { readonly wide: boolean }) {
  const text = useText();
  const member = useStore(sessionStore, isMember);
  const [tab, setTab] = useState<'positions' | 'assets'>('positions');
  return (
    <section aria-label={text('trade.orders.label')} className="h-full min-h-0 bg-panel">
      <Tabs
        items={[
          { value: 'positions', label: text('trade.positions') },
          { value: 'assets', label: text('trade.orders.assets') },
        ]}
        value={tab}
        onChange={setTab}
        label={text('trade.orders.label')}
        className="h-full"
      >
        <TabPanel value={tab}>
          {tab === 'positions' && (
            <EmptyState title={text('common.empty')} advice={text('trade.closed.perpetuals.positions')} />
          )}
          {tab === 'assets' && (member ? <Assets instrument={instrument} wide={wide} /> : <LogInPrompt />)}
        </TabPanel>
      </Tabs>
    </section>
  );
}

function FuturesTerminal({ instrument, venue }: OpenMarket) {
  const live = useLiveMarket(instrument);
  const wide = useWide();
  const view: TradeViewProps = {
    ...live,
    instrument,
    venue,
    picks: undefined,
    ticket: <ClosedTicket instrument={instrument} venueName={venue.name} why="perpetuals" />,
    orders: <FuturesPanel instrument={instrument} wide={wide} />,
  };
  return wide ? (
    <DesktopTrade {...view} />
  ) : (
    <PhoneTrade {...view} thumb={<ClosedThumb instrument={instrument} />} />
  );
}

/** `/futures/$exchange/$symbol`: all public data of a perpetual. Orders for perpetuals come in a later version. */
export function FuturesTradeScreen() {
  return <MarketGate symbolType="SWAP">{(open) => <FuturesTerminal {...open} />}</MarketGate>;
}
