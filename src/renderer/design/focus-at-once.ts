/**
 * For the `initialFocus` of a dialog or menu: focuses before the next key can be pressed. Base UI does so a frame
 * later, and a key in between would reach the page behind.
 * @param target the element focused first
 * @returns the value for Base UI: false if the focus is set; true without a target, and then it chooses
 */
export function focusAtOnce(target: HTMLElement | null | undefined): boolean {
  // The target may not have its position yet, so do not scroll to it.
  target?.focus({ preventScroll: true });
  return !target;
}
