import type { TriggerBy } from '@crossbook/domain';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings } from '../../../stores/app/settings.ts';

/** Which price a trigger follows; where there is one alone it is only said. */
export function BySelect(props: {
  readonly value: TriggerBy;
  readonly offered: readonly TriggerBy[];
  readonly onChange: (by: TriggerBy) => void;
}) {
  const { value, offered, onChange } = props;
  const text = useText();
  if (offered.length < 2) return <span>{text(`trade.algo.by.${value}`)}</span>;
  return (
    <select
      aria-label={text('trade.algo.by')}
      value={value}
      onChange={(event) => {
        const by = offered.find((name) => name === event.target.value);
        if (by === undefined) return;
        changeTradeSettings({ triggerBy: by });
        onChange(by);
      }}
      className="h-6 cursor-pointer rounded-sm bg-transparent text-xs text-soft max-lg:h-9"
    >
      {offered.map((by) => (
        <option key={by} value={by} className="bg-panel">
          {text(`trade.algo.by.${by}`)}
        </option>
      ))}
    </select>
  );
}
