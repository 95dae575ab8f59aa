import { type Platform, platformFacts } from '@crossbook/domain';
import { Volume2, VolumeX } from 'lucide-react';
import { createPortal } from 'react-dom';
import { useStore } from 'zustand';
import { type MessageId, useText } from '../../i18n/i18n.ts';
import { bootPlatform } from '../../stores/app/boot.ts';
import { menuPlaceStore } from '../../stores/app/menu-place.ts';
import { changeSettings, settingsStore } from '../../stores/app/settings.ts';
import { instrumentsOf, instrumentsStore, type ListedInstrument } from '../../stores/market/instruments.ts';
import { type LiveStatus, liveStore, type VenueUpdate } from '../../stores/market/live.ts';
import { platformsWith } from '../../stores/market-lists/use-markets.ts';
import { classNames } from '../../ui/class-names.ts';
import { useBestOffers } from './bar/use-best-offers.ts';
import { KeySheet } from './keys/KeySheet.tsx';
import { TradingKeys } from './keys/TradingKeys.tsx';
import { useSampled } from './live/live-hooks.ts';
import { freshness, type LiveMarket } from './live/live-market.ts';
import { NoticeList } from './NoticeList.tsx';
import { OneClickBadge, TradeSettings } from './TradeSettings.tsx';

function connectionWord(
  status: LiveStatus | undefined,
  venue: VenueUpdate['state'] | undefined,
  stale: boolean,
): { readonly id: MessageId; readonly tone: string } {
  if (status?.phase === 'failed') return { id: 'trade.statusBar.failed', tone: 'bg-danger' };
  if (status?.phase === 'waiting') return { id: 'trade.statusBar.waiting', tone: 'bg-warning' };
  if (status?.phase !== 'open') return { id: 'trade.statusBar.connecting', tone: 'bg-warning' };
  if (venue === 'down') return { id: 'trade.statusBar.venueDown', tone: 'bg-danger' };
  if (venue === 'stale' || stale) return { id: 'trade.statusBar.venueStale', tone: 'bg-warning' };
  return { id: 'trade.statusBar.live', tone: 'bg-up' };
}

function serverClock(status: LiveStatus | undefined): string {
  // Whichever of the venue's markets the hub spoke of last.
  const at = Object.values(status?.venues ?? {}).toSorted((a, b) => b.receivedAt - a.receivedAt)[0];
  if (at === undefined) return '--:--:--';
  return new Date(at.millis + (performance.now() - at.receivedAt)).toISOString().slice(11, 19);
}

/** Props of both shapes of the line. */
interface StatusProps {
  readonly market: LiveMarket;
  readonly instrument: ListedInstrument;
}

interface FactsProps extends StatusProps {
  /** Where the coin on screen has live prices. */
  readonly live: readonly Platform[];
}

