import { parseEnv } from 'node:util';
import {
  CONFIG_VARIABLES,
  type ConfigName,
  type ConfigValues,
  configSchema,
  type FundedFloor,
} from './config-variables.ts';
import { type VenueConfig, venueConfigs, venueContradictions } from './config-venues.ts';
import { isLoopback } from './http/own-origin.ts';

/** Everything that can be configured, checked once at start. */
export interface Config {
  readonly role: 'all';
  readonly host: string;
  /** `given` false means: the next free port is taken when this one is not free. */
  readonly port: { readonly number: number; readonly given: boolean };
  readonly dataDir: string;
  /** Absent: the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly money: 'paper' | 'live';
  readonly environment: 'production' | 'preproduction' | 'test';
  readonly tenant: string;
  readonly productName: string;
  /** Every platform, by number. */
  readonly venues: readonly VenueConfig[];
  /** Whether browsers fetch public market data through this server or from the exchanges themselves. */
  readonly marketData: 'relay' | 'direct';
  readonly simulator: { readonly url: string; readonly admin: string | undefined } | undefined;
  readonly mail: {
    readonly smtpUrl: string | undefined;
    readonly from: string;
    /** Who is given of incidents. */
    readonly operator: string | undefined;
  };
  /** Whether `/dev/outbox.json` answers and mails are kept instead of sent. */
  readonly outbox: boolean;
  /** Another machine that heads of the audit log are told to. */
  readonly auditSink: { readonly url: string; readonly token: string | undefined } | undefined;
  /** Another machine that lines of the log are told to. */
  readonly logSink: { readonly url: string; readonly token: string | undefined } | undefined;
  /** Below these the operator is warned. */
  readonly fundedFloors: readonly FundedFloor[];
  /** Where text messages are sent by. */
  readonly textGateway: { readonly url: string; readonly token: string } | undefined;
  /** Whether a browser that its member never used is asked for a code by mail. */
  readonly newDeviceCode: boolean;
  /** The log-in service of another house; absent: nobody logs in with one. */
  readonly logInProvider: LogInProviderConfig | undefined;
  /** ISO 3166-1 alpha-2: where services are unavailable. */
  readonly restrictedCountries: readonly string[];
  /** How long a passed identity check counts at most, in years. */
  readonly kycValidYears: number;
  readonly links: Readonly<
    Record<
      'terms' | 'privacy' | 'announcements' | 'products' | 'support' | 'messenger' | 'social' | 'help',
      string
    >
  >;
  /** Set when a TLS proxy stands in front. */
  readonly proxy:
    | { readonly hops: number; readonly publicUrl: URL; readonly adminUrl: URL | undefined }
    | undefined;
  readonly masterKey: string | undefined;
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  /** Oldest an order may be before it is held and before it is sent; beyond it it is refused and nothing is sent. */
  readonly orderAgeMillisMax: number;
  /** Multiplies the budgets that count by address; the test suites sign up many members from one. */
  readonly addressLimitFactor: number;
  /** Largest number a captcha asks to search; the mean work is half of it. */
  readonly captchaWorkMax: number;
}

/** An OpenID Connect provider, and what it knows us by. */
export interface LogInProviderConfig {
  /** As the provider names itself, to the letter. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What members know it by. */
  readonly label: string;
}

/** Why the start is refused: one sentence per wrong variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** Variables of other processes that share the `.env` file. */
const FOREIGN = /^(?:SIM_[A-Z0-9_]+|RECORDINGS_DIR|NODE_[A-Z_]+)$/;

/**
 * Reads the configuration.
 * @param environment `process.env`; wins over the file.
 * @param envFile contents of `.env`, empty when there is none.
 * @throws ConfigError naming each wrong variable, what was given and what is allowed.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>, envFile = ''): Config {
  const file = parseEnv(envFile);
  const problems: string[] = [];
  for (const name of Object.keys(file)) {
    if (!Object.hasOwn(CONFIG_VARIABLES, name) && !FOREIGN.test(name)) {
      problems.push(`${name} in .env is not a variable of this program; .env.example lists them all.`);
    }
  }
  const given: Partial<Record<ConfigName, string>> = {};
  for (const name of Object.keys(CONFIG_VARIABLES) as ConfigName[]) {
    const text = (environment[name] ?? file[name] ?? '').trim();
    if (text !== '') given[name] = text;
  }
  const parsed = configSchema.safeParse(given);
  if (!parsed.success) {
    const wrong = new Set(parsed.error.issues.map((issue) => issue.path[0] as ConfigName));
    for (const name of wrong) problems.push(problemOf(name, given[name], CONFIG_VARIABLES[name].allowed));
  }
  if (parsed.success) problems.push(...contradictions(parsed.data));
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems);
  return assemble(parsed.data, given.PORT !== undefined);
}

function problemOf(name: ConfigName, given: string | undefined, allowed: string): string {
  const shown =
    CONFIG_VARIABLES[name].secret === true ? 'a value that is not shown here' : `"${given ?? ''}"`;
  return `${name} is ${shown}; allowed: ${allowed}.`;
}

/** Where the hub connects to. */
const OUTSIDE = (Object.keys(CONFIG_VARIABLES) as ConfigName[]).filter((name) =>
  /^(?:VENUE_[0-9]_[A-Z_]+_(?:BASE|URL)|SMS_GATEWAY_URL|AUDIT_SINK_URL|LOG_SINK_URL|DATABASE_URL)$/.test(
    name,
  ),
);

