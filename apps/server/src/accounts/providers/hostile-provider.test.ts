import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { playedProxy, startTestHub, type TestBrowser, type TestHub } from '../../main/testing.ts';
import { ACCOUNT_BUDGETS } from '../budgets.ts';
import { SUCCESS } from '../security-world.fixture.ts';
import { type Claims, type Misbehaviour, RealProvider, visitAs } from './real-provider.fixture.ts';

const BUSY = 1010;
const FAILED = 2026;
const UNREACHABLE = 2035;
const HOUR_MILLIS = 3_600_000;

let provider: RealProvider;
let hub: TestHub;
beforeAll(async () => {
  provider = await RealProvider.start();
  provider.people.set('ada', { email: 'ada@example.org', email_verified: true });
  hub = await startTestHub({ environment: provider.environment });
  provider.serve(hub.url);
});
afterEach(() => {
  provider.misbehaves = undefined;
  provider.forge = undefined;
  provider.claimsToBe = {};
  provider.tells = {};
});
afterAll(async () => {
  await hub.close();
  await provider.stop();
});

function visitor(): TestBrowser {
  const browser = hub.visitor();
  browser.headers.origin = hub.url;
  return browser;
}

const start = (browser = visitor()) => browser.call('x/oauth/Start', {});

/** To the provider and back, and what the hub says to what was brought. */
async function logIn(meanwhile: () => void = () => {}) {
  const browser = visitor();
  const begun = await start(browser);
  if (begun.data === null) return begun;
  const back = await visitAs(begun.data.url, 'ada');
  meanwhile();
  const [code, state, iss] = ['code', 'state', 'iss'].map((name) => back.get(name) ?? '');
  return browser.call('user/oauthlogin', { code: code ?? '', state: state ?? '', iss: iss ?? '' });
}

/** What was read of the provider is old, and no failure is remembered. */
function forget(): void {
  hub.advance(2 * HOUR_MILLIS);
}

const WELCOME = { code: SUCCESS, data: { next: 'bindPsd', email: 'ada@example.org', emailVerified: true } };

describe('a token', () => {
  test.each<[string, (claims: Claims) => string]>([
    ['without a signature', (claims) => provider.unsigned(claims)],
    ['signed by another key under the name of the right one', (claims) => provider.signedByAnother(claims)],
    ['of another issuer', (claims) => provider.signed({ ...claims, iss: 'https://elsewhere.example.org' })],
    ['for another client', (claims) => provider.signed({ ...claims, aud: 'somebody-else' })],
    [
      'for us and others, given to another',
      (claims) => provider.signed({ ...claims, aud: [claims.aud, 'other'], azp: 'other' }),
    ],
    ['of another visit', (claims) => provider.signed({ ...claims, nonce: 'another' })],
    ['without a nonce', ({ nonce: _, ...claims }) => provider.signed(claims)],
    ['that has expired', (claims) => provider.signed({ ...claims, exp: Number(claims.iat) - 60 })],
    ['that is not valid yet', (claims) => provider.signed({ ...claims, nbf: Number(claims.iat) + 3_600 })],
    ['of nobody', ({ sub: _, ...claims }) => provider.signed(claims)],
    ['of somebody whose name cannot be kept', (claims) => provider.signed({ ...claims, sub: 'a\0b' })],
    ['of somebody with an endless name', (claims) => provider.signed({ ...claims, sub: 'x'.repeat(256) })],
    ['that is none', () => 'none'],
  ])('%s confirms nobody', async (_what, forge) => {
    provider.forge = forge;
    expect((await logIn()).code).toBe(FAILED);
    provider.forge = undefined;
    expect(await logIn()).toMatchObject(WELCOME);
  });

  test.each([
    ['named by another issuer', { iss: 'https://elsewhere.example.org' }],
    ['named by none, where the provider names itself', {}],
  ])('for an answer %s is not asked for', async (_what, named) => {
    const browser = visitor();
    const back = await visitAs((await start(browser)).data?.url ?? '', 'ada');
    const before = provider.asked.length;
    const [code = '', state = ''] = ['code', 'state'].map((name) => back.get(name) ?? '');
    expect((await browser.call('user/oauthlogin', { code, state, ...named })).code).toBe(FAILED);
    expect(provider.asked).toHaveLength(before);
  });

  test('with user info about somebody else confirms nobody', async () => {
    provider.tells = { sub: 'somebody-else', email: 'victim@example.org', email_verified: true };
    expect((await logIn()).code).toBe(FAILED);
  });

  test('that carries the address itself needs no user info', async () => {
    provider.forge = (claims) =>
      provider.signed({ ...claims, email: 'ADA@example.org', email_verified: true });
    const before = provider.asked.length;
    expect(await logIn()).toMatchObject(WELCOME);
    expect(provider.asked.slice(before)).not.toContain('/me');
  });
});

