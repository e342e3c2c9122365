import { type RefObject, useLayoutEffect } from 'react';

/** The browser does it by style, which needs no layout of the page for each key. */
const isByStyle = CSS.supports('field-sizing', 'content');

/**
 * Adjusts a field's height to its text, up to the `max-height` of its class: also after another width or text size
 * wraps the lines differently. Only where the browser does not know the field's class `field-sizing-content`.
 */
export function useFittingHeight(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => fitText(field.current), [field, text]);
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || isByStyle) return;
    const observer = new ResizeObserver(() => fitText(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [field]);
}

function fitText(field: HTMLTextAreaElement | null): void {
  if (!field || isByStyle) return;
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight}px`;
}
