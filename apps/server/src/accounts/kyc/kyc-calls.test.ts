import { connect, type Socket } from 'node:net';
import type { MemberCaller } from '@crossbook/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import { cleanPictures } from '../../main/images/clean-picture.ts';
import type { RawAnswer, TestBrowser } from '../../main/testing.ts';
import { budgetsStore } from '../../storage/stores/members/budgets-store.ts';
import { accountBudgets } from '../budgets.ts';
import { SecurityWorld, SUCCESS } from '../security-world.fixture.ts';
import { type KycDeps, kycFieldFault, uploadPicture } from './kyc-calls.ts';
import { pictureKind } from './picture-kind.ts';
import { png } from './pictures.fixture.ts';

const MEGABYTE = 1024 * 1024;
const DAY = 86_400_000;
const PICTURE = png(700, 600);
/** Who signs up where some countries are not served says where he lives. */
function newMember(email?: string, fields: Readonly<Record<string, string>> = {}) {
  return world.hub.member(email, { country: 'JP', ...fields });
}

const FORM = {
  fullName: 'Hanako Yamada',
  birthDate: '1990-02-03',
  country: 'JP',
  documentKind: 'id-card',
  documentNumber: 'AB-12 34',
  consent: 'true',
} as const;
const world = openedOnce(() => SecurityWorld.start({ RESTRICTED_COUNTRIES: 'KP,IR' }));
let member: TestBrowser;

beforeEach(async () => {
  member = await newMember();
});

function formOf(
  fields: Readonly<Record<string, string>>,
  file?: Uint8Array<ArrayBuffer>,
  name = 'a.png',
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  if (file !== undefined) form.append('file', new Blob([file]), name);
  return form;
}

function upload(
  kind: string,
  {
    by = member,
    file = PICTURE,
    fields = {},
  }: { by?: TestBrowser; file?: Uint8Array<ArrayBuffer>; fields?: object } = {},
): Promise<RawAnswer> {
  const own = { sosflag: '3', stoken: by.stoken ?? '', kind, ...fields };
  return by.send('/api/usercommon/upload', formOf(own, file));
}

async function uploaded(kind: string, by = member): Promise<string> {
  const { envelope } = await upload(kind, { by });
  expect(envelope.msg).toBe('OK');
  return (envelope.data as { fileId: string }).fileId;
}

async function pictures(by = member): Promise<{ front: string; back: string; face: string }> {
  const front = await uploaded('kyc-front', by);
  return { front, back: await uploaded('kyc-back', by), face: await uploaded('kyc-face', by) };
}

async function state(by = member): Promise<string | undefined> {
  return (await by.call('x/kyc/Status', {})).data?.state;
}

function bytesOf(text: string, length = text.length): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  bytes.set(Buffer.from(text, 'latin1'));
  return bytes;
}