describe('a provider that names itself wrongly', () => {
  test.each([
    ['as another issuer', { issuer: 'https://elsewhere.example.org' }],
    ['with a log-in page that is a script', { authorization_endpoint: 'javascript:alert(1)' }],
    ['with a log-in page that is a file', { authorization_endpoint: 'file:///etc/passwd' }],
    ['without a log-in page', { authorization_endpoint: null }],
  ])('%s is not gone to', async (_what, claims) => {
    // One that knows nothing yet: what is known and was right goes on.
    const fresh = await startTestHub({ environment: provider.environment });
    try {
      provider.claimsToBe = claims;
      expect((await fresh.visitor().call('x/oauth/Start', {})).code).toBe(UNREACHABLE);
    } finally {
      await fresh.close();
    }
  });
});

describe('a provider that gives no usable answer', () => {
  const BAD: readonly Misbehaviour['how'][] = [
    'hangs up',
    'megabytes',
    'error page',
    'no JSON',
    'leads elsewhere',
  ];

  test.each(BAD)(
    '%s when it is discovered: the call says so, and others who ask meanwhile are told at once',
    async (how) => {
      // A configuration that is known goes on; this hub knows none yet.
      const fresh = await startTestHub({ environment: provider.environment });
      try {
        provider.misbehaves = { at: /well-known/, how };
        const answer = await fresh.visitor().call('x/oauth/Start', {});
        expect(answer.code).toBe(UNREACHABLE);
        expect(answer.msg).toContain('Example ID');
        const asked = provider.asked.length;
        expect((await fresh.visitor().call('x/oauth/Start', {})).code).toBe(UNREACHABLE);
        expect(provider.asked).toHaveLength(asked);
        provider.misbehaves = undefined;
        fresh.advance(10_000);
        expect((await fresh.visitor().call('x/oauth/Start', {})).code).toBe(SUCCESS);
      } finally {
        await fresh.close();
      }
    },
  );

  test('that was known before goes on with what was known', async () => {
    expect((await start()).code).toBe(SUCCESS);
    forget();
    provider.misbehaves = { at: /well-known/, how: 'error page' };
    expect((await start()).code).toBe(SUCCESS);
    provider.misbehaves = undefined;
    forget();
  });

  test.each<[Misbehaviour['how'], number]>([
    ['hangs up', UNREACHABLE],
    ['megabytes', UNREACHABLE],
    ['error page', UNREACHABLE],
    ['no JSON', FAILED],
    ['leads elsewhere', FAILED],
  ])('%s for a code: nobody is logged in, and the next visit works', async (how, code) => {
    const answer = await logIn(() => {
      provider.misbehaves = { at: /^\/token/, how };
    });
    expect(answer.code).toBe(code);
    provider.misbehaves = undefined;
    expect(await logIn()).toMatchObject(WELCOME);
  });

  test('hangs: its callers wait for seconds, few of a network at a time, and everybody else goes on', async () => {
    expect((await start()).code).toBe(SUCCESS);
    const browsers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const browser = visitor();
        const { data } = await start(browser);
        return { browser, state: new URL(data?.url ?? '').searchParams.get('state') ?? '' };
      }),
    );
    provider.misbehaves = { at: /^\/token/, how: 'hangs' };
    const waiting = Promise.all(
      browsers.map(({ browser, state }) =>
        browser.call('user/oauthlogin', { code: 'any', state, iss: provider.url }),
      ),
    );
    const member = await hub.member('beside@example.org');
    expect((await member.call('security/userinfo', {})).code).toBe(SUCCESS);
    const codes = (await waiting).map((answer) => answer.code).sort((a, b) => a - b);
    expect(codes).toEqual([BUSY, BUSY, ...Array.from({ length: 8 }, () => UNREACHABLE)]);
    provider.misbehaves = undefined;
    expect(await logIn()).toMatchObject(WELCOME);
  });

  test('leaves no code and no token in our log', async () => {
    let code = '';
    await logIn(() => {
      provider.misbehaves = { at: /^\/token/, how: 'error page' };
    });
    provider.misbehaves = undefined;
    provider.forge = (claims) => {
      code = provider.unsigned(claims);
      return code;
    };
    await logIn();
    const log = JSON.stringify(hub.logged);
    expect(log).toContain('the log-in provider confirmed nobody');
    expect(log).not.toContain(code);
    expect(log).not.toMatch(/code=|id_token|access_token|ada@/);
  });
});

