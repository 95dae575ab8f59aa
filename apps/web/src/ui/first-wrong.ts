/** What a field is marked by, whatever it is made of. */
const WRONG = '[aria-invalid="true"]';

/**
 * After each try of any form on a page its first wrong field gets the focus: first as the form is read, not as its fields were
 * made, and also where the answer of the server is what says so. Who types meanwhile is left where he is.
 * @returns ends it.
 */
export function focusFirstWrong(page: Document): () => void {
  let leave = (): void => undefined;
  const follow = ({ target: form }: Event): void => {
    leave();
    if (!(form instanceof HTMLFormElement)) return;
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waitNoMore = (): void => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
    const show = (): void => {
      const wrong = form.querySelector<HTMLElement>(WRONG);
      if (wrong === null) return;
      leave();
      wrong.focus();
    };
    // The form's own way goes by the order in which the fields were made, and by a timer that was set before they were drawn.
    const showSoon = (): void => {
      waitNoMore();
      frame = requestAnimationFrame(() => {
        timer = setTimeout(show);
      });
    };
    const marks = new MutationObserver(showSoon);
    marks.observe(form, { subtree: true, childList: true, attributeFilter: ['aria-invalid'] });
    // What was wrong before and still is changes no mark.
    showSoon();
    leave = () => {
      marks.disconnect();
      waitNoMore();
    };
  };
  const typed = (): void => leave();
  page.addEventListener('submit', follow);
  page.addEventListener('input', typed);
  return () => {
    leave();
    page.removeEventListener('submit', follow);
    page.removeEventListener('input', typed);
  };
}
