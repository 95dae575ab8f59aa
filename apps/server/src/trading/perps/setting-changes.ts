import { type Lanes, type OrderId, uuidV7 } from '@crossbook/domain';
import { isUnjudged } from '@crossbook/ledger';
import { createIntentMachine } from '../../intents/machine.ts';
import type { AccountOwner } from '../account-pages.ts';
import { type Refused, refusal, type TradingDeps } from '../ports.ts';
import { ownerKey } from '../rotation.ts';
import type { SettingChange, StoredSettingChange } from '../setting-change.ts';
import type { ContractAccounts } from './contract-accounts.ts';
import {
  askForChange,
  type ChangePlace,
  type SettingParts,
  settingRules,
  settingShare,
} from './setting-intent.ts';

/** What a member's request says of a change besides the change itself. */
export interface ChangeRequest {
  readonly clientId?: OrderId | undefined;
  /** Hash of the request, so that the same id with other values is refused. */
  readonly payloadHash: string;
}

/** A change as far as it has come, or why it was not begun. */
export type ChangeMade = { readonly ok: true; readonly made: StoredSettingChange } | Refused;

/** Changes of settings, put together on the one machine of intents. */
export interface SettingChanges {
  /** Writes a change, asks for it once and takes the answer; changes of one account go one after the other. */
  carryOut(place: ChangePlace, change: SettingChange, request: ChangeRequest): Promise<ChangeMade>;
  /** The change that the same request made before. */
  earlier(owner: AccountOwner, request: ChangeRequest): Promise<ChangeMade | undefined>;
  /** Whether how the account is set is in doubt: nothing opens until that is over. Isolated margin is no such doubt. */
  pending(owner: AccountOwner): boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What changes are put together on. */
export interface SettingChangesParts {
  readonly deps: TradingDeps;
  readonly lanes: Lanes;
  readonly accounts: ContractAccounts;
  readonly ended: SettingParts['ended'];
}

/** Puts it together. */
export function createSettingChanges({ deps, lanes, accounts, ended }: SettingChangesParts): SettingChanges {
  /** Open changes of leverage and modes, one an account at the most, and whose they are. */
  const open = new Map<OrderId, string>();
  const opened = (row: StoredSettingChange): void => {
    if (row.change.kind !== 'margin') open.set(row.id, ownerKey(row));
  };
  const parts: SettingParts = {
    ...{ deps, accounts },
    async ended(change) {
      open.delete(change.id);
      await ended(change);
    },
  };
  const machine = createIntentMachine(settingRules(parts), {
    ...{ lanes, clock: deps.clock, incidents: deps.incidents },
    ...{ after: deps.timers.after, note: deps.log.note },
  });
  const earlier: SettingChanges['earlier'] = async (owner, { clientId, payloadHash }) => {
    const found = clientId === undefined ? undefined : await deps.contracts.settingChange(clientId);
    if (found === undefined) return undefined;
    return found.payloadHash === payloadHash && ownerKey(found) === ownerKey(owner)
      ? { ok: true, made: found }
      : refusal({ error: 'client-id-reused', field: 'clientId' });
  };

  return {
    earlier,
    carryOut(place, change, request) {
      const row = newRow(deps, place, { change, request });
      const { owner } = place.account;
      const share = settingShare(owner);
      return lanes.run(`settings:${ownerKey(owner)}`, () =>
        machine.inLane(row.id, share, async () => {
          deps.crash('before-hold');
          const writes = [deps.contracts.insertSettingChange(row)];
          const committed = await deps.ledger.commit({ commands: [], writes });
          deps.crash('after-hold');
          if (committed.ok) {
            opened(row);
            return { ok: true, made: await machine.attempt(row, () => askForChange(parts, place, row)) };
          }
          // Whether the row is there nobody can say: a lookup tells.
          if (committed.code === 'outcome-unknown') machine.lookupSoon(row.id, share);
          if (isUnjudged(committed.code)) return refusal({ error: committed.code });
          return (await earlier(owner, request)) ?? refusal({ error: 'setting-pending' });
        }),
      );
    },
    pending: (owner) => [...open.values()].includes(ownerKey(owner)),
    start: () => machine.start(async (row) => opened(row)),
    stop: machine.stop,
  };
}

function newRow(
  deps: TradingDeps,
  { account, instrument }: ChangePlace,
  { change, request }: { readonly change: SettingChange; readonly request: ChangeRequest },
): StoredSettingChange {
  const now = deps.clock();
  return {
    id: request.clientId ?? uuidV7(now, deps.random(10)),
    ...account.owner,
    symbol: instrument.symbol,
    change,
    payloadHash: request.payloadHash,
    ...{ state: 'asked', lookups: 0, createdAt: now, updatedAt: now },
  };
}
