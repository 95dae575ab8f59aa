import { expect, test, vi } from 'vitest';
import type { Toast } from '../../ui/toasts/Toaster.tsx';

type Tone = Toast['tone'];

/**
 * The toasts of this page, as the library that shows them keeps them. It ends one by calling what it was given with it, and takes
 * it off the page 200 ms later, with whatever it was changed to meanwhile.
 */
async function page(narrow = false) {
  const { toast } = await import('sonner');
  const body = { append: () => undefined };
  vi.stubGlobal('document', { body, createElement: () => body });
  for (const later of ['requestAnimationFrame', 'setInterval']) vi.stubGlobal(later, () => 0);
  vi.stubGlobal('matchMedia', () => ({ matches: narrow }));
  const { showToast } = await import('../../ui/toasts/Toaster.tsx');
  const before = new Set(toast.getToasts().map(({ id }) => id));
  const say = (text: string, detail?: string, tone: Tone = 'warning') =>
    showToast({
      tone,
      text,
      key: `order ${before.size}`,
      ...(detail === undefined ? {} : { detail }),
    });
  const toasts = () =>
    toast.getToasts().flatMap((one) => ('title' in one && !before.has(one.id) ? [one] : []));
  const words = () => JSON.stringify(toasts().map(({ title }) => title));
  return { say, toasts, words };
}

test('toasts of one key are one, and nothing of the former is left in it', async () => {
  const { say, toasts, words } = await page();
  say('half filled', 'Buy 0.1 BTC');
  say('all filled');
  expect(toasts()).toHaveLength(1);
  expect(words()).toContain('all filled');
  expect(toasts()[0]?.description).toBeUndefined();
});

test.each(['onAutoClose', 'onDismiss'] as const)(
  'a toast that comes while the former of its key is leaving (%s) is another one, and stays',
  async (ends) => {
    const { say, toasts, words } = await page();
    say('half filled');
    const [former] = toasts();
    if (former !== undefined) former[ends]?.(former);
    say('all filled');
    const others = toasts().filter(({ id }) => id !== former?.id);
    expect(others).toHaveLength(1);
    expect(words()).toContain('all filled');
    say('and paid');
    expect(toasts().filter(({ id }) => id !== former?.id)).toHaveLength(1);
  },
);

test('one that was handed in before the former left, and not yet shown, is shown anew', async () => {
  const { say, toasts } = await page();
  say('half filled');
  const [former] = toasts();
  say('all filled');
  // The library still shows the former: what it ends takes the later one along.
  former?.onAutoClose?.(former);
  const others = toasts().filter(({ id }) => id !== former?.id);
  expect(JSON.stringify(others.map(({ title }) => title))).toContain('all filled');
  expect(others).toHaveLength(1);
});

test.each([
  ['success', true, 'top-center'],
  ['info', true, 'top-center'],
  ['warning', true, 'top-center'],
  ['error', true, 'top-center'],
  ['success', false, 'bottom-right'],
  ['error', false, 'bottom-right'],
] as const)('a toast of %s in a window that is narrow (%s) is at the %s', async (tone, narrow, position) => {
  const { say, toasts } = await page(narrow);
  say('all filled', undefined, tone);
  expect(toasts().map((one) => one.position)).toEqual([position]);
});
