/** Puts the focus into a field of a form by its name, its content selected. */
export function focusField(form: HTMLElement | null, name: string): void {
  form?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.select();
}
