import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { FormProvider, useForm } from 'react-hook-form';
import { expect, test } from 'vitest';
import { NewPassword, type NewPasswordForm } from './NewPassword.tsx';

function Form() {
  const form = useForm<NewPasswordForm>({ defaultValues: { password: '', again: '' } });
  const provided = { ...form, children: createElement(NewPassword, { label: 'Password' }) };
  return createElement(FormProvider<NewPasswordForm>, provided);
}

test('passwords are typed hidden, can be shown, and are filled in by managers', () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  const html = renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, createElement(Form)));
  const inputs = html.match(/<input[^>]*>/g) ?? [];
  expect(inputs).toHaveLength(2);
  for (const input of inputs) {
    expect(input).toContain('type="password"');
    expect(input.toLowerCase()).toContain('autocomplete="new-password"');
    expect(input.toLowerCase()).toContain('maxlength="128"');
    expect(input).not.toMatch(/readonly|disabled/i);
  }
  expect(html.match(/aria-label="[^"]*showPassword[^"]*"/g)).toHaveLength(2);
});
