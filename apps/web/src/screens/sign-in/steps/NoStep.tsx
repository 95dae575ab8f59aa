import { Link } from '@tanstack/react-router';
import { useText } from '../../../i18n/i18n.ts';
import { buttonClass } from '../../../ui/Button.tsx';
import { SignFrame } from '../../fields/SignFrame.tsx';

/** A page of a step without what comes before it: opened by hand, or again after a reload. */
export function NoStep(props: {
  readonly heading: string;
  readonly text: string;
  readonly to: '/login' | '/forgotPassword_A';
}) {
  const t = useText();
  return (
    <SignFrame heading={props.heading} foot={null}>
      <p className="text-soft">{props.text}</p>
      <Link to={props.to} className={buttonClass('primary', 'large')}>
        {t(props.to === '/login' ? 'sign.login' : 'login.forgot')}
      </Link>
    </SignFrame>
  );
}
