/**
 * For `initialFocus` of what opens above the rest: gives the focus before the next key can be pressed. Base UI does so a frame
 * later, and until then a key goes to what is behind.
 *
 * @param target what has the focus at first
 * @returns what Base UI asks for: false, as the focus is where it belongs; true where there is no target, and it chooses
 */
export function focusAtOnce(target: HTMLElement | null | undefined): boolean {
  // It may not have its place yet.
  target?.focus({ preventScroll: true });
  return !target;
}
