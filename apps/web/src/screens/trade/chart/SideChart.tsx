import { useEffect, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ChartSlot } from '../../../calculators/market/chart-layout.ts';
import { useText } from '../../../i18n/i18n.ts';
import { findInstrument, instrumentsStore, loadInstruments } from '../../../stores/market/instruments.ts';
import { follow, keepLive } from '../../../stores/market/live.ts';
import { streamName } from '../../../stores/market/market.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import { catchUp } from '../../../stores/trading/private-events.ts';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { createLiveMarket } from '../live/live-market.ts';
import { ChartPanel } from './ChartPanel.tsx';
import { OpenChart } from './chart-name.tsx';

/**
 * A chart beside the page's own, of another market or interval. It follows the bars and the trades of its market, two channels
 * and no more; its member's lines are drawn and dragged as everywhere, orders are entered in the page's own chart.
 */
export function SideChart(props: {
  readonly slot: ChartSlot;
  readonly onInterval: (interval: string) => void;
  /** It becomes the page's chart. */
  readonly onOpen: () => void;
}) {
  const { slot, onInterval, onOpen } = props;
  const { platform, symbolType, symbol } = slot.market;
  const text = useText();
  const instrument = useStore(instrumentsStore, (state) =>
    findInstrument(state, platform, symbolType, symbol),
  );
  const status = useStore(instrumentsStore, ({ byPlatform }) => byPlatform[platform]?.status);
  const member = useStore(sessionStore, isMember);
  const [market] = useState(createLiveMarket);
  useEffect(() => {
    void loadInstruments(platform);
    return keepLive(platform);
  }, [platform]);
  useEffect(() => {
    if (member) catchUp(platform);
  }, [member, platform]);
  useLayoutEffect(() => {
    const name = streamName({ symbol, symbolType });
    market.tape.follow(name);
    return follow(platform, { ch: 'trades', ...name }, (frame) => market.tape.fold(frame, performance.now()));
  }, [market, platform, symbol, symbolType]);
  if (instrument === undefined) {
    return status === undefined || status === 'loading' ? (
      <div className="bg-panel p-4" aria-busy="true">
        <span className="sr-only">{text('common.loading')}</span>
        <Skeleton className="h-full" />
      </div>
    ) : (
      <section aria-label={symbol} className="grid place-items-center bg-panel">
        <ErrorState
          title={text('trade.charts.away', { symbol })}
          retry={text('common.retry')}
          onRetry={() => void loadInstruments(platform)}
        />
      </section>
    );
  }
  return (
    <ChartPanel
      {...{ instrument, market }}
      side={{ interval: slot.interval, onInterval }}
      title={<OpenChart instrument={instrument} onOpen={onOpen} />}
    />
  );
}
