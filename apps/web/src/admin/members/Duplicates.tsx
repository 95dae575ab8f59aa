import { Badge } from '../../ui/states.tsx';

/** The hub counts no further. */
const COUNTED_MAX = 5;

/** How many other members showed the same document, as far as it is counted. */
export function Duplicates({ count }: { readonly count: number }) {
  if (count === 0) return '-';
  return <Badge tone="warning">{count < COUNTED_MAX ? count : `${count}+`}</Badge>;
}
