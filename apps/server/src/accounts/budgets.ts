import type { Millis } from '@crossbook/domain';
import { sha256Hex } from './keyed-hash.ts';
import { type Budget, type BudgetStore, type Counter, type Refused, refusal } from './ports.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A budget of who sends: what is above it is refused, and nobody else notices. */
type SenderBudget = Budget & { readonly keyedBy: 'sender'; readonly atLimit: 'refuse' };
/**
 * A budget of whom it is done to, or of everybody. Strangers can use it up, so it never refuses: it makes guessing
 * dearer (`work`), hopeless (`long-code`), asks for the code in the member's mailbox first (`contact-first`), or stops telling a number (`untold`).
 */
type SharedBudget = Budget & {
  readonly keyedBy: 'target' | 'all';
  readonly atLimit: 'work' | 'long-code' | 'contact-first' | 'untold';
};

/** Of one member's browser: above it that browser is trusted no more, and everything else goes on. */
type BrowserBudget = Budget & { readonly keyedBy: 'browser'; readonly atLimit: 'untrust' };

/** Of a password that was right: whoever uses it up knows it, so it refuses him, and the password's owner until he has another. */
type PasswordBudget = Budget & { readonly keyedBy: 'password'; readonly atLimit: 'refuse' };

/**
 * Of what strangers get for nothing and that costs the hub something. Used up, it is given to no stranger for a while; what
 * members have and need never counts in it.
 */
type StrangersBudget = Budget & { readonly keyedBy: 'strangers'; readonly atLimit: 'refuse' };

const SENDER = { keyedBy: 'sender', atLimit: 'refuse' } as const;
const STRANGERS = { keyedBy: 'strangers', atLimit: 'refuse' } as const;
const TARGET = { keyedBy: 'target', atLimit: 'long-code' } as const;

/**
 * How much of each thing is allowed; `address` budgets are multiplied by `ADDRESS_LIMIT_FACTOR`. A `pair` is an address
 * and whom it asks about.
 */
