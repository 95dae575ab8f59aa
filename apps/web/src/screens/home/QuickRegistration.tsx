import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { keepQuickRegistration, readQuickRegistration } from '../../stores/member/quick-registration.ts';
import { Button } from '../../ui/Button.tsx';

/** Takes an e-mail or phone text, keeps it in the browser, and goes to /regist (spec section 2). */
export function QuickRegistration() {
  const t = useText();
  const navigate = useNavigate();
  const [contact, setContact] = useState(readQuickRegistration);
  return (
    <form
      className="flex flex-col gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        keepQuickRegistration(contact.trim());
        void navigate({ to: '/regist' });
      }}
    >
      <div className="flex max-w-md gap-2">
        <label className="min-w-0 flex-1">
          <span className="sr-only">{t('home.contact')}</span>
          <input
            value={contact}
            maxLength={254}
            autoComplete="email"
            placeholder={t('home.contact')}
            onChange={(event) => setContact(event.target.value)}
            className="h-11 w-full rounded-md border border-line-strong bg-field px-3 text-sm placeholder:text-faint"
          />
        </label>
        <Button type="submit" tone="primary" size="large">
          {t('home.register')}
        </Button>
      </div>
      <p className="text-xs text-faint">{t('home.registerHint')}</p>
    </form>
  );
}
