import '../../i18n/later-words.ts';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { changeSettings, settingsStore } from '../../stores/app/settings.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Slider } from '../../ui/entry/Slider.tsx';

/** What is heard, and how loud. */
export function SoundSettings() {
  const text = useText();
  const { soundVolume, filledAlert, orderAlert } = useStore(settingsStore);
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
      <p className="text-xs text-faint">{text('trade.settings.alwaysSound')}</p>
    </fieldset>
  );
}