export const ACCOUNT_BUDGETS = {
  codeSendsPerPair: { ...SENDER, usesMax: 3, windowMillis: HOUR },
  codeSendsPerAddress: { ...SENDER, usesMax: 20, windowMillis: HOUR },
  codeTriesPerAddress: { ...SENDER, usesMax: 60, windowMillis: HOUR },
  lookUpsPerAddress: { ...SENDER, usesMax: 60, windowMillis: HOUR },
  /** Tries since the last success. */
  loginsPerPair: { ...SENDER, usesMax: 10, windowMillis: 15 * MINUTE },
  loginsPerAddress: { ...SENDER, usesMax: 100, windowMillis: HOUR },
  /** The same from a browser where the member has logged in before; it then needs none of the two above. */
  loginsPerDevice: { ...SENDER, usesMax: 10, windowMillis: 15 * MINUTE },
  /** Wrong ones in a row there, as long as trust lasts at most: the thirtieth ends it. */
  wrongInARowPerDevice: { keyedBy: 'browser', atLimit: 'untrust', usesMax: 29, windowMillis: 90 * DAY },
  /** Answers of passkeys that did not log in, from browsers that are not their member's own. */
  passkeysPerAddress: { ...SENDER, usesMax: 100, windowMillis: HOUR },
  /** Browsers sent to the log-in service; one where a member has logged in before is counted for itself. */
  visitsPerAddress: { ...SENDER, usesMax: 60, windowMillis: HOUR },
  visitsPerDevice: { ...SENDER, usesMax: 30, windowMillis: HOUR },
  signUpsPerAddress: { ...SENDER, usesMax: 20, windowMillis: HOUR },
  /** Text messages to numbers that nobody is known to have: each costs the operator money. An address always works instead. */
  signUpTexts: { ...STRANGERS, usesMax: 1_000, windowMillis: DAY },
  /** Text messages to numbers that are not his, which a member asks for: each costs the operator money. */
  strangeTextsPerMember: { ...SENDER, usesMax: 5, windowMillis: DAY },
  /** What is told to the number of who has no mailbox: each costs money, and this many have said it all. Only what was done counts. */
  securityTextsPerMember: { keyedBy: 'target', atLimit: 'untold', usesMax: 30, windowMillis: DAY },
  demosPerAddress: { ...SENDER, usesMax: 5, windowMillis: HOUR },
  /** Browsers that come back to the demo they have: each time a session. */
  demoReturnsPerAddress: { ...SENDER, usesMax: 60, windowMillis: HOUR },
  /** Each costs accounts and transfers at the venues, which members need too. */
  demos: { ...STRANGERS, usesMax: 120, windowMillis: HOUR },
  /** Changes of chart settings. */
  chartSettingsPerMember: { ...SENDER, usesMax: 240, windowMillis: HOUR },
  /** Pictures of documents, and cases made of them. */
  uploadsPerMember: { ...SENDER, usesMax: 30, windowMillis: DAY },
  kycSubmitsPerMember: { ...SENDER, usesMax: 5, windowMillis: DAY },
  /** Mails with a 4-digit code, whoever asked for them. */
  codeMailsPerTarget: { ...TARGET, usesMax: 3, windowMillis: HOUR },
  /** Wrong compares with live 4-digit codes of a target. */
  codeFailuresPerTarget: { ...TARGET, usesMax: 10, windowMillis: DAY },
  /** The same over all targets: spraying one guess at each of many addresses ends here. */
  codeFailuresOfAll: { keyedBy: 'all', atLimit: 'long-code', usesMax: 1_000, windowMillis: DAY },
  /** Tries with the authenticator or a recovery code, of one session or of one proved code. */
  factorTriesPerProof: { ...SENDER, usesMax: 5, windowMillis: 15 * MINUTE },
  /** Wrong authenticator codes of who knew the password, from browsers that are not the member's own. */
  factorFailuresPerAccount: { keyedBy: 'target', atLimit: 'contact-first', usesMax: 10, windowMillis: DAY },
  /** Requests to be let in again by the staff: who has lost everything asks once. */
  recoveryAsksPerAddress: { ...SENDER, usesMax: 5, windowMillis: DAY },
  /** Links opened, log-ins and demo sessions of the back office. */
  adminTriesPerAddress: { ...SENDER, usesMax: 20, windowMillis: 15 * MINUTE },
  /** Changes of all demo admins of a network: they are strangers. */
  demoChangesPerAddress: { ...SENDER, usesMax: 20, windowMillis: HOUR },
  /** Refusals of demo admins of a network that are written into the audit log, which keeps every row for seven years. */
  demoRefusalsPerAddress: { ...SENDER, usesMax: 20, windowMillis: HOUR },
  /** Papers of members that an admin opens; demo admins of a network count as one. */
  kycViewsPerReviewer: { ...SENDER, usesMax: 50, windowMillis: DAY },
  /** Pictures of papers that an admin reads: those of as many cases, each looked at twice. */
  kycPicturesPerReviewer: { ...SENDER, usesMax: 300, windowMillis: DAY },
  /** Contacts of members that an admin sees unmasked. */
  contactsPerAdmin: { ...SENDER, usesMax: 20, windowMillis: DAY },
  /** Files of the audit log: a million places a day. */
  auditFilesPerAdmin: { ...SENDER, usesMax: 200, windowMillis: DAY },
  /** Wrong authenticator codes of an admin after the right password. */
  adminCodesPerPassword: { keyedBy: 'password', atLimit: 'refuse', usesMax: 20, windowMillis: DAY },
  /** Wrong passwords of an account; every five ask for twice the work. */
  loginFailuresPerAccount: { keyedBy: 'target', atLimit: 'work', usesMax: 15, windowMillis: DAY },
  /** The same failures: above it a browser that is not the member's own proves the mailbox before a password is compared. */
  guardedLoginsPerAccount: { keyedBy: 'target', atLimit: 'contact-first', usesMax: 20, windowMillis: DAY },
} as const satisfies Record<
  string,
  SenderBudget | SharedBudget | PasswordBudget | StrangersBudget | BrowserBudget
>;

type Budgets = typeof ACCOUNT_BUDGETS;
type NameOf<Kind> = { [Name in keyof Budgets]: Budgets[Name] extends Kind ? Name : never }[keyof Budgets];

/** A budget that refuses its sender. */
export type SenderBudgetName = NameOf<SenderBudget>;
/** A budget of a network, whatever browser asks from there. */
export type AddressBudgetName = Extract<SenderBudgetName, `${string}PerAddress`>;
/** A budget of all strangers together. */
export type StrangersBudgetName = NameOf<StrangersBudget>;
/** A budget that is counted, and given back where it was no failure. */
export type CountedBudgetName = NameOf<SharedBudget | PasswordBudget | BrowserBudget>;

/**
 * Who uses a budget; `about` is whom a pair is with. A device, where it is given, counts instead of its network, but never in
 * a budget of networks: its cookie is the sender's own text, and he has as many as he likes.
 */
export interface Sender {
  readonly address: string;
  readonly device?: string | undefined;
  readonly about?: string;
}

