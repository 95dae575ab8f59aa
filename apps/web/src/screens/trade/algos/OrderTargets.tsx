import { type Instrument, platformFacts, type Side } from '@crossbook/domain';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import {
  type BracketError,
  type BracketFields,
  bracketError,
  bracketFields,
  bracketOf,
} from '../../../calculators/algos/brackets.ts';
import type { TargetScene } from '../../../calculators/algos/targets.ts';
import { useText } from '../../../i18n/i18n.ts';
import { algoTicketStore, changeTargets } from '../../../stores/algos/algo-ticket.ts';
import { bootConfig } from '../../../stores/app/boot.ts';
import { algoOffer } from '../../../stores/market/market.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { TargetFields, type TargetsTaken } from './TargetFields.tsx';

/** Who places them, as each venue has it. */
const PLACED_BY = {
  venue: 'trade.targets.byVenue',
  fills: 'trade.targets.byFills',
  list: 'trade.targets.byList',
  hub: 'trade.targets.byHub',
} as const;

/** The order that take-profit and stop-loss go with. */
export interface TargetsOf {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly scene: TargetScene;
}

/** Take-profit and stop-loss of the ticket's order. */
export interface OrderBracket {
  /** What is wrong with them; nothing where there are none. */
  readonly error: BracketError | undefined;
  /** What goes with the order's call. */
  readonly fields: BracketFields;
}

/** What the fields of the ticket mean for an order. @param wanted false where an order of this kind has none. */
export function useOrderBracket({ instrument, side, scene }: TargetsOf, wanted: boolean): OrderBracket {
  const targets = useStore(algoTicketStore, (state) => state.targets);
  if (!targets.on || !wanted) return { error: undefined, fields: {} };
  const offer = algoOffer(instrument.platform, instrument.symbolType);
  const bracket = bracketOf(targets, scene);
  const order = { side, price: scene.entry, instrument };
  return {
    error: bracketError(bracket, targets.by, order, offer),
    fields: bracketFields(bracket, targets.by),
  };
}

/** Props of `OrderTargets`. */
export interface OrderTargetsProps extends TargetsOf {
  readonly bracket: OrderBracket;
  readonly tried: boolean;
  readonly onEnter: () => void;
}

/** What is wrong with the targets, where it is said already: what is missing only after sending was tried. */
export function shownError({ bracket, tried }: Pick<OrderTargetsProps, 'bracket' | 'tried'>) {
  const { error } = bracket;
  return error?.missing === true && !tried ? undefined : error;
}

/** Take-profit and stop-loss as one of each, with what is wrong at its field. */
export function OneTarget(props: OrderTargetsProps & { readonly takes?: TargetsTaken }) {
  const { instrument, scene, onEnter, takes } = props;
  const text = useText();
  const asked = useStore(algoTicketStore, (state) => state.targets);
  const offer = algoOffer(instrument.platform, instrument.symbolType);
  const error = shownError(props);
  const wrong =
    error === undefined || (error.field !== 'takeProfit' && error.field !== 'stopLoss')
      ? undefined
      : { name: error.field, text: text(`trade.algo.error.${error.name}`, { allowed: error.allowed }) };
  return (
    <TargetFields
      {...{ scene, wrong, onEnter, asked, quote: instrument.quote, offered: offer.triggerBy }}
      {...(takes === undefined ? {} : { takes })}
      onChange={changeTargets}
    />
  );
}

/**
 * Take-profit and stop-loss in the ticket: off until they are asked for; who places them is said.
 * @param children the fields, where they are not one of each. @param placed who places them, where it depends on more than the venue.
 */
export function OrderTargets(
  props: OrderTargetsProps & { readonly children?: ReactNode; readonly placed?: string },
) {
  const { instrument, children, placed } = props;
  const text = useText();
  const targets = useStore(algoTicketStore, (state) => state.targets);
  const offer = algoOffer(instrument.platform, instrument.symbolType);
  const venue = platformFacts(instrument.platform).name;
  return (
    <div className="flex flex-col gap-2">
      <Checkbox
        label={text('trade.targets')}
        checked={targets.on}
        onChange={(event) => changeTargets({ on: event.target.checked })}
        className="max-lg:py-2"
      />
      {targets.on && (
        <>
          {children ?? <OneTarget {...props} />}
          <p className="text-[11px] leading-4 max-lg:text-xs text-faint">
            {placed ??
              text(offer.attachedOnce === true ? 'trade.targets.byVenueOnce' : PLACED_BY[offer.attached], {
                venue,
                product: bootConfig().productName,
              })}{' '}
            {offer.unbinds === true && text('trade.targets.unbinds', { venue })}{' '}
            {offer.unsent !== undefined &&
              text('trade.targets.unsent', {
                what: offer.unsent.map((kind) => text(`trade.targets.unsent.${kind}`)).join(', '),
              })}
          </p>
        </>
      )}
    </div>
  );
}
