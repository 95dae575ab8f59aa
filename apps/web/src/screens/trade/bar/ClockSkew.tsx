import { useText } from '../../../i18n/i18n.ts';

/** Beside a countdown: how far the clock that it is counted by is off. @param skew s, "+2.1" is fast. */
export function ClockSkew({ skew }: { readonly skew: string }) {
  const text = useText();
  const off = skew.startsWith('+') ? 'trade.bar.clockFast' : 'trade.bar.clockSlow';
  return (
    <span className="ml-1 text-warning" title={text(off, { seconds: skew.slice(1) })}>
      {skew} s
    </span>
  );
}