/** The accounts feature's limits, by what they count and for whom. */
export interface AccountBudgets {
  /** Uses one; a refusal says how long to wait. */
  take(name: SenderBudgetName, sender: Sender, now: Millis): Promise<Refused | undefined>;
  /** Forgets what was counted. */
  restartCount(name: CountedBudgetName, target: string): Promise<void>;
  /** Uses one of what all strangers have together. */
  takeOfStrangers(name: StrangersBudgetName, now: Millis): Promise<Refused | undefined>;
  /** What was asked for was not even begun: undoes one `take`. */
  undoTake(name: SenderBudgetName, sender: Sender): Promise<void>;
  restart(name: SenderBudgetName, sender: Sender): Promise<void>;
  /** Counts one before it is known to be a failure; how many there are now, this one included. */
  count(name: CountedBudgetName, target: string, now: Millis): Promise<number>;
  /** It was none: takes off what `count` added, above the limit too. */
  giveBack(name: CountedBudgetName, target: string): Promise<void>;
  /** What is counted where statements count by themselves. */
  counterOf(name: CountedBudgetName, target: string): Counter;
  /** How many a budget allows. */
  limitOf(name: CountedBudgetName): number;
  /** How many were counted in the window that runs. */
  used(name: CountedBudgetName, target: string, now: Millis): Promise<number>;
}

/** Customers with IPv6 may have as much as a /48, and then count as this many addresses at most. */
const NETWORKS_PER_SITE_MAX = 10;

/**
 * The network an address belongs to: an IPv4 address is one, an IPv6 customer has a whole /64 or, as a site, /48.
 * @param bits of an IPv6 address that count.
 */
export function networkOf(address: string, bits: 48 | 64 = 64): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === '' ? [] : tail.split(':');
  const gap = address.includes('::') ? Math.max(0, 8 - front.length - back.length) : 0;
  const groups = [...front, ...Array.from({ length: gap }, () => '0'), ...back];
  return `${groups
    .slice(0, bits / 16)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')}::/${bits}`;
}

/** A network so large that it tells nobody's place: /16 of an IPv4 address, /48 of an IPv6 address. */
export function wideNetworkOf(address: string): string {
  if (address.includes(':')) return networkOf(address, 48);
  const [first, second] = address.split('.');
  return second === undefined ? '' : `${first}.${second}.0.0/16`;
}

function isOfAddress(name: SenderBudgetName): name is AddressBudgetName {
  return name.endsWith('PerAddress');
}

/** Makes the limits. Keys are hashed: a list of who tried to log in is nobody's business. */
export function accountBudgets(store: BudgetStore, addressFactor: number): AccountBudgets {
  const keyOf = (name: string, whose: string): string => `${name}:${sha256Hex(whose).slice(0, 40)}`;
  const keyOfSender = (name: string, who: string, { about = '' }: Sender): string =>
    keyOf(name, `${who} ${about}`);
  const whoIs = ({ device, address }: Sender): string =>
    device === undefined ? networkOf(address) : `device ${device}`;
  /** What a sender without a device in IPv6 uses besides: the budget of his site. */
  const keyOfSite = (name: string, sender: Sender): string | undefined =>
    sender.device !== undefined || !sender.address.includes(':')
      ? undefined
      : keyOfSender(name, networkOf(sender.address, 48), sender);
  const budgetOf = (name: SenderBudgetName): Budget => {
    const budget = ACCOUNT_BUDGETS[name];
    return isOfAddress(name) ? { ...budget, usesMax: budget.usesMax * addressFactor } : budget;
  };
  const keysOf = (name: SenderBudgetName, given: Sender) => {
    const sender = isOfAddress(name) ? { address: given.address } : given;
    return { own: keyOfSender(name, whoIs(sender), sender), site: keyOfSite(name, sender) };
  };
  const takeOne = async (key: string, budget: Budget, now: Millis): Promise<Refused | undefined> => {
    const { used, secondsLeft } = await store.consume(key, budget, now);
    if (used <= budget.usesMax) return undefined;
    return refusal({ error: 'rate-limited', allowed: String(secondsLeft) });
  };
  return {
    async take(name, sender, now) {
      const budget = budgetOf(name);
      const keys = keysOf(name, sender);
      const own = await takeOne(keys.own, budget, now);
      if (own !== undefined || keys.site === undefined) return own;
      return takeOne(keys.site, { ...budget, usesMax: budget.usesMax * NETWORKS_PER_SITE_MAX }, now);
    },
    takeOfStrangers: (name, now) => takeOne(keyOf(name, 'all'), ACCOUNT_BUDGETS[name], now),
    async undoTake(name, sender) {
      const { own, site } = keysOf(name, sender);
      await store.giveBack(own);
      if (site !== undefined) await store.giveBack(site);
    },
    restart: (name, sender) => store.reset(keysOf(name, sender).own),
    restartCount: (name, target) => store.reset(keyOf(name, target)),
    async count(name, target, now) {
      return (await store.consume(keyOf(name, target), ACCOUNT_BUDGETS[name], now)).used;
    },
    giveBack: (name, target) => store.giveBack(keyOf(name, target)),
    counterOf: (name, target) => ({ ...ACCOUNT_BUDGETS[name], key: keyOf(name, target) }),
    limitOf: (name) => ACCOUNT_BUDGETS[name].usesMax,
    used: (name, target, now) => store.used(keyOf(name, target), now),
  };
}
