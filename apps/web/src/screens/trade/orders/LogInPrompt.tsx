import { Link } from '@tanstack/react-router';
import { useText } from '../../../i18n/i18n.ts';
import { buttonClass } from '../../../ui/Button.tsx';

/** What a visitor reads in the place of orders and balances. */
export function LogInPrompt() {
  const text = useText();
  return (
    <div className="flex flex-col items-center gap-3 py-8 text-[13px] text-soft">
      {text('trade.orders.visitor')}
      <Link to="/login" className={buttonClass('plain', 'small')}>
        {text('trade.ticket.login')}
      </Link>
    </div>
  );
}