describe('who a member is', () => {
  test('goes from pictures and a form to "done", and is told by mail, status and profile', async () => {
    expect(await member.call('x/kyc/Status', {})).toMatchObject({
      data: { state: 'none', tier: 0, restricted: ['KP', 'IR'], reason: null },
    });
    expect((await member.call('x/kyc/Submit', { ...FORM, ...(await pictures()) })).code).toBe(SUCCESS);
    expect(await state()).toBe('pending');
    const { accounts } = world.hub.hub;
    const by = { id: 'reviewer', email: 'reviewer@example.org', address: '' };
    const queue = await accounts.kyc.list({ state: 'pending', limit: 200 });
    const caseId = queue.find((row) => Number(row.member) === member.tid)?.id ?? '';
    const opened = await accounts.kyc.open(caseId, by, world.hub.now());
    const { consent: _consent, ...stated } = FORM;
    if (!opened.ok) throw new Error(opened.code);
    expect(opened.value.fields).toEqual(stated);
    expect(opened.value.pictures.map(({ kind }) => kind).toSorted()).toEqual(['back', 'face', 'front']);
    await accounts.kyc.decide({ caseId, version: 1, decision: 'approve' }, by, world.hub.now());
    expect(await member.call('x/kyc/Status', {})).toMatchObject({ data: { state: 'done', tier: 1 } });
    expect((await member.call('security/userinfo', {})).data?.kycStatus).toBe('done');
    const { data } = await member.call('security/userinfonew', {});
    expect(data?.kycStatus).toBe('done');
    const email = (await member.call('security/userinfo', {})).data?.email ?? '';
    const subjects = (await world.mails(email)).map(({ subject }) => subject);
    expect(subjects.slice(0, 2)).toEqual([
      'Crossbook: Certification successful',
      'Crossbook: your documents have arrived and are being checked',
    ]);
    expect((await upload('kyc-front')).envelope.code).toBe(2024);
    expect((await member.call('x/kyc/Submit', { ...FORM, ...(await unused()) })).code).toBe(2024);
  });

  test.each([
    ['no front', { front: undefined }, 1001, 'front'],
    ['a front that is no id', { front: '1' }, 1001, 'front'],
    ['no back of a card', { back: undefined }, 1001, 'back'],
    ['a back of a passport', { documentKind: 'passport' }, 1001, 'back'],
    ['an empty name', { fullName: ' ' }, 1001, 'fullName'],
    ['a day that is none', { birthDate: '1990-02-30' }, 1001, 'birthDate'],
    ['a birth tomorrow', { birthDate: '2099-01-01' }, 1001, 'birthDate'],
    ['a document that ends', { documentExpires: '2025-10-10' }, 1001, 'documentExpires'],
    ['a country that is none', { country: 'XX' }, 1001, 'country'],
    ['a restricted country', { country: 'KP' }, 2020, 'country'],
    ['another document', { documentKind: 'library-card' }, 1001, 'documentKind'],
    ['a number with marks', { documentNumber: '<script>' }, 1001, 'documentNumber'],
    ['a number of marks alone', { documentNumber: '-/. -/.' }, 1001, 'documentNumber'],
    ['a number of three digits', { documentNumber: '1-2-3' }, 1001, 'documentNumber'],
    ['no consent', { consent: 'false' }, 1001, 'consent'],
    ['one field too many', { state: 'done' }, 1001, 'state'],
  ])('with %s is refused by its field, and nothing is handed in', async (_name, change, code, field) => {
    const fields: Record<string, string | undefined> = { ...FORM, ...(await unused()), ...change };
    const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const own = { sosflag: '3', stoken: member.stoken ?? '', ...Object.fromEntries(given) };
    const { envelope } = await member.form('/api/x/kyc/Submit', own);
    expect(envelope.code).toBe(code);
    if (code === 1001) expect(envelope.msg).toContain(`"${field}"`);
    expect(await state()).toBe('none');
  });

  test('is not shown with pictures of somebody else, of another side, or of yesterday', async () => {
    const own = await pictures();
    const other = await newMember();
    expect((await other.call('x/kyc/Submit', { ...FORM, ...own })).msg).toContain('"front"');
    expect(await state(other)).toBe('none');
    expect((await member.call('x/kyc/Submit', { ...FORM, ...own, face: own.back })).msg).toContain('"face"');
    world.hub.advance(DAY);
    expect((await member.call('x/kyc/Submit', { ...FORM, ...own })).msg).toContain('"front"');
    world.hub.advance(-DAY);
    expect((await member.call('x/kyc/Submit', { ...FORM, ...own })).code).toBe(SUCCESS);
  });

  test('is asked of nobody whose account is frozen', async () => {
    await world.hub.database.owner.query('update members set frozen_at = 1 where id = $1', [member.tid ?? 0]);
    expect((await upload('kyc-front')).envelope.code).toBe(2019);
    expect((await member.call('x/kyc/Submit', { ...FORM, ...(await unused()) })).code).toBe(2019);
  });

  test('is handed in five times a day at most', async () => {
    const answers: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      answers.push((await member.call('x/kyc/Submit', { ...FORM, ...(await unused()) })).code);
    }
    expect(answers).toEqual([1001, 1001, 1001, 1001, 1001, 1003]);
  });

  test('a restricted country makes no account either, and none is made without naming one', async () => {
    await expect(newMember('kp@example.org', { country: 'KP' })).rejects.toThrow(
      'unavailable in your country',
    );
    await expect(world.hub.member('nowhere@example.org')).rejects.toThrow('"country" is not valid: required');
    const countries = await world.hub.visitor().call('common/country', {});
    const closed = countries.data?.filter(({ restricted }) => restricted).map(({ code }) => code);
    expect(closed?.toSorted()).toEqual(['IR', 'KP']);
  });
});

