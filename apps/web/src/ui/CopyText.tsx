import { Copy } from 'lucide-react';
import { copyText } from './copy.ts';

/** A text that copies on click: an address, an id, a code. The caller says how it went. */
export function CopyText(props: {
  readonly value: string;
  /** What is shown, where it is shorter than what is copied. */
  readonly shown?: string;
  /** Name for screen readers: "Copy order id". */
  readonly label: string;
  readonly onCopied: (copied: boolean) => void;
}) {
  return (
    <button
      type="button"
      title={props.value}
      onClick={(event) => {
        event.stopPropagation();
        void copyText(props.value).then(props.onCopied);
      }}
      className="inline-flex items-center gap-1 rounded-sm text-left text-inherit hover:text-text"
    >
      <span>{props.shown ?? props.value}</span>
      <span className="sr-only">{props.label}</span>
      <Copy size={12} aria-hidden="true" className="shrink-0 text-faint" />
    </button>
  );
}
