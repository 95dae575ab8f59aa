import { text } from '../../i18n/i18n.ts';
import { type CaptchaProgress, solveCaptcha } from './captcha.ts';
import { call, problemOf } from './own-service.ts';
import { beginSession } from './session.ts';

/** Makes a demo member and logs in, or goes on with the one of this browser. @returns what went wrong, in words. */
export async function startDemo(onProgress: CaptchaProgress): Promise<string | undefined> {
  const captcha = await solveCaptcha(onProgress, new AbortController().signal);
  if (captcha === undefined) return text('sign.captchaFailed');
  const answer = await call('x/demo/Start', { captcha });
  if (answer.ok) beginSession(answer.data);
  return problemOf(answer);
}
