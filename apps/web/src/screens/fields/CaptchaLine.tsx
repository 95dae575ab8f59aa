import { useText } from '../../i18n/i18n.ts';
import type { Captcha } from './use-captcha.ts';

/** How far the human check is. */
export function CaptchaLine({ captcha }: { readonly captcha: Captcha }) {
  const t = useText();
  const done = captcha.percent >= 100;
  return (
    <div className="flex items-center gap-3 text-xs text-faint">
      <progress
        max={100}
        value={captcha.percent}
        aria-label={t('sign.captcha', { percent: captcha.percent })}
        className="h-1 w-24 overflow-hidden rounded-full [&::-webkit-progress-bar]:bg-line-strong [&::-webkit-progress-value]:bg-up"
      />
      {captcha.failed
        ? t('sign.captchaFailed')
        : done
          ? t('sign.captchaDone')
          : t('sign.captcha', { percent: captcha.percent })}
    </div>
  );
}