/** Lines of the log are shipped by whoever runs the hub. */
const SHIPPED = 'stderr';

/** Modes in which `pg` checks the server's certificate, unless it is given to take them as libpq does. */
const DATABASE_OVER_TLS = ['require', 'verify-ca', 'verify-full'];

/** Whether an address leads to this machine. A database is also named by a parameter, which wins; a path is a socket. */
function staysHere(address: string): boolean {
  const { hostname, searchParams } = new URL(address);
  const host = searchParams.getAll('host').at(-1) ?? decodeURIComponent(hostname);
  return host === '' || host.startsWith('/') || isLoopback(host);
}

/** Whether what is sent to an address can be read on the way: neither TLS nor this machine. */
function isReadable(address: string): boolean {
  const { protocol, searchParams } = new URL(address);
  const isDatabase = /^postgres(?:ql)?:$/.test(protocol);
  // Of two modes the last counts, and `ssl` goes before both.
  const [mode = '', ...more] = searchParams.getAll('sslmode');
  const given = more.length > 0 || searchParams.has('ssl') || searchParams.has('uselibpqcompat');
  const isSealed = isDatabase
    ? DATABASE_OVER_TLS.includes(mode) && !given
    : /^(?:https|wss):$/.test(protocol);
  return !isSealed && !staysHere(address);
}

/** Whether a database elsewhere is logged in to with what never changes and anybody can repeat. */
function isByPasswordAlone(address: string): boolean {
  const { searchParams } = new URL(address);
  const isCertified = searchParams.has('sslcert') && searchParams.has('sslkey');
  return !isCertified && !staysHere(address);
}

/** Rules between variables; each names the variable to change. */
function contradictions(values: ConfigValues): readonly string[] {
  const problems: string[] = [];
  const refuse = (when: boolean, name: ConfigName, given: string | undefined, allowed: string): void => {
    if (when) problems.push(problemOf(name, given, allowed));
  };
  const live = values.MONEY === 'live';
  refuse(live && values.SMTP_URL === undefined, 'SMTP_URL', values.SMTP_URL, 'required with MONEY=live');
  refuse(
    live && values.LOG_SINK_URL === undefined,
    'LOG_SINK_URL',
    undefined,
    `${CONFIG_VARIABLES.LOG_SINK_URL.allowed}; required with MONEY=live: who owns this machine takes no line back there`,
  );
  const isShown = values.OUTBOX === '1';
  refuse(live && isShown, 'OUTBOX', values.OUTBOX, '0 or unset with MONEY=live');
  // Mails that really leave are letters of real people.
  const sends = values.SMTP_URL !== undefined;
  refuse(!live && sends && isShown, 'OUTBOX', values.OUTBOX, '0 or unset with SMTP_URL, which sends mails');
  for (const name of OUTSIDE) {
    const given = values[name] === undefined || values[name] === SHIPPED ? undefined : String(values[name]);
    const allowed = `${name === 'DATABASE_URL' ? 'sslmode=verify-full' : 'https or wss'} with MONEY=live, unless it stays on this machine`;
    refuse(live && given !== undefined && isReadable(given), name, given, allowed);
  }
  const database = values.DATABASE_URL;
  const isReached = database !== undefined && !isReadable(database);
  refuse(
    live && isReached && isByPasswordAlone(database),
    'DATABASE_URL',
    database,
    'with sslcert and sslkey, the certificate that the hub proves itself by, with MONEY=live, unless it stays on this machine',
  );
  for (const { name, allowed } of venueContradictions(values)) {
    refuse(true, name, String(values[name] ?? ''), allowed);
  }
  const proxied = values.TRUST_PROXY > 0;
  refuse(
    proxied !== (values.PUBLIC_URL !== undefined),
    proxied ? 'PUBLIC_URL' : 'TRUST_PROXY',
    proxied ? values.PUBLIC_URL : String(values.TRUST_PROXY),
    'TRUST_PROXY and PUBLIC_URL go together: set both behind a TLS proxy, else neither',
  );
  refuse(
    values.ADMIN_URL === undefined ? live && proxied : hostOf(values.ADMIN_URL) === hostOf(values.PUBLIC_URL),
    'ADMIN_URL',
    values.ADMIN_URL,
    'another host name than PUBLIC_URL, and needed with real money behind a proxy: a fault of a page of members then reaches no admin',
  );
  refuse(
    values.ADMIN_URL !== undefined && !proxied,
    'ADMIN_URL',
    values.ADMIN_URL,
    'only with TRUST_PROXY and PUBLIC_URL: without them the hub answers to this machine alone',
  );
  refuse(
    (values.SMS_GATEWAY_URL === undefined) !== (values.SMS_GATEWAY_TOKEN === undefined),
    values.SMS_GATEWAY_URL === undefined ? 'SMS_GATEWAY_URL' : 'SMS_GATEWAY_TOKEN',
    undefined,
    'SMS_GATEWAY_URL and SMS_GATEWAY_TOKEN go together: set both, or neither',
  );
  const { OIDC_ISSUER: issuer } = values;
  const oidc = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
  const missing = oidc.find((name) => values[name] === undefined);
  const isNamed = [...oidc, 'OIDC_LABEL' as const].some((name) => values[name] !== undefined);
  if (isNamed && missing !== undefined) {
    refuse(true, missing, undefined, `${oidc.join(', ')} go together: set all three, or none`);
  }
  const isPlain = issuer !== undefined && new URL(issuer).protocol === 'http:';
  const isAllowed = !live && isPlain && isLoopback(new URL(issuer).hostname);
  refuse(isPlain && !isAllowed, 'OIDC_ISSUER', issuer, CONFIG_VARIABLES.OIDC_ISSUER.allowed);
  return problems;
}

