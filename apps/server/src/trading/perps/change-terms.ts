import { type Amount, contractOrderCost, type Instrument, minus, plus, SIDE, ZERO } from '@crossbook/domain';
import type { AmendedTerms, ContractPart, StoredOrder } from '../order.ts';
import { type Refused, refusal } from '../ports.ts';
import { away } from './contract-accounts.ts';
import { isClosing } from './contract-checks.ts';
import { sceneOf } from './contract-scene.ts';
import { type ContractPlacing, openingBar } from './place-contract.ts';

/**
 * What a change of an order on a contract holds, until the venue's figures contain it, more than these have for the order;
 * or why it may not be changed. What closes goes on whatever the account is like.
 */
export async function changeTerms(
  contracts: ContractPlacing,
  order: StoredOrder & { readonly contract: ContractPart },
  { to, instrument }: { readonly to: AmendedTerms; readonly instrument: Instrument },
): Promise<{ readonly ok: true; readonly more: Amount } | Refused> {
  if (isClosing(order)) return { ok: true, more: ZERO };
  const { placing, accounts, stated, settings } = contracts;
  const { deps } = placing;
  const { contract, id, side, price = to.price, quantity = to.quantity, cumQuantity } = order;
  const owner = { user: order.user, platform: order.platform };
  const barred = await openingBar(contracts, order.user);
  if (barred !== undefined) return refusal(barred);
  const desk = deps.venue(owner.platform);
  if (desk?.state !== 'live') return refusal({ error: 'platform-coming-soon', given: desk?.name ?? '' });
  if ((placing.doubtful(owner) ?? contracts.doubtful(owner)) !== undefined)
    return refusal({ error: 'trading-halted' });
  if (settings.pending(owner)) return refusal({ error: 'setting-pending' });
  const account = await accounts.find(owner);
  if (account === undefined) return refusal(away(owner.platform));
  const { marginMode } = contract;
  const setting = await accounts.setting(account, instrument, marginMode);
  if (!setting.ok) return refusal(away(owner.platform, setting));
  const best = await deps.market.best(owner.platform, 'SWAP', instrument.symbol);
  const of = { owner, instrument, marginMode, leverage: setting.value, best, except: id };
  const scene = await sceneOf({ deps, stated }, of);
  if (scene === undefined) return refusal({ error: 'price-stale' });
  const costOf = (terms: AmendedTerms): Amount => {
    const asked = { buys: side === SIDE.BUY, side: contract.side, reduceOnly: false };
    return contractOrderCost(
      { ...asked, price: terms.price, quantity: minus(terms.quantity, cumQuantity) },
      scene,
    );
  };
  const [before, after] = [costOf({ price, quantity }), costOf(to)];
  if (after <= before) return { ok: true, more: ZERO };
  // Until the venue's figures contain the order as it is, its own hold stands for it, and ends with the next read.
  const own = stated.readSince(owner, order.updatedAt) ? ZERO : order.holdAmount;
  return { ok: true, more: plus(minus(after, before), own) };
}