/** Which exchanges have live prices of the coin on screen, in word and shape: colour alone says nothing. */
function VenueDots({ instrument, live }: Pick<FactsProps, 'instrument' | 'live'>) {
  const text = useText();
  const { base, symbolType } = instrument;
  const state = useStore(instrumentsStore);
  const venues = platformsWith(symbolType).filter((platform) =>
    instrumentsOf(state, platform, symbolType).some((row) => row.base === base && row.quote === 'USDT'),
  );
  return (
    <ul aria-label={text('trade.statusBar.venues')} className="flex gap-3">
      {venues.map((platform) => {
        const venue = platformFacts(platform).name;
        const isLive = live.includes(platform);
        return (
          <li
            key={platform}
            title={text(isLive ? 'trade.statusBar.venueLive' : 'trade.statusBar.venueSilent', { venue })}
          >
            {venue}{' '}
            <span aria-hidden="true" className={isLive ? 'text-up' : 'text-warning'}>
              {isLive ? '●' : '○'}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Is what is shown true, how old is it, and whose is it? */
function Facts({ market, instrument, live }: FactsProps) {
  const text = useText();
  const { platform, symbolType } = instrument;
  const status = useStore(liveStore, (state) => state[platform]);
  const venue = platformFacts(platform).name;
  const simulated = bootPlatform(platform)?.mode !== 'live';
  const { ageSeconds: age, stale } = useSampled(
    () => freshness(market, liveStore.getState()[platform], symbolType, performance.now()),
    1_000,
    (left, right) => left.ageSeconds === right.ageSeconds && left.stale === right.stale,
  );
  const checked = status?.venues[symbolType]?.checkedSeconds;
  const word = connectionWord(status, status?.venues[symbolType]?.state, stale);
  return (
    <>
      <span className="flex items-center gap-1.5" role="status">
        <span className={classNames('size-2 rounded-full', word.tone)} aria-hidden="true" />
        {text(word.id)}
      </span>
      <span>{text('trade.statusBar.latency', { millis: status?.latencyMillis ?? '–' })}</span>
      <span>{text('trade.statusBar.age', { venue, seconds: age ?? '–' })}</span>
      <span className={simulated ? 'text-warning' : undefined}>
        {text(simulated ? 'trade.statusBar.simulated' : 'trade.statusBar.real', { venue })}
      </span>
      {checked === undefined ? null : (
        <span className="lg:max-xl:hidden" title={text('trade.statusBar.checkedHint', { venue })}>
          {text('trade.statusBar.checked', { minutes: Math.ceil(checked / 60) })}
        </span>
      )}
      <VenueDots {...{ instrument, live }} />
    </>
  );
}

function ServerTime({ instrument: { platform } }: Pick<StatusProps, 'instrument'>) {
  const time = useSampled(() => serverClock(liveStore.getState()[platform]), 1_000);
  return useText()('trade.statusBar.time', { time });
}

/** What was said since the page was opened, and whether fills are heard. */
function NoticesAndSound() {
  const text = useText();
  const sound = useStore(settingsStore, (settings) => settings.filledAlert);
  return (
    <>
      <NoticeList />
      <button
        type="button"
        aria-pressed={sound}
        aria-label={text(sound ? 'trade.statusBar.soundOn' : 'trade.statusBar.soundOff')}
        title={text(sound ? 'trade.statusBar.soundOn' : 'trade.statusBar.soundOff')}
        onClick={() => changeSettings({ filledAlert: !sound })}
        className="grid size-6 place-items-center rounded-sm max-lg:size-11 hover:bg-hover hover:text-text"
      >
        {sound ? <Volume2 size={14} aria-hidden="true" /> : <VolumeX size={14} aria-hidden="true" />}
      </button>
    </>
  );
}

/** The line at the bottom: is what is shown true, and how old is it? */
export function StatusBar(props: StatusProps) {
  const { instrument } = props;
  const text = useText();
  const { live } = useBestOffers(instrument);
  return (
    <section
      aria-label={text('trade.statusBar.label')}
      className="flex h-6 shrink-0 items-center gap-4 overflow-hidden whitespace-nowrap bg-panel px-3 text-[11px] tabular-nums text-faint"
    >
      <Facts {...props} live={live} />
      <span className="ml-auto">
        <ServerTime {...props} />
      </span>
      <TradingKeys instrument={instrument} />
      <OneClickBadge />
      <TradeSettings quote={instrument.quote} />
      <KeySheet symbolType={instrument.symbolType} />
      <NoticesAndSound />
    </section>
  );
}

/** The same in the menu of a phone, which has no line to spare; what keys do there needs no menu. */
export function StatusInMenu(props: StatusProps) {
  const { instrument } = props;
  const text = useText();
  const place = useStore(menuPlaceStore, ({ element }) => element);
  // Followed before the menu opens: else each would be said to be silent at first.
  const { live } = useBestOffers(instrument);
  return (
    <>
      <TradingKeys instrument={instrument} />
      <KeySheet symbolType={instrument.symbolType} />
      {place !== null &&
        createPortal(
          <section
            // What opens from here fills the window as every dialog of the terminal does.
            data-terminal="menu"
            aria-label={text('trade.statusBar.label')}
            className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-b border-line px-2 pb-1 text-xs tabular-nums text-soft"
          >
            <Facts {...props} live={live} />
            <ServerTime {...props} />
            <div className="flex flex-1 items-center justify-end">
              <TradeSettings quote={instrument.quote} />
              <NoticesAndSound />
            </div>
          </section>,
          place,
        )}
    </>
  );
}