function logInProviderOf(values: ConfigValues): LogInProviderConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return { issuer, clientId, clientSecret, label: values.OIDC_LABEL ?? new URL(issuer).hostname };
}

/** Host name and port of an address that was checked. */
function hostOf(address: string | undefined): string | undefined {
  return address === undefined ? undefined : new URL(address).hostname;
}

/** Paper money on a machine that nobody else reaches and that sends no mail: what is sent is shown to whoever asks. */
function isOneMachine({ MONEY, HOST, TRUST_PROXY, SMTP_URL }: ConfigValues): boolean {
  // Behind a proxy the hub listens on loopback too, and the whole net reaches it.
  return MONEY === 'paper' && isLoopback(HOST) && TRUST_PROXY === 0 && SMTP_URL === undefined;
}

function assemble(values: ConfigValues, portGiven: boolean): Config {
  return {
    role: values.ROLE,
    host: values.HOST,
    port: { number: values.PORT, given: portGiven },
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    money: values.MONEY,
    environment: values.APP_ENV,
    tenant: values.TENANT_ID,
    productName: values.PRODUCT_NAME,
    venues: venueConfigs(values),
    marketData: values.MARKET_DATA,
    simulator:
      values.SIMULATOR_URL === undefined
        ? undefined
        : { url: values.SIMULATOR_URL, admin: values.SIMULATOR_ADMIN },
    mail: { smtpUrl: values.SMTP_URL, from: values.MAIL_FROM, operator: values.OPERATOR_MAIL },
    textGateway:
      values.SMS_GATEWAY_URL === undefined || values.SMS_GATEWAY_TOKEN === undefined
        ? undefined
        : { url: values.SMS_GATEWAY_URL, token: values.SMS_GATEWAY_TOKEN },
    auditSink:
      values.AUDIT_SINK_URL === undefined
        ? undefined
        : { url: values.AUDIT_SINK_URL, token: values.AUDIT_SINK_TOKEN },
    logSink:
      values.LOG_SINK_URL === undefined || values.LOG_SINK_URL === SHIPPED
        ? undefined
        : { url: values.LOG_SINK_URL, token: values.LOG_SINK_TOKEN },
    fundedFloors: values.FUNDED_FLOORS,
    newDeviceCode: values.NEW_DEVICE_CODE === '1',
    restrictedCountries: values.RESTRICTED_COUNTRIES,
    kycValidYears: values.KYC_VALID_YEARS,
    logInProvider: logInProviderOf(values),
    outbox: values.OUTBOX === '1' || (values.OUTBOX === undefined && isOneMachine(values)),
    links: {
      terms: values.LINK_TERMS,
      privacy: values.LINK_PRIVACY,
      announcements: values.LINK_ANNOUNCEMENTS,
      products: values.LINK_PRODUCTS,
      support: values.LINK_SUPPORT,
      messenger: values.LINK_MESSENGER,
      social: values.LINK_SOCIAL,
      help: values.LINK_HELP,
    },
    proxy:
      values.PUBLIC_URL === undefined
        ? undefined
        : {
            hops: values.TRUST_PROXY,
            publicUrl: new URL(values.PUBLIC_URL),
            adminUrl: values.ADMIN_URL === undefined ? undefined : new URL(values.ADMIN_URL),
          },
    masterKey: values.HUB_MASTER_KEY,
    logLevel: values.LOG_LEVEL,
    orderAgeMillisMax: values.ORDER_AGE_MILLIS,
    addressLimitFactor: values.ADDRESS_LIMIT_FACTOR,
    captchaWorkMax: values.CAPTCHA_WORK_MAX,
  };
}
