import '../../i18n/later-words.ts';
import type { Amount } from '@crossbook/domain';
import { useId, useState } from 'react';
import { useStore } from 'zustand';
import { groupThousands } from '../../calculators/step-text.ts';
import { readNumberEntry, stepEntry } from '../../calculators/ticket/number-entry.ts';
import { useText } from '../../i18n/i18n.ts';
import { changeSettings, settingsStore } from '../../stores/app/settings.ts';
import { floorOf, keepFloor, largeTradesStore, writtenFloor } from '../../stores/market/large-trades.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { NumberInput } from '../../ui/entry/NumberInput.tsx';
import { Slider } from '../../ui/entry/Slider.tsx';

const LARGE_STEP = (1_000n * 10n ** 18n) as Amount;

/** From which value a trade is large; what is none stays in the field, and nothing is said while it stands there. */
function LargeFrom({ quote }: { readonly quote: string }) {
  const text = useText();
  const [entry, setEntry] = useState(() => writtenFloor(largeTradesStore.getState(), quote));
  const whyId = useId();
  const none = floorOf(entry) === undefined;
  const keep = (next: string): void => {
    setEntry(next);
    keepFloor(quote, next);
  };
  return (
    <div className="flex flex-col gap-1 pl-6">
      <NumberInput
        label={text('trade.settings.largeFrom')}
        value={entry}
        shown={groupThousands(entry)}
        read={readNumberEntry}
        onChange={keep}
        onStep={(steps) => keep(stepEntry(entry, LARGE_STEP, steps))}
        unit={quote}
        invalid={none}
        describedBy={whyId}
        className="max-lg:h-12"
      />
      <p id={whyId} role="status" className="text-xs text-warning empty:hidden">
        {none ? text('trade.settings.largeNone', { asset: quote }) : ''}
      </p>
    </div>
  );
}

/** What is heard, and how loud. @param quote what the market on screen is priced in. */
export function SoundSettings({ quote }: { readonly quote: string }) {
  const text = useText();
  const { soundVolume, filledAlert, orderAlert, volumeAlert } = useStore(settingsStore);
  const percent = Math.round(soundVolume * 100);
  return (
    <fieldset className="flex flex-col gap-2 border-t border-line pt-3">
      <legend className="sr-only">{text('trade.settings.sounds')}</legend>
      <p className="flex justify-between text-xs text-soft">
        <span>{text('trade.settings.volume')}</span>
        <span className="tabular-nums">{percent} %</span>
      </p>
      <Slider
        label={text('trade.settings.volume')}
        value={percent}
        max={100}
        step={5}
        onChange={(next) => changeSettings({ soundVolume: next / 100 })}
        valueText={`${percent} %`}
      />
      <Checkbox
        label={text('trade.settings.filledSound')}
        checked={filledAlert}
        onChange={(event) => changeSettings({ filledAlert: event.target.checked })}
        className="max-lg:py-2"
      />
      <Checkbox
        label={text('trade.settings.orderSound')}
        checked={orderAlert}
        onChange={(event) => changeSettings({ orderAlert: event.target.checked })}
        className="max-lg:py-2"
      />
      <Checkbox
        label={text('trade.settings.largeTrades')}
        checked={volumeAlert}
        onChange={(event) => changeSettings({ volumeAlert: event.target.checked })}
        className="max-lg:py-2"
      />
      {volumeAlert && <LargeFrom quote={quote} />}
      <p className="text-xs text-faint">{text('trade.settings.alwaysSound')}</p>
    </fieldset>
  );
}
