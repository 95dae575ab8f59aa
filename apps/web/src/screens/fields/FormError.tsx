/** What is wrong with a form as a whole. */
export function FormError({ message }: { readonly message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <p role="alert" className="text-[13px] text-danger">
      {message}
    </p>
  );
}
