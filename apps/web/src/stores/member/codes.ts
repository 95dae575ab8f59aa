import type { CallInput } from '@crossbook/contract';
import { text } from '../../i18n/i18n.ts';
import { call, problemOf } from './own-service.ts';

/** Has a code sent to an address given before login. @returns what went wrong, in words. */
export async function sendCode(
  to: Omit<CallInput<'sms/sms'>, 'captcha'>,
  captcha: string | undefined,
): Promise<string | undefined> {
  if (captcha === undefined) return text('sign.captchaFailed');
  return problemOf(await call('sms/sms', { ...to, captcha }));
}