test('a token stays with the server: the browser is given none, and none is kept', async () => {
  let token = '';
  provider.forge = (claims) => {
    token = provider.signed(claims);
    return token;
  };
  const answer = await logIn();
  provider.forge = undefined;
  expect(answer).toMatchObject(WELCOME);
  expect(token).toMatch(/^eyJ/);
  const { owner } = hub.database;
  const tables = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const kept = [JSON.stringify(answer)];
  for (const { name } of tables)
    kept.push(JSON.stringify(await owner.query(`select to_jsonb(t)::text as row from "${name}" t`)));
  expect(kept.filter((text) => text.includes(token.slice(0, 40)) || text.includes(token.slice(-40)))).toEqual(
    [],
  );
});

test('without a provider the calls say so, and pages show no button', async () => {
  const plain = await startTestHub();
  try {
    expect((await plain.visitor().call('x/oauth/Start', {})).code).toBe(2025);
    const brought = { code: 'any', state: 'any' };
    expect((await plain.visitor().call('user/oauthlogin', brought)).code).toBe(2025);
    const boot = await fetch(`${plain.url}/boot.json`);
    expect(await boot.json()).toMatchObject({ logInProvider: '' });
  } finally {
    await plain.close();
  }
});

test('the provider sends the browser to the public origin and nowhere else; one network asks so often and no more', async () => {
  const played = await playedProxy();
  const behind = await startTestHub({ environment: { ...played.environment, ...provider.environment } });
  try {
    const publicUrl = played.environment.PUBLIC_URL ?? '';
    const browser = played.visitor('203.0.113.7');
    Object.assign(browser.headers, {
      origin: publicUrl,
      'x-forwarded-host': 'evil.example.org',
      forwarded: 'host=evil.example.org',
    });
    const { data } = await start(browser);
    const query = new URL(data?.url ?? '').searchParams;
    expect(query.get('redirect_uri')).toBe(`${publicUrl}/oauth`);
    expect(query.get('code_challenge_method')).toBe('S256');
    expect(query.get('state')).toHaveLength(43);
    expect(query.get('nonce')).not.toBe(query.get('state'));
    browser.headers.origin = 'https://evil.example.org';
    expect((await start(browser)).code).toBe(1008);

    const { usesMax } = ACCOUNT_BUDGETS.visitsPerAddress;
    for (let asked = 1; asked < usesMax; asked += 1) await start(played.visitor('203.0.113.7'));
    expect((await start(played.visitor('203.0.113.7'))).code).toBe(1003);
    expect((await start(played.visitor('203.0.113.8'))).code).toBe(SUCCESS);
  } finally {
    await behind.close();
  }
});
