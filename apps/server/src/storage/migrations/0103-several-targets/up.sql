-- Several take-profits of an order, each for a part of it, and a trailing stop in place of targets. Why: notes.md.

alter table order_targets
  -- [{trigger: {price, by}, quantity}], in the order in which what fills is theirs; together the order's quantity.
  add column take_profits jsonb,
  -- {ratio or distance, activation, by}
  add column trailing_stop jsonb,
  drop constraint order_targets_check,
  add constraint order_targets_some
    check (num_nonnulls(take_profit, take_profits, stop_loss, trailing_stop) > 0),
  add constraint order_targets_one_kind
    check (num_nonnulls(take_profit, take_profits) < 2
      and (trailing_stop is null or num_nonnulls(take_profit, take_profits, stop_loss) = 0));
