import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig } from '../../stores/app/boot.ts';

/** The help centre: the operator's page in a new tab, or the questions and answers of the home page where there is none. */
export function HelpLink(props: {
  readonly className: string;
  /** Shown instead of the words; the words are its name then. */
  readonly icon?: ReactNode;
}) {
  const t = useText();
  const { help } = bootConfig().links;
  const label = t('nav.help');
  const name = props.icon === undefined ? {} : { 'aria-label': label, title: label };
  const content = props.icon ?? label;
  return help === '' ? (
    <Link
      to="/"
      hash="faq"
      activeOptions={{ exact: true, includeHash: true }}
      className={props.className}
      {...name}
    >
      {content}
    </Link>
  ) : (
    <a href={help} target="_blank" rel="noopener noreferrer" className={props.className} {...name}>
      {content}
    </a>
  );
}
