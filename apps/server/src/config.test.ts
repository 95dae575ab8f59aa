import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { CONFIG_VARIABLES, configSchema } from './config-variables.ts';
import { isLoopback } from './http/own-origin.ts';

const SIMULATOR = { SIMULATOR_URL: 'http://127.0.0.1:9000' };
const LIVE = {
  MONEY: 'live',
  VENUE_1_MODE: 'live',
  VENUE_1_MASTER_KEY: 'k',
  VENUE_1_MASTER_SECRET: 's',
  SMTP_URL: 'smtp://mail.example.org:587',
};

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
          mode: 'simulator',
          restBase: 'http://127.0.0.1:9000',
          streamBase: 'ws://127.0.0.1:9000',
          wsApiUrl: 'ws://127.0.0.1:9000/ws-api/v3',
        },
      ],
    });
  });

  test('live money goes to the real hosts with the keys of the operator, and has no outbox', () => {
    const config = readConfig(LIVE);
    expect(config.outbox).toBe(false);
    expect(config.venues[0]).toMatchObject({
      restBase: 'https://api.binance.com',
      streamBase: 'wss://stream.binance.com:9443',
      wsApiUrl: 'wss://ws-api.binance.com/ws-api/v3',
      master: { key: 'k', secret: 's' },
    });
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
    ['VENUE_1_REST_BASE', 'ftp://x', 'http'],
    ['VENUE_1_STREAM_BASE', 'http://x', 'ws'],
    ['SIMULATOR_URL', 'nonsense', 'simulator'],
    ['MAIL_FROM', 'nobody', 'sender'],
    ['OUTBOX', 'yes', '1 or 0'],
    ['LINK_TERMS', 'javascript:alert(1)', 'http'],
    ['TRUST_PROXY', '9', '0 to 5'],
    ['PUBLIC_URL', 'http://insecure.example', 'https'],
    ['LOG_LEVEL', 'loud', 'silent'],
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
    ['live money with the outbox', { ...LIVE, OUTBOX: '1' }, 'OUTBOX'],
    ['live money on a simulator', { ...LIVE, ...SIMULATOR, VENUE_1_MODE: 'simulator' }, 'VENUE_1_MODE'],
    ['paper money on real hosts', { VENUE_1_MODE: 'live' }, 'VENUE_1_MODE'],
    ['live without keys', { ...LIVE, VENUE_1_MASTER_SECRET: '' }, 'VENUE_1_MASTER_SECRET'],
    ['a simulator that is nowhere', {}, 'SIMULATOR_URL'],
    ['a proxy without a public address', { ...SIMULATOR, TRUST_PROXY: '1' }, 'PUBLIC_URL'],
    ['a public address without a proxy', { ...SIMULATOR, PUBLIC_URL: 'https://x.example' }, 'TRUST_PROXY'],
  ])('%s is refused', (_claim, environment, name) => {
    expect(problems(environment as Record<string, string>).join('\n')).toContain(`${name} is`);
  });

  test('a misspelt name in .env is refused; those of the simulator are not ours to judge', () => {
    expect(problems(SIMULATOR, 'PROT=3001\n')[0]).toContain('PROT in .env');
    expect(problems(SIMULATOR, 'SIM_SEED=7\n')).toEqual([]);
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
