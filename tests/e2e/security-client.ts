import type { Millis } from '@crossbook/domain';
import { png } from '../../apps/server/src/accounts/kyc/pictures.fixture.ts';
import { codeShown } from '../authenticator-app.ts';
import { HubClient } from './hub-client.ts';
import type { Installation } from './installation.ts';

/** A mail as the outbox shows it. */
export interface ShownMail {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
}

/** Mails and text messages to a contact, newest first. */
export async function mailsTo(installation: Installation, to: string): Promise<readonly ShownMail[]> {
  const answer = await fetch(`${installation.url}/dev/outbox.json?to=${encodeURIComponent(to)}`);
  return (await answer.json()) as readonly ShownMail[];
}

/** The newest code that was sent to a contact. */
export async function codeTo(installation: Installation, to: string): Promise<string> {
  const [newest] = await mailsTo(installation, to);
  return /\b([0-9]{4})\b/.exec(newest?.body ?? '')?.[1] ?? '';
}

/** What an authenticator app shows `steps` half-minutes from now; the hub takes one step around its own time. */
export function shownBy(secret: string, steps = 0): string {
  return codeShown(secret, Date.now() as Millis, steps);
}

async function grantOf(client: HubClient, password: string): Promise<string> {
  const { grant, token } = await client.must<{ readonly grant: string; readonly token: string }>(
    'x/account/StepUp',
    { purpose: 'credentials', password },
  );
  client.token = token;
  return grant;
}

/** Turns an authenticator on over the own service; the code of the step before now is used up by it. */
export async function bindAuthenticator(
  client: HubClient,
  password: string,
): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
  const grant = await grantOf(client, password);
  const begun = await client.must<{ readonly secret: string; readonly setupId: string }>(
    'security/usergooglesecret',
    { grant },
  );
  const bound = await client.must<{ readonly token: string; readonly recoveryCodes: readonly string[] }>(
    'security/bindgoogle',
    { setupId: begun.setupId, totp: shownBy(begun.secret, -1) },
  );
  client.token = bound.token;
  return { secret: begun.secret, codes: bound.recoveryCodes };
}

/** Binds a mobile number over the own service. */
export async function bindMobile(
  installation: Installation,
  client: HubClient,
  { password, mobile }: { readonly password: string; readonly mobile: string },
): Promise<void> {
  const asked = { purpose: 'bind', channel: 'mobile', target: mobile };
  await client.must('usersms/usersms', asked);
  const code = await codeTo(installation, mobile);
  const { flow } = await client.must<{ readonly flow: string }>('user/checkcode', {
    ...{ target: mobile, purpose: 'bind', code },
  });
  const grant = await grantOf(client, password);
  const { token } = await client.must<{ readonly token: string }>('security/bindphone', {
    ...{ mobile, flow, grant },
  });
  client.token = token;
}

/** Four digits that are not these. */
export function otherThan(right: string): string {
  return right === '0000' ? '1111' : '0000';
}

/** Hands papers in over the own service. */
export async function handInPapers({ url, cookie, token }: HubClient): Promise<void> {
  const upload = async (kind: string): Promise<string> => {
    const body = new FormData();
    for (const [field, value] of Object.entries({ sosflag: '3', stoken: token, kind }))
      body.append(field, value);
    body.append('file', new Blob([Buffer.from(png(700, 600))]), 'a.png');
    const headers = { cookie: `sid=${cookie}` };
    const answer = await fetch(`${url}/api/usercommon/upload`, { method: 'POST', headers, body });
    return ((await answer.json()) as { readonly data: { readonly fileId: string } }).data.fileId;
  };
  const pictures = { front: await upload('kyc-front'), face: await upload('kyc-face') };
  const client = Object.assign(new HubClient(url), { cookie, token });
  await client.must('x/kyc/Submit', {
    ...{ fullName: 'Hanako Yamada', birthDate: '1990-02-03', documentNumber: 'AB-1234' },
    ...{ country: 'JP', documentKind: 'passport', consent: 'true', ...pictures },
  });
}
