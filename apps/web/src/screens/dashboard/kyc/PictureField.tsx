import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
import { useText } from '../../../i18n/i18n.ts';
import { FILE_BYTES_MAX, upload } from '../../../stores/member/kyc.ts';
import { problemOf } from '../../../stores/member/own-service.ts';

/** iPhones turn their own format into JPEG where it is not named. */
const ACCEPT = 'image/jpeg,image/png,image/webp';

/** A picture as it stands in the form. */
interface Chosen {
  readonly name: string;
  /** Where the browser has it, to be shown. */
  readonly url: string;
  /** From 0 to 1 while it is on its way. */
  readonly share?: number;
  readonly problem?: string;
}

/** A picture of a document or a face: sent as soon as it is chosen, and shown. */
export function PictureField(props: {
  readonly label: string;
  readonly hint: string;
  readonly kind: 'kyc-front' | 'kyc-back' | 'kyc-face';
  readonly error: string | undefined;
  /** Gets the id of what arrived; nothing while there is none. */
  readonly onChange: (fileId: string | undefined) => void;
}) {
  const t = useText();
  const id = useId();
  const [chosen, setChosen] = useState<Chosen>();
  const newest = useRef<string>(undefined);
  const url = chosen?.url;
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);

  async function send(file: File): Promise<void> {
    const base = { name: file.name, url: URL.createObjectURL(file) };
    newest.current = base.url;
    // Another one was chosen meanwhile: what becomes of this one does not matter any more.
    const show = (more: Partial<Chosen>): void => {
      if (newest.current === base.url) setChosen({ ...base, ...more });
    };
    props.onChange(undefined);
    if (file.size > FILE_BYTES_MAX) return show({ problem: t('kyc.fileTooLarge') });
    show({ share: 0 });
    const answer = await upload({ kind: props.kind, file, onProgress: (share) => show({ share }) });
    if (newest.current !== base.url) return;
    show(answer.ok ? {} : { problem: problemOf(answer) ?? '' });
    if (answer.ok) props.onChange(answer.data.fileId);
  }

  const onChange = (event: ChangeEvent<HTMLInputElement>): void => {
    const [file] = event.target.files ?? [];
    // The same file may be chosen once more.
    event.target.value = '';
    if (file !== undefined) void send(file);
  };
  const error = chosen?.problem ?? props.error;
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line-strong p-3">
      <span id={`${id}-label`} className="text-xs text-soft">
        {props.label}
      </span>
      {chosen !== undefined && chosen.problem === undefined && (
        <img src={chosen.url} alt={chosen.name} className="max-h-40 self-start rounded-sm object-contain" />
      )}
      {chosen?.share !== undefined && (
        <progress
          aria-label={t('kyc.sending', { name: chosen.name })}
          value={chosen.share}
          className="h-1.5 w-full accent-accent"
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <label className="cursor-pointer rounded-md border border-line-strong px-3 py-2 text-[13px] focus-within:border-focus hover:bg-hover">
          {t(chosen === undefined ? 'kyc.choose' : 'kyc.chooseAnother')}
          <input
            type="file"
            accept={ACCEPT}
            className="sr-only"
            aria-labelledby={`${id}-label`}
            aria-describedby={`${id}-note`}
            aria-invalid={error === undefined ? undefined : true}
            onChange={onChange}
          />
        </label>
        <span role="status" className="text-xs text-faint">
          {statusOf(chosen, t)}
        </span>
      </div>
      <p id={`${id}-note`} className={error === undefined ? 'text-xs text-faint' : 'text-xs text-danger'}>
        {error ?? props.hint}
      </p>
    </div>
  );
}

function statusOf(chosen: Chosen | undefined, t: ReturnType<typeof useText>): string {
  if (chosen === undefined || chosen.problem !== undefined) return '';
  if (chosen.share === undefined) return t('kyc.arrived');
  return t('kyc.percent', { percent: Math.floor(chosen.share * 100) });
}
