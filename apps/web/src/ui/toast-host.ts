/**
 * Where toasts are shown: in the newest dialog that is open, as the page below it is inert, neither in front nor heard by a reader of
 * screens; else at the end of the page.
 */
export const toastHost = document.createElement('div');
document.body.append(toastHost);

const open: HTMLElement[] = [document.body];

function move(): void {
  open.at(-1)?.append(toastHost);
}

/** Shows the toasts in a dialog. @returns what puts them back below it. */
export function showToastsIn(dialog: HTMLElement): () => void {
  open.push(dialog);
  move();
  return () => {
    open.splice(open.indexOf(dialog), 1);
    move();
  };
}
