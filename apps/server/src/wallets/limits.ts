import type { CallAnswer, CallResponse, MemberCaller } from '@crossbook/contract';
import { formatAmount, type Millis, TIERS } from '@crossbook/domain';
import type { WalletDeps } from './ports.ts';
import { DAY_MILLIS, TEST_FUNDS_ASSET } from './test-funds.ts';

const HOUR_MILLIS = 3_600_000;

type Limits = CallResponse<'x/account/Limits'>;

/** x/account/Limits: what each tier may do here, before anybody meets it. What is not offered yet has no row. */
export async function memberLimits(deps: WalletDeps, { user }: MemberCaller): Promise<CallAnswer<Limits>> {
  const since = (deps.clock() - DAY_MILLIS) as Millis;
  const [tier, limits, toCome, used] = await Promise.all([
    deps.tiers.tierOf(user),
    deps.tiers.limits(),
    deps.tiers.limitsToCome(),
    deps.movements.testFundsSince(user, since),
  ]);
  const unlimited = (what: 'spot' | 'contracts' | 'transfers', from = 0): Limits['rows'][number] => ({
    what,
    tiers: TIERS.map((of) => ({ tier: of, open: of >= from, most: null, next: null })),
    ...{ asset: null, hours: null, used: null },
  });
  const rows = [unlimited('spot'), unlimited('contracts', limits.contractsFrom), unlimited('transfers')];
  if (deps.faucet !== undefined)
    rows.push({
      what: 'test-funds',
      tiers: TIERS.map((of) => {
        const later = toCome.get(of);
        const next = later === undefined ? null : { most: formatAmount(later.most), from: later.from };
        return { tier: of, open: true, most: formatAmount(limits.testFundsDayMax[of]), next };
      }),
      ...{ asset: TEST_FUNDS_ASSET, hours: DAY_MILLIS / HOUR_MILLIS, used: formatAmount(used) },
    });
  return { ok: true, value: { tier, rows } };
}
