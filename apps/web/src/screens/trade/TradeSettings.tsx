import { Settings2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useStore } from 'zustand';
import { sizePresets, withPreset } from '../../calculators/size-presets.ts';
import { CONFIRM_KINDS } from '../../calculators/ticket/confirm-kinds.ts';
import { readNumberEntry } from '../../calculators/ticket/number-entry.ts';
import { useText } from '../../i18n/i18n.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../stores/app/settings.ts';
import { isMember, sessionStore } from '../../stores/member/session.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { NumberInput } from '../../ui/entry/NumberInput.tsx';
import { lazyPart } from '../../ui/read-ahead.ts';
import { ConfirmToggle } from './entry/ConfirmToggle.tsx';

const SoundSettings = lazyPart(async () => (await import('./SoundSettings.tsx')).SoundSettings);
const CountdownSettings = lazyPart(async () => (await import('./orders/Countdowns.tsx')).CountdownSettings);

/** One share; what is none stays in the field and changes nothing. */
function Preset({ at, share }: { readonly at: number; readonly share: number }) {
  const text = useText();
  const [entry, setEntry] = useState(String(share));
  const keep = (next: string): void => {
    setEntry(next);
    const { sizePresets: kept } = tradeSettingsStore.getState();
    changeTradeSettings({ sizePresets: withPreset(kept, at, Number(next)) });
  };
  return (
    <NumberInput
      label={text('trade.settings.preset', { at: at + 1 })}
      value={entry}
      read={readNumberEntry}
      onChange={keep}
      onStep={(steps) => keep(String(Math.max(1, Math.min(100, share + steps))))}
      unit="%"
      invalid={Number(entry) !== share}
      className="max-lg:h-12"
    />
  );
}

function Fields({ quote }: { readonly quote: string }) {
  const text = useText();
  const { sizePresets: kept, breakEvenLine, oneClick } = useStore(tradeSettingsStore);
  const member = useStore(sessionStore, isMember);
  return (
    <>
      <p className="text-xs text-soft">{text('trade.settings.presets')}</p>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {sizePresets(kept).map((share, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a share is its place
          <Preset key={at} {...{ at, share }} />
        ))}
      </div>
      <Checkbox
        label={text('trade.settings.breakEven')}
        checked={breakEvenLine}
        onChange={(event) => changeTradeSettings({ breakEvenLine: event.target.checked })}
        className="max-lg:py-2"
      />
      <Checkbox
        label={text('trade.settings.oneClick')}
        checked={oneClick}
        onChange={(event) => changeTradeSettings({ oneClick: event.target.checked })}
        className="max-lg:py-2"
      />
      <p className="text-xs text-soft">{text('trade.settings.confirm')}</p>
      <div className="grid grid-cols-2 gap-x-2 gap-y-1">
        {CONFIRM_KINDS.map((kind) => (
          <ConfirmToggle key={kind} kind={kind} label={text(`trade.ticket.${kind}`)} />
        ))}
      </div>
      <Suspense>
        {member && <CountdownSettings />}
        <SoundSettings quote={quote} />
      </Suspense>
    </>
  );
}

/** Says that one click sends. */
export function OneClickBadge() {
  const text = useText();
  const oneClick = useStore(tradeSettingsStore, (settings) => settings.oneClick);
  if (!oneClick) return null;
  return (
    <span
      title={text('trade.settings.oneClick')}
      className="shrink-0 rounded-sm bg-warning px-1 font-medium whitespace-nowrap text-on-accent"
    >
      {text('trade.settings.oneClickBadge')}
    </span>
  );
}

/** The button that opens what is kept of trading in this browser. */
export function TradeSettings({ quote }: { readonly quote: string }) {
  const text = useText();
  const [open, setOpen] = useState(false);
  const label = text('trade.settings.title');
  return (
    <>
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={() => setOpen(true)}
        className="grid size-6 place-items-center rounded-sm hover:bg-hover hover:text-text max-lg:size-11"
      >
        <Settings2 size={14} aria-hidden="true" />
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={label} closeLabel={text('common.close')}>
        <Fields quote={quote} />
      </Dialog>
    </>
  );
}
