import { createContext, Fragment, type ReactNode, useContext } from 'react';
import { type Block, readMarkdown, type Span } from '../../calculators/markdown.ts';
import { useText } from '../../i18n/i18n.ts';

// Within words a link differs by more than its colour.
const LINK = 'text-link underline hover:no-underline';

/** How a link to a page of the hub's own is made. */
export type OwnLink = (props: {
  readonly to: string;
  readonly className: string;
  readonly children: ReactNode;
}) => ReactNode;

/** Without a router: the browser's own link, in a tab of its own so that nothing being written is lost. */
function PlainLink({ to, className, children }: Parameters<OwnLink>[0]) {
  return (
    <a href={to} target="_blank" rel="noopener noreferrer" className={className}>
      {children}
    </a>
  );
}

const OwnLinks = createContext<OwnLink>(PlainLink);

function Words({ spans }: { readonly spans: readonly Span[] }) {
  const t = useText();
  const Own = useContext(OwnLinks);
  return spans.map((span, place) => {
    const key = `${place}-${span.text}`;
    if (span.kind === 'text') return <Fragment key={key}>{span.text}</Fragment>;
    if (span.kind === 'strong') {
      return (
        <strong key={key} className="font-medium text-text">
          {span.text}
        </strong>
      );
    }
    return span.href.startsWith('/') ? (
      <Own key={key} to={span.href} className={LINK}>
        {span.text}
      </Own>
    ) : (
      <a key={key} href={span.href} target="_blank" rel="noopener noreferrer" className={LINK}>
        {span.text}
        <span className="sr-only"> ({t('footer.newTab')})</span>
      </a>
    );
  });
}

function Part({ block, below }: { readonly block: Block; readonly below: number }) {
  if (block.kind === 'paragraph')
    return (
      <p>
        <Words spans={block.spans} />
      </p>
    );
  if (block.kind === 'heading') {
    const Heading = `h${Math.min(6, block.level + below)}` as 'h2';
    return (
      <Heading className="mt-3 text-base font-medium text-text">
        <Words spans={block.spans} />
      </Heading>
    );
  }
  const List = block.ordered ? 'ol' : 'ul';
  const items = block.items.map((spans, place) => ({ key: `${place}-${spans[0]?.text}`, spans }));
  return (
    <List className={`flex flex-col gap-1 pl-5 ${block.ordered ? 'list-decimal' : 'list-disc'}`}>
      {items.map(({ key, spans }) => (
        <li key={key}>
          <Words spans={spans} />
        </li>
      ))}
    </List>
  );
}

/** A text of the hub. @param below how many levels its headings stand below those of a page. */
export function Markdown(props: {
  readonly text: string;
  readonly below?: number;
  /** The router's link, where the page has one. */
  readonly ownLink?: OwnLink;
}) {
  const { text, below = 0, ownLink = PlainLink } = props;
  const blocks = readMarkdown(text).map((block, place) => ({ block, key: `${place}-${block.kind}` }));
  return (
    <OwnLinks value={ownLink}>
      <div className="flex flex-col gap-3 text-[15px] leading-6 text-pretty break-words text-soft">
        {blocks.map(({ block, key }) => (
          <Part key={key} block={block} below={below} />
        ))}
      </div>
    </OwnLinks>
  );
}
