import { type Amount, amount } from '@crossbook/domain';
import { z } from 'zod';

/** One variable: what is allowed, in the words of the error and of `.env.example`. */
interface Variable<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly allowed: string;
  /** Never echoed in an error. */
  readonly secret?: true;
}

function variable<Schema extends z.ZodType>(schema: Schema, allowed: string): Variable<Schema> {
  return { schema, allowed };
}

function secret<Schema extends z.ZodType>(schema: Schema, allowed: string): Variable<Schema> {
  return { schema, allowed, secret: true };
}

function choice<const Options extends readonly [string, ...string[]]>(options: Options) {
  return z.enum(options);
}

function whole(min: number, max: number) {
  return z
    .string()
    .regex(/^[0-9]{1,9}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));
}

function isUrl(text: string, protocols: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return protocols.includes(url.protocol) && url.search === '' && url.hash === '';
}

function base(protocols: readonly string[]) {
  return z
    .string()
    .refine((text) => isUrl(text, protocols))
    .transform((text) => text.replace(/\/+$/, ''));
}

const REST = ['http:', 'https:'];
const SOCKET = ['ws:', 'wss:'];
const link = z
  .string()
  .refine((text) => isUrl(text.split(/[?#]/, 1)[0] ?? '', REST))
  .default('');
const LINK_ALLOWED = 'an http or https URL, or empty to hide the link';
const STATE_ALLOWED = 'live, or coming-soon to show market data only';

/** What the operator wants an account of the house to hold at least. */
export interface FundedFloor {
  readonly account: 'promo' | 'fees';
  readonly asset: string;
  readonly floor: Amount;
}

function floorOf(text: string): FundedFloor {
  const [account = '', asset = '', floor = ''] = text.split(/[:=]/);
  return { account: account === 'promo' ? 'promo' : 'fees', asset, floor: amount(floor) };
}

const mode = () =>
  variable(choice(['simulator', 'live']).optional(), 'simulator or live; unset: as MONEY says');
const restBase = () => variable(base(REST).optional(), 'an http or https base URL');
const streamBase = () => variable(base(SOCKET).optional(), 'a ws or wss base URL');
const masterKey = (venue: string) =>
  secret(z.string().min(1).max(500).optional(), `the operator's API key at ${venue}`);
const masterSecret = () => secret(z.string().min(1).max(5_000).optional(), 'the secret of that key');

/** Every environment variable of the server, in the order of `.env.example`. */
export const CONFIG_VARIABLES = {
  ROLE: variable(choice(['all']).default('all'), 'all (the only role of this version)'),
  HOST: variable(
    z
      .string()
      .regex(/^[A-Za-z0-9.:-]{1,253}$/)
      .default('127.0.0.1'),
    'an address or host name to listen on',
  ),
  PORT: variable(
    whole(0, 65_535).default(3000),
    'a whole number from 0 (any free port) to 65535; unset: 3000 or the next free one',
  ),
  DATA_DIR: variable(z.string().max(1_000).default('.data'), 'a directory this program may write to'),
  DATABASE_URL: secret(
    z
      .string()
      .refine((text) => URL.canParse(text) && /^postgres(?:ql)?:$/.test(new URL(text).protocol))
      .optional(),
    'a postgres:// or postgresql:// URL, or unset for the embedded PostgreSQL',
  ),
  MONEY: variable(choice(['paper', 'live']).default('paper'), 'paper or live'),
  APP_ENV: variable(
    choice(['production', 'preproduction', 'test']).default('production'),
    'production, preproduction or test',
  ),
  TENANT_ID: variable(
    z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/)
      .default('crossbook'),
    '1 to 64 letters, digits, dots, underscores or hyphens',
  ),
  PRODUCT_NAME: variable(z.string().min(1).max(40).default('Crossbook'), '1 to 40 characters'),
  PLATFORM_1: variable(choice(['live', 'coming-soon']).default('live'), STATE_ALLOWED),
  PLATFORM_2: variable(choice(['live', 'coming-soon']).default('live'), STATE_ALLOWED),
  PLATFORM_3: variable(choice(['live', 'coming-soon']).default('coming-soon'), STATE_ALLOWED),
  MARKET_DATA: variable(
    choice(['relay', 'direct']).default('relay'),
    'relay, or direct to let browsers ask the exchanges themselves',
  ),
  VENUE_1_MODE: mode(),
  VENUE_1_REST_BASE: restBase(),
  VENUE_1_STREAM_BASE: streamBase(),
  VENUE_1_WSAPI_URL: variable(base(SOCKET).optional(), 'a ws or wss URL'),
  VENUE_1_FUTURES_REST_BASE: restBase(),
  VENUE_1_FUTURES_STREAM_BASE: streamBase(),
  VENUE_1_MASTER_KEY: masterKey('Binance'),
  VENUE_1_MASTER_SECRET: masterSecret(),
  VENUE_2_MODE: mode(),
  VENUE_2_REST_BASE: restBase(),
  VENUE_2_STREAM_BASE: streamBase(),
  VENUE_2_MASTER_KEY: masterKey('OKX'),
  VENUE_2_MASTER_SECRET: masterSecret(),
  VENUE_2_MASTER_PASSPHRASE: secret(z.string().min(1).max(500).optional(), 'the passphrase of that key'),
  VENUE_3_MODE: mode(),
  VENUE_3_REST_BASE: restBase(),
  VENUE_3_STREAM_BASE: streamBase(),
  VENUE_3_MASTER_KEY: masterKey('Bybit'),
  VENUE_3_MASTER_SECRET: masterSecret(),
  SIMULATOR_URL: variable(base(REST).optional(), 'an http base URL of a running simulator'),
  SIMULATOR_ADMIN: secret(base(REST).optional(), 'the admin address the simulator printed'),
  SMTP_URL: secret(
    z
      .string()
      .refine((text) => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol))
      .optional(),
    'an smtp:// or smtps:// URL',
  ),
  MAIL_FROM: variable(
    z
      .string()
      .regex(/^[^\r\n]{3,200}$/)
      .refine((text) => text.includes('@'))
      .default('Crossbook <no-reply@localhost>'),
    'a sender such as Name <address@example.org>',
  ),
  OPERATOR_MAIL: variable(
    z
      .string()
      .regex(/^[^\s@<>]{1,64}@[^\s@<>]{1,200}$/)
      .optional(),
    'an address such as operator@example.org, or unset: incidents are then only in the log and in `npm run incidents`',
  ),
  AUDIT_SINK_URL: variable(base(REST).optional(), 'an http or https URL that keeps heads of the audit log'),
  AUDIT_SINK_TOKEN: secret(z.string().min(1).max(500).optional(), 'the bearer token of that sink'),
  FUNDED_FLOORS: variable(
    z
      .string()
      .max(1_000)
      .regex(
        /^(?:promo|fees):[A-Z0-9]{1,20}=[0-9]{1,12}(?:\.[0-9]{1,18})?(?:,(?:promo|fees):[A-Z0-9]{1,20}=[0-9]{1,12}(?:\.[0-9]{1,18})?)*$/,
      )
      .transform((list) => list.split(',').map(floorOf))
      .default([]),
    'floors such as promo:USDT=500,fees:BTC=0.1: promo or fees, an asset in capital letters, an amount; or empty',
  ),
  LOG_SINK_URL: variable(
    z.literal('stderr').or(base(REST)).optional(),
    'an http or https URL that keeps lines of the log, or stderr where whoever runs the hub ships standard error to another machine',
  ),
  LOG_SINK_TOKEN: secret(z.string().min(1).max(500).optional(), 'the bearer token of that sink'),
  SMS_GATEWAY_URL: variable(base(REST).optional(), 'an http or https URL that takes text messages'),
  SMS_GATEWAY_TOKEN: secret(z.string().min(1).max(500).optional(), 'the bearer token of that gateway'),
  OUTBOX: variable(
    choice(['0', '1']).optional(),
    '1 or 0; unset: on with paper money on loopback, without TRUST_PROXY and SMTP_URL',
  ),
  NEW_DEVICE_CODE: variable(
    choice(['0', '1']).default('1'),
    '1 to ask for a code by mail when somebody logs in with a browser that the member never used, else 0',
  ),
  OIDC_ISSUER: variable(
    z
      .string()
      .max(500)
      .refine((text) => isUrl(text, REST))
      .optional(),
    'the https URL of an OpenID Connect provider, exactly as it names itself; http only on this machine with MONEY=paper',
  ),
  OIDC_CLIENT_ID: variable(z.string().min(1).max(500).optional(), 'the client id that the provider gave'),
  OIDC_CLIENT_SECRET: secret(z.string().min(1).max(2_000).optional(), 'the secret of that client'),
  OIDC_LABEL: variable(z.string().min(1).max(40).optional(), '1 to 40 characters: what the button says'),
  RESTRICTED_COUNTRIES: variable(
    z
      .string()
      .regex(/^(?:[A-Z]{2}(?:,[A-Z]{2}){0,249})?$/)
      .transform((list) => (list === '' ? [] : list.split(',')))
      .default([]),
    'two-letter codes of countries with commas between them, such as KP,IR, or empty',
  ),
  KYC_VALID_YEARS: variable(
    whole(1, 30).default(5),
    'how many years a passed identity check counts at most, 1 to 30',
  ),
  LINK_TERMS: variable(link, LINK_ALLOWED),
  LINK_PRIVACY: variable(link, LINK_ALLOWED),
  LINK_ANNOUNCEMENTS: variable(link, LINK_ALLOWED),
  LINK_PRODUCTS: variable(link, LINK_ALLOWED),
  LINK_SUPPORT: variable(link, LINK_ALLOWED),
  LINK_MESSENGER: variable(link, LINK_ALLOWED),
  LINK_SOCIAL: variable(link, LINK_ALLOWED),
  LINK_HELP: variable(link, LINK_ALLOWED),
  TRUST_PROXY: variable(whole(0, 5).default(0), 'how many proxies stand in front, 0 to 5'),
  PUBLIC_URL: variable(
    base(['https:'])
      .refine((text) => new URL(text).pathname === '/')
      .optional(),
    'the https origin members open, such as https://trade.example.org',
  ),
  ADMIN_URL: variable(
    base(['https:'])
      .refine((text) => new URL(text).pathname === '/')
      .optional(),
    'the https origin of the back office, such as https://desk.example.org',
  ),
  HUB_MASTER_KEY: secret(
    z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/)
      .optional(),
    '64 hexadecimal digits, or unset for a key file made at first start',
  ),
  LOG_LEVEL: variable(
    choice(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
    'silent, error, warn, info or debug',
  ),
  ORDER_AGE_MILLIS: variable(
    whole(100, 60_000).default(2_000),
    'a whole number of milliseconds from 100 to 60000',
  ),
  ADDRESS_LIMIT_FACTOR: variable(whole(1, 10_000).default(1), 'a whole number from 1 to 10000'),
  CAPTCHA_WORK_MAX: variable(whole(100, 10_000_000).default(50_000), 'a whole number from 100 to 10000000'),
} as const;

/** Name of a variable. */
export type ConfigName = keyof typeof CONFIG_VARIABLES;

type Shape = { [Name in ConfigName]: (typeof CONFIG_VARIABLES)[Name]['schema'] };

/** The one schema over all variables. */
export const configSchema = z.object(
  Object.fromEntries(
    Object.entries(CONFIG_VARIABLES).map(([name, entry]) => [name, entry.schema]),
  ) as unknown as Shape,
);

/** The variables after parsing. */
export type ConfigValues = z.output<typeof configSchema>;
