/** Where a code leads: the sign-up page with the code filled in. */
export function referralLink(origin: string, code: string): string {
  return `${origin}/regist?ref=${encodeURIComponent(code)}`;
}

/** The code that an address brought along; nothing where it could not be one. */
export function referralOf(search: Readonly<Record<string, unknown>>): { readonly ref?: string } {
  const ref = String(search.ref ?? '').toUpperCase();
  return /^[A-Z0-9]{4,20}$/.test(ref) ? { ref } : {};
}
