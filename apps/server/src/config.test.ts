import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { CONFIG_VARIABLES, configSchema } from './config-variables.ts';
import { isLoopback } from './http/own-origin.ts';

const SIMULATOR = { SIMULATOR_URL: 'http://127.0.0.1:9000' };
const LIVE = {
  MONEY: 'live',
  VENUE_1_MASTER_KEY: 'k',
  VENUE_1_MASTER_SECRET: 's',
  VENUE_2_MASTER_KEY: 'k2',
  VENUE_2_MASTER_SECRET: 's2',
  VENUE_2_MASTER_PASSPHRASE: 'p2',
  SMTP_URL: 'smtp://mail.example.org:587',
  LOG_SINK_URL: 'https://lines.example.org/hub',
};

const OIDC = {
  OIDC_ISSUER: 'https://id.example.org/realm/',
  OIDC_CLIENT_ID: 'crossbook',
  OIDC_CLIENT_SECRET: 'hunter2',
};

const CERTIFIED = 'sslcert=/keys/hub.crt&sslkey=/keys/hub.key';

const PROXIED = { TRUST_PROXY: '1', PUBLIC_URL: 'https://trade.example.org' };

function problems(environment: Record<string, string>, file = ''): readonly string[] {
  try {
    readConfig(environment, file);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('configuration', () => {
  test('with nothing but a simulator everything has a default', () => {
    const config = readConfig(SIMULATOR);
    expect(config).toMatchObject({
      role: 'all',
      host: '127.0.0.1',
      port: { number: 3000, given: false },
      money: 'paper',
      outbox: true,
      proxy: undefined,
      venues: [
        {
          platform: 1,
          state: 'live',
          mode: 'simulator',
          restBases: { SPOT: 'http://127.0.0.1:9000', SWAP: 'http://127.0.0.1:9000' },
          streamBases: { SPOT: 'ws://127.0.0.1:9000', SWAP: 'ws://127.0.0.1:9000' },
          tradeBase: 'ws://127.0.0.1:9000/ws-api/v3',
        },
        { platform: 2, state: 'live', mode: 'simulator', tradeBase: 'ws://127.0.0.1:9000' },
        { platform: 3, state: 'coming-soon', mode: 'simulator', tradeBase: 'ws://127.0.0.1:9000' },
      ],
    });
  });

  test('live money goes to the real hosts with the keys of the operator, and has no outbox', () => {
    const config = readConfig(LIVE);
    expect(config.outbox).toBe(false);
    expect(config.venues).toMatchObject([
      {
        mode: 'live',
        restBases: { SPOT: 'https://api.binance.com', SWAP: 'https://fapi.binance.com' },
        streamBases: { SPOT: 'wss://stream.binance.com:9443', SWAP: 'wss://fstream.binance.com' },
        tradeBase: 'wss://ws-api.binance.com/ws-api/v3',
        master: { key: 'k', secret: 's' },
      },
      {
        mode: 'live',
        restBases: { SPOT: 'https://www.okx.com', SWAP: 'https://www.okx.com' },
        streamBases: { SPOT: 'wss://ws.okx.com:8443', SWAP: 'wss://ws.okx.com:8443' },
        tradeBase: 'wss://ws.okx.com:8443',
        master: { key: 'k2', secret: 's2', passphrase: 'p2' },
      },
      {
        // Coming soon: market data needs no key.
        mode: 'live',
        restBases: { SPOT: 'https://api.bybit.com', SWAP: 'https://api.bybit.com' },
        streamBases: { SPOT: 'wss://stream.bybit.com', SWAP: 'wss://stream.bybit.com' },
        master: undefined,
      },
    ]);
  });

  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['one machine alone', {}, true],
    ['it is switched off', { OUTBOX: '0' }, false],
    ['the network', { HOST: '0.0.0.0' }, false],
    ['a proxy before it', PROXIED, false],
    ['mails that leave', { SMTP_URL: LIVE.SMTP_URL }, false],
    ['a proxy before it, asked for', { ...PROXIED, OUTBOX: '1' }, true],
  ])('with paper money and %s the outbox is as safe as its readers', (_case, given, shown) => {
    expect(readConfig({ ...SIMULATOR, ...given }).outbox).toBe(shown);
  });

  test('the environment wins over the file, and an empty value counts as unset', () => {
    const config = readConfig({ ...SIMULATOR, PORT: '4001', HOST: '' }, 'PORT=4000\nPRODUCT_NAME="My Hub"\n');
    expect(config.port).toEqual({ number: 4001, given: true });
    expect(config.productName).toBe('My Hub');
    expect(config.host).toBe('127.0.0.1');
  });

  test.each([
    ['ROLE', 'market', 'all'],
    ['PORT', 'abc', 'whole number'],
    ['PORT', '70000', '65535'],
    ['PORT', '-1', 'whole number'],
    ['PORT', '1e3', 'whole number'],
    ['HOST', 'a b', 'address'],
    ['MONEY', 'real', 'paper or live'],
    ['APP_ENV', 'dev', 'preproduction'],
    ['TENANT_ID', 'a b', 'letters'],
    ['PLATFORM_1', 'on', 'coming-soon'],
    ['VENUE_1_MODE', 'demo', 'simulator'],
    ['PLATFORM_3', 'off', 'coming-soon'],
    ['MARKET_DATA', 'proxy', 'relay'],
    ['VENUE_3_MODE', 'demo', 'simulator'],
    ['VENUE_1_FUTURES_REST_BASE', 'ftp://x', 'http'],
    ['VENUE_2_STREAM_BASE', 'https://x', 'ws'],
    ['VENUE_3_REST_BASE', 'https://x?y=1', 'http'],
    ['VENUE_1_REST_BASE', 'ftp://x', 'http'],
    ['VENUE_1_STREAM_BASE', 'http://x', 'ws'],
    ['SIMULATOR_URL', 'nonsense', 'simulator'],
    ['MAIL_FROM', 'nobody', 'sender'],
    ['OUTBOX', 'yes', '1 or 0'],
    ['OIDC_ISSUER', 'javascript:alert(1)', 'https'],
    ['LINK_TERMS', 'javascript:alert(1)', 'http'],
    ['TRUST_PROXY', '9', '0 to 5'],
    ['PUBLIC_URL', 'http://insecure.example', 'https'],
    ['LOG_LEVEL', 'loud', 'silent'],
    ['FUNDED_FLOORS', 'promo:usdt=5', 'promo:USDT=500'],
    ['FUNDED_FLOORS', 'gifts:USDT=5', 'promo or fees'],
    ['FUNDED_FLOORS', 'promo:USDT=-5', 'an amount'],
    ['ORDER_AGE_MILLIS', '99', '100 to'],
    ['ADDRESS_LIMIT_FACTOR', '0', '1 to'],
    ['CAPTCHA_WORK_MAX', '5', '100'],
  ])('%s=%s is refused by name with what is allowed', (name, given, allowed) => {
    const found = problems({ ...SIMULATOR, [name]: given });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`${name} is "${given}"`);
    expect(found[0]).toContain(allowed);
  });

  test.each([
    ['DATABASE_URL', 'mysql://user:hunter2@host/db'],
    ['HUB_MASTER_KEY', 'hunter2'],
    ['SMTP_URL', 'http://user:hunter2@host'],
  ])('a wrong %s is refused without echoing it', (name, given) => {
    const found = problems({ ...SIMULATOR, [name]: given });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(name);
    expect(found[0]).not.toContain('hunter2');
  });

  test.each([
    ['live money without mail', { ...LIVE, SMTP_URL: '' }, 'SMTP_URL'],
    ['live money whose log stays here', { ...LIVE, LOG_SINK_URL: '' }, 'LOG_SINK_URL'],
    [
      'live money in a database elsewhere by a password alone',
      { ...LIVE, DATABASE_URL: 'postgres://u:p@db.example/hub?sslmode=verify-full' },
      'DATABASE_URL',
    ],
    ['live money with the outbox', { ...LIVE, OUTBOX: '1' }, 'OUTBOX'],
    ['mails that leave with the outbox', { ...SIMULATOR, SMTP_URL: LIVE.SMTP_URL, OUTBOX: '1' }, 'OUTBOX'],
    ['live money on a simulator', { ...LIVE, ...SIMULATOR, VENUE_1_MODE: 'simulator' }, 'VENUE_1_MODE'],
    ['paper money on real hosts', { VENUE_1_MODE: 'live' }, 'VENUE_1_MODE'],
    ['one simulated venue beside live money', { ...LIVE, VENUE_3_MODE: 'simulator' }, 'VENUE_3_MODE'],
    ['one real venue beside paper money', { ...SIMULATOR, VENUE_2_MODE: 'live' }, 'VENUE_2_MODE'],
    [
      'an OKX key without passphrase',
      { ...LIVE, VENUE_2_MASTER_PASSPHRASE: '' },
      'VENUE_2_MASTER_PASSPHRASE',
    ],
    ['trading at Bybit without keys', { ...LIVE, PLATFORM_3: 'live' }, 'VENUE_3_MASTER_KEY'],
    ['half a key', { ...LIVE, VENUE_3_MASTER_KEY: 'k3' }, 'VENUE_3_MASTER_SECRET'],
    ['live without keys', { ...LIVE, VENUE_1_MASTER_SECRET: '' }, 'VENUE_1_MASTER_SECRET'],
    ['a simulator that is nowhere', {}, 'SIMULATOR_URL'],
    ['a proxy without a public address', { ...SIMULATOR, TRUST_PROXY: '1' }, 'PUBLIC_URL'],
    ['a log-in service without a client', { ...SIMULATOR, OIDC_ISSUER: OIDC.OIDC_ISSUER }, 'OIDC_CLIENT_ID'],
    ['one without its secret', { ...SIMULATOR, ...OIDC, OIDC_CLIENT_SECRET: '' }, 'OIDC_CLIENT_SECRET'],
    ['only the name of one', { ...SIMULATOR, OIDC_LABEL: 'Example ID' }, 'OIDC_ISSUER'],
    ['one in plain text', { ...SIMULATOR, ...OIDC, OIDC_ISSUER: 'http://id.example.org' }, 'OIDC_ISSUER'],
    [
      'one in plain text on this machine with live money',
      { ...LIVE, ...OIDC, OIDC_ISSUER: 'http://127.0.0.1:9' },
      'OIDC_ISSUER',
    ],
    ['live money behind a proxy without a host for the back office', { ...LIVE, ...PROXIED }, 'ADMIN_URL'],
    [
      'a back office on the host of members',
      { ...SIMULATOR, ...PROXIED, ADMIN_URL: 'https://trade.example.org:8443' },
      'ADMIN_URL',
    ],
    [
      'a host for the back office without a proxy',
      { ...SIMULATOR, ADMIN_URL: 'https://desk.example.org' },
      'ADMIN_URL',
    ],
    ['a public address without a proxy', { ...SIMULATOR, PUBLIC_URL: 'https://x.example' }, 'TRUST_PROXY'],
  ])('%s is refused', (_claim, environment, name) => {
    expect(problems(environment as Record<string, string>).join('\n')).toContain(`${name} is`);
  });

  test.each([
    ['VENUE_1_REST_BASE', 'http://api.example'],
    ['VENUE_2_STREAM_BASE', 'ws://stream.example'],
    ['SMS_GATEWAY_URL', 'http://texts.example'],
    ['AUDIT_SINK_URL', 'http://heads.example'],
    ['LOG_SINK_URL', 'http://lines.example'],
    ['DATABASE_URL', 'postgres://u:p@db.example/hub'],
    ['DATABASE_URL', 'postgres://u:p@localhost/hub?host=db.example'],
    ['DATABASE_URL', 'postgres://u:p@db.example/hub?sslmode=no-verify'],
    ['DATABASE_URL', 'postgres://u:p@db.example/hub?sslmode=require&uselibpqcompat=true'],
    ['DATABASE_URL', 'postgres://u:p@db.example/hub?sslmode=verify-full&sslmode=disable'],
    ['DATABASE_URL', 'postgres://u:p@db.example/hub?sslmode=verify-full&ssl=0'],
  ])('live money is refused over a line that others read: %s=%s', (name, given) => {
    const [found, ...more] = problems({
      ...LIVE,
      SMS_GATEWAY_TOKEN: 't',
      SMS_GATEWAY_URL: 'https://t',
      [name]: given,
    });
    expect(found).toContain(`${name} is`);
    expect(found).toContain('unless it stays on this machine');
    expect(more).toEqual([]);
  });

  test.each([
    ['VENUE_1_REST_BASE', 'https://api.example'],
    ['VENUE_1_REST_BASE', 'http://127.0.0.1:9000'],
    ['VENUE_3_STREAM_BASE', 'wss://stream.example'],
    ['DATABASE_URL', `postgres://u@db.example/hub?sslmode=verify-full&${CERTIFIED}`],
    ['DATABASE_URL', 'postgres://u:p@localhost/hub'],
    ['LOG_SINK_URL', 'stderr'],
    ['LOG_SINK_URL', 'http://127.0.0.1:9/lines'],
  ])('live money goes over TLS or stays on this machine: %s=%s', (name, given) => {
    expect(problems({ ...LIVE, [name]: given })).toEqual([]);
  });

  test('a log-in service is taken to the letter and named by its host; on this machine it may be plain http', () => {
    expect(readConfig(SIMULATOR).logInProvider).toBeUndefined();
    expect(readConfig({ ...SIMULATOR, ...OIDC }).logInProvider).toEqual({
      ...{ issuer: 'https://id.example.org/realm/', clientId: 'crossbook', clientSecret: 'hunter2' },
      label: 'id.example.org',
    });
    const near = { ...OIDC, OIDC_ISSUER: 'http://localhost:9', OIDC_LABEL: 'Example ID' };
    expect(readConfig({ ...SIMULATOR, ...near }).logInProvider?.label).toBe('Example ID');
    const wrong = problems({ ...LIVE, ...OIDC, OIDC_ISSUER: 'http://127.0.0.1:9' }).join();
    expect(wrong).not.toContain('hunter2');
  });

  test('a misspelt name in .env is refused; those of the simulator are not ours to judge', () => {
    expect(problems(SIMULATOR, 'PROT=3001\n')[0]).toContain('PROT in .env');
    expect(problems(SIMULATOR, 'SIM_SEED=7\n')).toEqual([]);
  });

  test('a simulator that is nowhere is missed once, and not where every address is given', () => {
    expect(problems({})).toHaveLength(1);
    const addresses = Object.keys(CONFIG_VARIABLES).filter((name) => /^VENUE_._.*(?:BASE|URL)$/.test(name));
    const given = addresses.map((name) => [name, /REST/.test(name) ? 'http://x' : 'ws://x/'] as const);
    expect(problems(Object.fromEntries(given))).toEqual([]);
  });

  test('addresses of a venue may be set one by one, beside a simulator for the rest', () => {
    const config = readConfig({ ...SIMULATOR, VENUE_2_REST_BASE: 'http://other:1/' });
    expect(config.venues[1]).toMatchObject({
      restBases: { SPOT: 'http://other:1', SWAP: 'http://other:1' },
      streamBases: { SPOT: 'ws://127.0.0.1:9000' },
    });
    expect(config.venues[0]).toMatchObject({ restBases: { SPOT: 'http://127.0.0.1:9000' } });
  });

  test('several mistakes are all named at once', () => {
    expect(problems({ ...SIMULATOR, PORT: 'x', MONEY: 'y' })).toHaveLength(2);
  });

  test.each([
    ['127.0.0.1', true],
    ['127.8.9.1', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['127.0.0.1.evil.example', false],
  ])('%s is loopback: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});

describe('.env.example', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  const documented = new Map(
    [...text.matchAll(/^#([A-Z][A-Z0-9_]*)=(.*)$/gm)].map((match) => [match[1] ?? '', match[2] ?? '']),
  );

  test('documents every variable of the program and no other', () => {
    expect([...documented.keys()].sort()).toEqual(Object.keys(CONFIG_VARIABLES).sort());
  });

  test('shows the defaults that are in force', () => {
    const defaults = configSchema.parse({});
    for (const [name, shown] of documented) {
      expect(`${name}=${shown}`).toBe(`${name}=${defaults[name as keyof typeof defaults] ?? ''}`);
    }
  });
});
