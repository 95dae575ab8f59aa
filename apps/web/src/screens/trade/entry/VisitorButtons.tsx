import { Link } from '@tanstack/react-router';
import { useText } from '../../../i18n/i18n.ts';
import { bootConfig, isPaper } from '../../../stores/app/boot.ts';
import { buttonClass } from '../../../ui/Button.tsx';

/** In the place of the button that sends: how to become somebody who may. */
export function VisitorButtons() {
  const text = useText();
  return (
    <div className="flex flex-col gap-2">
      <Link to="/login" className={buttonClass('primary', 'medium')}>
        {text('trade.ticket.login')}
      </Link>
      <Link to="/regist" className={buttonClass('plain', 'medium')}>
        {text('trade.ticket.register')}
      </Link>
      <p className="text-xs text-faint">
        {text(isPaper(bootConfig()) ? 'trade.ticket.visitor' : 'trade.ticket.visitorLive')}
      </p>
    </div>
  );
}
