import { expect, type Page } from '@playwright/test';
import { test } from './fixtures.ts';
import { PAGES } from './listed-pages.ts';

/** Texts that others wrote, as hostile as they can be, in every field of every answer that a page shows: they stay words. */

const RUN = 'window.stolen=1';

/** Ways to leave the place that a text is put in. */
const OPENINGS = [
  ...[
    '',
    '"',
    "'",
    '`',
    '">',
    "'>",
    '-->',
    '</title>',
    '</textarea>',
    '</script>',
    ']]>',
    '${',
    '{{',
    '\\',
    '&#34;>',
    '\u2028',
    '</style>',
  ],
  ...['"}', "');", '\u0000', '%22%3E', '\ufeff', '**[', '![x](', '<a href="'],
];

/** What would run there. */
const SCRIPTS = [
  `<script>${RUN}</script>`,
  `<img src=x: onerror=${RUN}>`,
  `<svg/onload=${RUN}>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<details open ontoggle=${RUN}>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>">`,
  `<math><mtext><style><img src=x: onerror=${RUN}>`,
  `javascript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `<a href="javascript:${RUN}">x</a>`,
  `[x](javascript:${RUN})`,
  `[x](JaVaScRiPt&colon;${RUN})`,
  `<form action="javascript:${RUN}"><button>x</button></form>`,
  `<object data="javascript:${RUN}">`,
  `<body onload=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<video><source onerror=${RUN}>`,
  `<template><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x: onerror=${RUN}>">`,
  `__proto__`,
];
const PAYLOADS = OPENINGS.flatMap((opening) => SCRIPTS.map((script) => opening + script));

/** Fields that hold what somebody wrote, in answers of the hub. */
const WRITTEN =
  /^(?:nickname|title|summary|body|text|subject|to|name|userAgent|address|invitee|maskedTo|email|mobile|link|reason|note|msg|category|antiPhishing|brand|productName|community|given|fullName|code|kol|self)$/;

function spoiled(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return WRITTEN.test(key) ? `${value} ${PAYLOADS.join(' ')}` : value;
  if (Array.isArray(value)) return value.map((one) => spoiled(one, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spoiled(inner, name)]));
}

/** From now on answers hold the payloads. @returns how many were spoiled. */
async function spoil(page: Page): Promise<() => number> {
  let answers = 0;
  await page.route(/\/(?:api|dev)\//, async (route) => {
    if (route.request().resourceType() === 'document') return route.continue();
    const answer = await route.fetch();
    const body = await answer.text();
    const json: unknown = JSON.parse(body);
    const bad = JSON.stringify(spoiled(json));
    if (bad !== JSON.stringify(json)) answers += 1;
    return route.fulfill({ response: answer, body: bad });
  });
  return () => answers;
}

test('five hundred payloads in every text that an answer brings run on no page, and become no element @full', async ({
  installation,
  memberPage,
  page: visitor,
}) => {
  expect(new Set(PAYLOADS).size).toBe(500);
  const member = await memberPage(await installation.member('10000'));
  const counts = [await spoil(visitor), await spoil(member)];
  let shown = 0;
  for (const { path, member: isMembers } of PAGES.filter(({ publicToo }) => publicToo === undefined)) {
    const page = isMembers === true ? member : visitor;
    await page.goto(installation.url + path);
    await expect(page.getByRole('banner').or(page.getByRole('main')).first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    const found = await page.evaluate(() => ({
      ran: (window as unknown as { stolen?: number }).stolen,
      shown: (document.body.textContent ?? '').includes('window.stolen'),
      elements: [
        ...document.querySelectorAll(
          '[onerror],[onload],[onbegin],[ontoggle],[onfocus],iframe,object,math,details[open] img',
        ),
        ...document.querySelectorAll(
          'a[href^="javascript" i],form[action^="javascript" i],a[href^="data:" i]',
        ),
      ].map((element) => element.outerHTML.slice(0, 200)),
    }));
    expect({ path, ...found, shown: undefined }).toEqual({
      path,
      ran: undefined,
      elements: [],
      shown: undefined,
    });
    if (found.shown) shown += 1;
  }
  // The payloads were there to run.
  expect(counts.map((count) => count() > 10)).toEqual([true, true]);
  expect(shown).toBeGreaterThan(10);
});
