import type { CDPSession, Page } from '@playwright/test';

/** Chromium's own authenticator behind a page: a fingerprint reader that always knows its owner. */
export async function virtualAuthenticator(
  page: Page,
): Promise<{ readonly device: CDPSession; readonly id: string }> {
  const device = await page.context().newCDPSession(page);
  await device.send('WebAuthn.enable');
  const { authenticatorId: id } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return { device, id };
}
