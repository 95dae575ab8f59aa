/** Puts the focus into a field of a form by its name, its content selected. */
export function focusField(form: HTMLElement | null, name: string): void {
  const input = form?.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  // Selecting alone gives no focus in every browser.
  input?.focus();
  input?.select();
}

/** Puts the focus into the first field that is wrong; what is wrong with the whole form has none. */
export function focusWrong(form: HTMLElement | null, errors: readonly { readonly field: string }[]): void {
  const first = errors.find(({ field }) => field !== 'form');
  if (first !== undefined) focusField(form, first.field);
}
