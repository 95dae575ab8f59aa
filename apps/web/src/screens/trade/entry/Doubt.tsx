import '../../../i18n/later-words.ts';
import { useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { useDeadPair } from './use-dead-pair.ts';
import { useDoubt } from './use-standing.ts';

function Line({ said }: { readonly said: string | undefined }) {
  return (
    <p role="status" className="text-xs text-warning empty:hidden">
      {said}
    </p>
  );
}

function ContractDoubt({ instrument, old = false }: DoubtProps) {
  const text = useText();
  const doubt = useDoubt(instrument, old);
  return <Line said={doubt && text(doubt.id, doubt.values)} />;
}

function PairDoubt({ instrument }: DoubtProps) {
  return <Line said={useDeadPair(instrument, false)} />;
}

interface DoubtProps {
  readonly instrument: ListedInstrument;
  /** What it is worth now is older than it should be. */
  readonly old?: boolean;
}

/** What opening would wait for, beside what cancels, closes or protects: that is sent all the same. */
export function Doubt(props: DoubtProps) {
  return props.instrument.symbolType === 'SWAP' ? <ContractDoubt {...props} /> : <PairDoubt {...props} />;
}
