import type { Text } from '../../i18n/i18n.ts';

/** Two admins as the hub's tables name them. */
const TWO = /^admins (\d+) and (\d+)$/;

/** Who did something, in words: one by his name, two by their numbers. */
export function byText(t: Text, by: string): string {
  const [, maker, checker] = TWO.exec(by) ?? [];
  return maker === undefined || checker === undefined ? by : t('admin.byTwo', { maker, checker });
}
