import { createElement, isValidElement, type ReactElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** An element with whatever props it has. */
export type Drawn = ReactElement<Readonly<Record<string, unknown>>>;

/** All elements that a component draws itself, in order, those that it hands on as a prop among them. */
export function elementsOf(node: unknown): readonly Drawn[] {
  if (Array.isArray(node)) return node.flatMap(elementsOf);
  if (!isValidElement(node)) return [];
  const drawn = node as Drawn;
  return [drawn, ...Object.values(drawn.props).flatMap(elementsOf)];
}

/** Stands where the component would. */
function Stage({ draw }: { readonly draw: () => ReactNode }): ReactNode {
  return draw();
}

/**
 * What a component draws: its own elements, and the page that they make.
 * @param context.press called with the first drawing; what it changes is drawn before this returns.
 */
export function drawnBy<Props>(
  component: (props: Props) => ReactNode,
  props: Props,
  context: {
    readonly within?: (child: ReactElement) => ReactElement;
    readonly press?: (drawn: readonly Drawn[]) => void;
  } = {},
): { readonly drawn: readonly Drawn[]; readonly html: string } {
  const { within = (child) => child, press } = context;
  let drawn: readonly Drawn[] | undefined;
  const draw = (): ReactNode => {
    const node = component(props);
    const first = drawn === undefined;
    drawn = elementsOf(node);
    if (first) press?.(drawn);
    return node;
  };
  const html = renderToStaticMarkup(within(createElement(Stage, { draw })));
  return { drawn: drawn ?? [], html };
}
