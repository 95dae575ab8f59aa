import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';

/** One slide. */
export interface Slide {
  readonly id: string;
  readonly content: ReactNode;
}

/**
 * Slides in a row: one at a time below 798 px of width, otherwise three (spec section 9). It never moves by itself: it
 * scrolls by finger, by wheel, by the arrow keys and by its two buttons.
 */
export function Carousel(props: {
  readonly label: string;
  readonly slides: readonly Slide[];
  readonly previous: string;
  readonly next: string;
  /** What stands at the left of the buttons. */
  readonly heading: ReactNode;
}) {
  const row = useRef<HTMLUListElement>(null);
  const [ends, setEnds] = useState({ start: true, end: false });
  useEffect(() => {
    const element = row.current;
    if (element === null) return;
    const look = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      setEnds({ start: scrollLeft <= 1, end: scrollLeft + clientWidth >= scrollWidth - 1 });
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, []);
  const move = (direction: -1 | 1) => {
    const slide = row.current?.firstElementChild;
    if (slide)
      row.current?.scrollBy({ left: direction * slide.getBoundingClientRect().width, behavior: 'smooth' });
  };
  const button =
    'grid size-9 place-items-center rounded-md border border-line text-soft hover:bg-hover hover:text-text disabled:opacity-40 max-md:size-11';
  return (
    <section aria-label={props.label} className="flex flex-col gap-3">
      <div className="flex items-center gap-2">
        <div className="mr-auto">{props.heading}</div>
        <button
          type="button"
          aria-label={props.previous}
          disabled={ends.start}
          onClick={() => move(-1)}
          className={button}
        >
          <ChevronLeft size={16} aria-hidden="true" />
        </button>
        <button
          type="button"
          aria-label={props.next}
          disabled={ends.end}
          onClick={() => move(1)}
          className={button}
        >
          <ChevronRight size={16} aria-hidden="true" />
        </button>
      </div>
      <ul
        ref={row}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={props.label}
        className="-mx-2 flex snap-x snap-mandatory overflow-x-auto [scrollbar-width:none]"
      >
        {props.slides.map((slide) => (
          <li key={slide.id} className="w-1/3 shrink-0 snap-start px-2 max-[798px]:w-full">
            {slide.content}
          </li>
        ))}
      </ul>
    </section>
  );
}
