import { type RefObject, useLayoutEffect } from 'react';

/**
 * Adjusts a field's height to its text, up to the `max-height` of its class: also after another width or text size
 * wraps the lines differently.
 */
export function useFittingHeight(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => fitText(field.current), [field, text]);
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    const observer = new ResizeObserver(() => fitText(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [field]);
}

function fitText(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight}px`;
}