/** Ids of pictures that were never there. */
async function unused(): Promise<{ front: string; back: string; face: string }> {
  const id = '0193a1b2-0000-7000-8000-000000000000';
  return { front: id, back: id, face: id };
}

test.each([
  ['2007-10-09', true],
  ['2007-10-10', false],
])('born on %s somebody is 18 on 9 October 2025: %s', (birthDate, is18) => {
  const ids = { front: '', back: '', face: '' };
  const fault = kycFieldFault({ ...FORM, ...ids, birthDate }, [], world.hub.now());
  expect(fault === undefined).toBe(is18);
});

describe('an upload', () => {
  test.each([
    ['a PDF named .png', bytesOf('%PDF-1.7\n'), 2022],
    ['a GIF named .png', bytesOf('GIF89a'), 2022],
    ['an SVG named .png', bytesOf('<?xml version="1.0"?><svg xmlns="x"/>'), 2022],
    ['text named .png', bytesOf('hello'), 2023],
    ['an empty file', bytesOf(''), 2023],
    ['a PNG of a few pixels', png(20, 20), 2023],
    ['a PNG with half of it gone', PICTURE.slice(0, 80), 2023],
    ['6 MB', bytesOf('\x89PNG\r\n\x1a\n', 6 * MEGABYTE), 2021],
    ['one byte above 5 MB', bytesOf('\x89PNG\r\n\x1a\n', 5 * MEGABYTE + 1), 2021],
    ['5 MB that are no picture', bytesOf('\x89PNG\r\n\x1a\n', 5 * MEGABYTE), 2023],
  ])('of %s is refused, and nothing of it stays', async (_name, file, code) => {
    expect((await upload('kyc-front', { file })).envelope.code).toBe(code);
    const rows = await world.hub.database.owner.query('select 1 from kyc_pictures where member = $1', [
      member.tid ?? 0,
    ]);
    expect(rows).toHaveLength(0);
  });

  test.each([
    ['no session', async () => upload('kyc-front', { by: world.hub.visitor() }), -2],
    ['no token', async () => upload('kyc-front', { fields: { stoken: '' } }), -2],
    [
      'the token of another',
      async () => upload('kyc-front', { fields: { stoken: (await newMember()).stoken } }),
      -2,
    ],
    ['a foreign page', async () => foreign(), 1008],
    ['no sosflag', async () => upload('kyc-front', { fields: { sosflag: '0' } }), 1009],
    ['another kind', async () => upload('avatar'), 1001],
    ['a field too many', async () => upload('kyc-front', { fields: { x: '1' } }), 1001],
    ['no file', async () => member.send('/api/usercommon/upload', formOf(own())), 1001],
    ['the file as text', async () => member.form('/api/usercommon/upload', { ...own(), file: 'x' }), 1001],
    [
      'a file for a call that takes none',
      async () => member.send('/api/user/layout', formOf(own(), PICTURE)),
      1001,
    ],
  ])('with %s is refused', async (_name, send, code) => {
    expect((await send()).envelope.code).toBe(code);
  });

  function own(): Record<string, string> {
    return { sosflag: '3', stoken: member.stoken ?? '', kind: 'kyc-front' };
  }

  function foreign(): Promise<RawAnswer> {
    const headers = { origin: 'https://evil.example' };
    return member.send('/api/usercommon/upload', formOf(own(), PICTURE), headers);
  }

  test('that never ends holds its own place alone: the same member is busy, another uploads', async () => {
    const { hostname, port } = new URL(world.hub.url);
    const head = [
      'POST /api/usercommon/upload HTTP/1.1',
      `Host: ${hostname}:${port}`,
      `Cookie: sid=${member.cookie ?? ''}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 4000000',
    ];
    const sockets: Socket[] = [];
    let code = SUCCESS;
    try {
      // One has the place once the same member is told to wait; one that came too late for it has none.
      for (let n = 0; n < 25 && code === SUCCESS; n += 1) {
        const socket = connect(Number(port), hostname);
        sockets.push(socket);
        await new Promise((written) => socket.write(`${head.join('\r\n')}\r\n\r\n--x\r\n`, written));
        // Whoever came before these calls has been looked at when they are answered.
        for (let call = 0; call <= n; call += 1) await newMember();
        code = (await upload('kyc-front')).envelope.code;
      }
      expect(code).toBe(1010);
      expect((await upload('kyc-front', { by: await newMember() })).envelope.code).toBe(SUCCESS);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    for (let n = 0; n < 2_000 && code !== SUCCESS; n += 1) code = (await upload('kyc-face')).envelope.code;
    expect(code).toBe(SUCCESS);
  });

  test('is made 30 times a day at most', async () => {
    const answers: number[] = [];
    for (let n = 0; n < 31; n += 1)
      answers.push((await upload('kyc-front', { file: bytesOf('x') })).envelope.code);
    expect(answers.at(29)).toBe(2023);
    expect(answers.at(30)).toBe(1003);
  });

  test.each([
    ['nobody has time to look at', 'busy', { jobsMax: 0 }, 'process.exit(0)'],
    ['nothing here can read', 'unavailable', { jobsMax: 1 }, 'process.exit(4)'],
  ] as const)('that %s is none of the thirty', async (_name, error, { jobsMax }, program) => {
    const deps = {
      kyc: { standing: async () => ({ state: 'none' }) },
      security: { isFrozen: async () => false },
      budgets: accountBudgets(budgetsStore(world.hub.database.database), 1),
      cleanPicture: cleanPictures(
        { jobsMax, waitingMax: 0, jobMillisMax: 60_000 },
        { script: ['-e', program] },
      ),
    } as unknown as KycDeps;
    const caller = { user: member.tid, address: '::1', now: world.hub.now() } as unknown as MemberCaller;
    for (let n = 0; n < 32; n += 1) {
      const answer = await uploadPicture(deps, caller, { kind: 'kyc-front', file: PICTURE });
      expect(answer).toEqual({ ok: false, code: { error } });
    }
    expect((await upload('kyc-front', { file: bytesOf('x') })).envelope.code).toBe(2023);
  });
});

test.each([
  ['JPEG', '\xff\xd8\xff\xe0', true],
  ['PNG', '\x89PNG\r\n\x1a\n', true],
  ['WebP', 'RIFF\0\0\0\0WEBPVP8 ', true],
  ['PDF', '\r\n%PDF-1.4', false],
  ['AVIF', '\0\0\0\x20ftypavif', false],
  ['HEIC', '\0\0\0\x20ftypheic', false],
  ['GIF', 'GIF89a', false],
  ['TIFF', 'II*\0', false],
  ['BMP', 'BM\0\0\x10\0\0\0\0\0', false],
  ['SVG', '\xef\xbb\xbf <!-- a --><svg>', false],
  ['ZIP', 'PK\x03\x04', false],
])('%s is known by its first bytes', (name, head, taken) => {
  expect(pictureKind(bytesOf(head))).toEqual({ name, taken });
});
