import { classNames } from './class-names.ts';

/** A signed figure: colour, sign and arrow together, never colour alone. */
export function Change(props: {
  readonly value: number;
  readonly text: string;
  readonly className?: string;
}) {
  const { value, text, className } = props;
  const tone = value > 0 ? 'text-up' : value < 0 ? 'text-down' : 'text-soft';
  const arrow = value > 0 ? '▲' : value < 0 ? '▼' : '';
  return (
    <span className={classNames('whitespace-nowrap', tone, className)}>
      {text}
      {arrow !== '' && (
        <span aria-hidden="true" className="ml-1 text-[9px] align-[1px]">
          {arrow}
        </span>
      )}
    </span>
  );
}
