import '../../../i18n/later-words.ts';
import { type Amount, decimalsOf, formatAmountFixed, parseAmount, platformFacts } from '@crossbook/domain';
import { useStore } from 'zustand';
import { percentOfRatio } from '../../../calculators/algos/algo-entry.ts';
import type { BracketFields } from '../../../calculators/algos/brackets.ts';
import {
  type AskedLeg,
  type AskedTargets,
  askedTargets,
  formOf,
  formsOffered,
} from '../../../calculators/algos/order-targets.ts';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { signedText } from '../../../calculators/signed-text.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import { algoTicketStore } from '../../../stores/algos/algo-ticket.ts';
import { bootConfig } from '../../../stores/app/boot.ts';
import { algoOffer } from '../../../stores/market/market.ts';
import { OrderTargets, type OrderTargetsProps, type TargetsOf } from './OrderTargets.tsx';
import { TargetForms } from './TargetForms.tsx';

/** Take-profit and stop-loss of an order on a contract, which some exchanges take in several forms. */

/** What the fields of the ticket mean for an order on a contract. @param wanted false where an order of this kind has none. */
export function useContractTargets({ instrument, side, scene }: TargetsOf, wanted: boolean): AskedTargets {
  const targets = useStore(algoTicketStore, (state) => state.targets);
  if (!targets.on || !wanted) return { error: undefined, fields: {}, legs: [] };
  const offer = algoOffer(instrument.platform, instrument.symbolType);
  return askedTargets(targets, { instrument, side, scene, offer });
}

/** The targets of the ticket of a contract; where the exchange takes them in one form, none is asked for. */
export function ContractTargets(props: OrderTargetsProps) {
  const { platform, symbolType } = props.instrument;
  const text = useText();
  const targets = useStore(algoTicketStore, (state) => state.targets);
  const offer = algoOffer(platform, symbolType);
  if (formsOffered(offer).length < 2) return <OrderTargets {...props} />;
  const said = { venue: platformFacts(platform).name, product: bootConfig().productName };
  const several = formOf(targets, offer) === 'several';
  return (
    <OrderTargets {...props} {...(several ? { placed: text('trade.parts.byVenue', said) } : {})}>
      <TargetForms {...props} />
    </OrderTargets>
  );
}

function legText(text: Text, { name, number, limit }: AskedLeg, price: (price: Amount) => string): string {
  const label = number === undefined ? text(`trade.algo.${name}`) : text('trade.parts.name', { number });
  return limit === undefined ? label : `${label}, ${text('trade.targets.limitAt', { price: price(limit) })}`;
}

/** How far a trailing stop follows, and from where: "1 %, from 61,000". */
function trailingText(
  text: Text,
  { trailingRatio, trailingDistance, activation }: BracketFields,
  quote: string,
) {
  const ratio = parseAmount(trailingRatio ?? '');
  const far = ratio === undefined ? `${trailingDistance ?? ''} ${quote}` : `${percentOfRatio(ratio)} %`;
  return activation === undefined
    ? far
    : `${far}, ${text('trade.algo.from', { price: groupThousands(activation) })}`;
}

/** The targets of an order once more, before it is sent: one row each. */
export function TargetsSent(props: Pick<AskedTargets, 'legs' | 'fields'> & Pick<TargetsOf, 'instrument'>) {
  const { legs, fields, instrument } = props;
  const { tickSize, base, quote } = instrument;
  const text = useText();
  const price = (at: Amount) => groupThousands(formatAmountFixed(at, decimalsOf(tickSize)));
  const trails = (fields.trailingRatio ?? fields.trailingDistance) !== undefined;
  const rows = legs.map((leg) => {
    const size =
      leg.coins === undefined
        ? ''
        : ` · ${formatAmountFixed(leg.coins, decimalsOf(baseStep(instrument)))} ${base}`;
    const net = leg.net === undefined ? '' : ` · ≈ ${signedText(leg.net, 2)} ${quote}`;
    return [legText(text, leg, price), `${price(leg.price)}${size}${net}`] as const;
  });
  if (trails) rows.push([text('trade.algo.type.trailing'), trailingText(text, fields, quote)]);
  if (rows.length === 0) return null;
  return (
    <dl aria-label={text('trade.targets')} className="flex flex-col border-t border-line pt-1">
      {rows.map(([label, value]) => (
        <div key={label} className="flex items-baseline justify-between gap-2 text-xs leading-5">
          <dt className="shrink-0 text-faint">{label}</dt>
          <dd className="num text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
