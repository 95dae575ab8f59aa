import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { PasskeyOutcome } from '../../stores/member/passkeys.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from './FormError.tsx';

/** A button that asks for a passkey, with what went wrong beside it. */
export function PasskeyButton(props: {
  readonly label: string;
  readonly tone?: 'primary' | 'plain';
  readonly ask: () => Promise<PasskeyOutcome>;
  /** Takes the answer; what it answers is what is wrong with it, in words. */
  readonly onAnswer: (passkey: string) => Promise<string | undefined>;
}) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const press = async () => {
    setBusy(true);
    setProblem(undefined);
    const outcome = await props.ask();
    setProblem('problem' in outcome ? outcome.problem : await props.onAnswer(outcome.passkey));
    setBusy(false);
  };
  return (
    <div className="flex flex-col gap-2">
      <Button size="large" tone={props.tone ?? 'plain'} busy={busy} onClick={() => void press()}>
        <KeyRound size={16} aria-hidden="true" />
        {props.label}
      </Button>
      <FormError message={problem} />
    </div>
  );
}
