import '../../../i18n/later-words.ts';
import type { AlgoRow } from '@crossbook/contract';
import { platformFacts } from '@crossbook/domain';
import type { WhileAway } from '../../../calculators/algos/while-away.ts';
import { useText } from '../../../i18n/i18n.ts';
import { Badge } from '../../../ui/states.tsx';

/** Where an order that waits stands while its exchange cannot be reached. */
export function AwayState({ row, stands }: { readonly row: AlgoRow; readonly stands: WhileAway }) {
  const text = useText();
  if (stands === 'at-venue') return <span>{text('trade.away.working')}</span>;
  return (
    <Badge tone="warning">{text('trade.away.waits', { venue: platformFacts(row.exchange).name })}</Badge>
  );
}
