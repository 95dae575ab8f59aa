import type { Page } from '@playwright/test';

/** A language of the interface. */
export type Language = 'en' | 'ja' | 'ko';

/** How a page is looked at. */
export interface Look {
  readonly theme: 'dark' | 'light';
  readonly width: number;
  readonly height: number;
  readonly language: Language;
}

/** From its next page on it is seen like this. */
export async function takeLook(page: Page, { theme, language, width, height }: Look): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate(
    (settings) => {
      for (const [name, value] of Object.entries(settings)) localStorage.setItem(name, value);
    },
    { theme, 'language mode': language },
  );
  // Only the back office gives the right to Korean; here the profile is answered as if it had.
  if (language === 'ko') {
    await page.route('**/api/security/userinfo', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { readonly data: object };
      await route.fulfill({ response, json: { ...answer, data: { ...answer.data, tkropen: true } } });
    });
  }
}
