/** Whether a key belongs to a text field or a dialog: single keys of the page do nothing then. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    document.querySelector('dialog[open]') !== null ||
    (target instanceof HTMLElement &&
      (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)))
  );
}
