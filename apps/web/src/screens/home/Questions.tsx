import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { type MessageId, useText } from '../../i18n/i18n.ts';
import { bootConfig, closedLabel } from '../../stores/app/boot.ts';

/** The questions and which answer is true of this hub. */
function questions(
  money: 'paper' | 'live',
  simulated: boolean,
): readonly (readonly [MessageId, MessageId])[] {
  return [
    ['faq.simulated', simulated ? 'faq.simulated.paper' : 'faq.simulated.live'],
    ['faq.money', money === 'paper' ? 'faq.money.paper' : 'faq.money.live'],
    ['faq.fees', 'faq.fees.answer'],
    ['faq.exchanges', 'faq.exchanges.answer'],
    ['faq.keys', simulated ? 'faq.keys.paper' : 'faq.keys.live'],
    ['faq.unknown', 'faq.unknown.answer'],
  ];
}

/** Frequently asked questions, and where to ask others. The in-product help: `/#faq`. */
export function Questions() {
  const t = useText();
  const { money, platforms, links } = bootConfig();
  const simulated = platforms.some(({ mode }) => mode === 'simulator');
  const names = platforms
    .map((row) => (row.state === 'live' ? row.name : `${row.name} (${t(closedLabel(row))})`))
    .join(', ');
  return (
    <section id="faq" aria-labelledby="faq-heading" className="flex scroll-mt-16 flex-col gap-3">
      <h2 id="faq-heading" className="text-lg font-medium">
        {t('faq.heading')}
      </h2>
      <div className="divide-y divide-line rounded-md border border-line bg-panel">
        {questions(money, simulated).map(([question, answer]) => (
          <details key={question} className="group">
            <summary className="flex min-h-11 list-none items-center justify-between gap-4 px-4 py-2 text-[14px] hover:bg-hover">
              {t(question)}
              <ChevronDown
                size={16}
                aria-hidden="true"
                className="shrink-0 text-faint group-open:rotate-180"
              />
            </summary>
            <p className="max-w-3xl px-4 pt-1 pb-4 text-[13px] leading-5 text-pretty text-soft">
              {t(answer, { names })}
            </p>
          </details>
        ))}
      </div>
      <p className="text-[13px] text-soft">
        {t('faq.more')}{' '}
        {links.support === '' ? (
          <Link to="/support" className="text-link underline hover:no-underline">
            {t('faq.support')}
          </Link>
        ) : (
          <a
            href={links.support}
            target="_blank"
            rel="noopener noreferrer"
            className="text-link underline hover:no-underline"
          >
            {t('faq.support')}
            <span className="sr-only"> ({t('footer.newTab')})</span>
          </a>
        )}
      </p>
    </section>
  );
}
