import { type RefObject, useEffect } from 'react';

/** The focused control, and its place in a list at the time. */
interface Place {
  control: HTMLElement;
  row: Element | null;
  list: Element | null;
  index: number;
}

/** The layers above the page: the control that opened one has the focus again afterwards. */
const LAYERS = '[role=dialog], [role=alertdialog], [role=menu]';
const CONTROLS = 'button:not(:disabled), a[href], input:not(:disabled)';

/**
 * Focuses another control when the focused one is removed, also while its dialog or menu is open; otherwise the body of the page would
 * have the focus. In a list it is a control of the same or the nearest row, else the next one after the list, else the fallback.
 * A control that moves within its list keeps the focus.
 */
export function useFocusKept(
  within: RefObject<HTMLElement | null>,
  fallback: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const container = within.current;
    if (!container) return;
    const surface = container.closest(LAYERS) ?? container.closest('main') ?? document.body;
    let place: Place | null = null;
    const isLayer = (target: Element) => target.closest(LAYERS)?.contains(container) === false;
    const move = () => {
      if (!place) return;
      const { control } = place;
      const next = control.isConnected ? control : (nearestControl(place, container) ?? fallback.current);
      next?.focus();
    };
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      if (container.contains(target)) place = placeOf(target);
      else if (isLayer(target)) return;
      // A closed layer returns the focus to an earlier control of the page if its opener is gone. A dialog around the container takes a
      // lost focus itself.
      else if (target.contains(container) || place?.control.isConnected === false) move();
      // Beside the page the library has elements that get the focus for a moment.
      else if (surface.contains(target)) place = null;
    };
    // A press beside all controls takes the focus away on purpose.
    const leave = ({ target }: PointerEvent) => {
      if (target instanceof Element && !isLayer(target) && !place?.control.contains(target)) place = null;
    };
    const restore = () => {
      // The body, or the dialog around it.
      if (document.activeElement?.contains(container) ?? true) move();
    };
    // No event reports the removal of the focused element.
    const removals = new MutationObserver(restore);
    // Layers are children of the body. They return the focus before the next frame.
    const layers = new MutationObserver(() => requestAnimationFrame(restore));
    document.addEventListener('focusin', note);
    document.addEventListener('pointerdown', leave);
    removals.observe(container, { childList: true, subtree: true });
    layers.observe(document.body, { childList: true });
    return () => {
      document.removeEventListener('focusin', note);
      document.removeEventListener('pointerdown', leave);
      removals.disconnect();
      layers.disconnect();
    };
  }, [within, fallback]);
}

function placeOf(control: HTMLElement): Place {
  const row = control.closest('li');
  const list = row?.parentElement ?? null;
  return { control, row, list, index: row && list ? [...list.children].indexOf(row) : -1 };
}

/** A control of the row, or of the nearest one that has a control, the next before the previous; else the next one after the list. */
function nearestControl({ row, list, index }: Place, container: HTMLElement): HTMLElement | null {
  if (!row || !list || !container.contains(list)) return null;
  const rows = [...list.children];
  const at = row.isConnected ? rows.indexOf(row) : index;
  const distance = (place: number) => (place < at ? 2 * (at - place) : 2 * (place - at) - 1);
  const byDistance = rows
    .map((each, place) => ({ each, distance: distance(place) }))
    .toSorted((one, other) => one.distance - other.distance);
  for (const { each } of byDistance) {
    const control = [...each.querySelectorAll<HTMLElement>(CONTROLS)].find(isShown);
    if (control) return control;
  }
  const isAfter = (control: HTMLElement) =>
    (list.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
    !list.contains(control);
  return (
    [...container.querySelectorAll<HTMLElement>(CONTROLS)].find((each) => isAfter(each) && isShown(each)) ??
    null
  );
}

const isShown = (control: HTMLElement) => control.checkVisibility();
