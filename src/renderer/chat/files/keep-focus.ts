/**
 * A reference for a control of a message that can disappear: its focus goes to the message. Otherwise it would go to the page,
 * and the next key would begin at the top of the window.
 */
export function keepFocus(control: HTMLElement | null): () => void {
  return () => {
    if (control === null || control !== document.activeElement) return;
    const article = control.closest<HTMLElement>('article');
    // React handles no events while it changes the page. A focus that was moved meanwhile stays there.
    queueMicrotask(() => {
      if (document.activeElement === document.body) article?.focus();
    });
  };
}
