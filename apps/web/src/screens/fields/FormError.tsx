import { useEffect, useId, useRef } from 'react';
import { roleBeside } from '../../stores/member/own-service.ts';

/** What is wrong with a form as a whole: in sight, and what its button is described by. */
export function FormError({ message }: { readonly message: string | undefined }) {
  return message === undefined ? null : <Said key={message} message={message} />;
}

function Said({ message }: { readonly message: string }) {
  const id = useId();
  const words = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const button = words.current?.closest('form')?.querySelector('[type=submit]');
    words.current?.scrollIntoView({ block: 'nearest' });
    button?.setAttribute('aria-describedby', id);
    return () => button?.removeAttribute('aria-describedby');
  }, [id]);
  return (
    <p ref={words} id={id} role={roleBeside('alert', message)} data-fault className="text-[13px] text-danger">
      {message}
    </p>
  );
}
