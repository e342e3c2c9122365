import { useRef } from 'react';

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])';

/**
 * For `finalFocus` of a dialog: gives the focus back to the control that had it when the dialog opened. Where the dialog's
 * own outcome took that control away, the nearest one that can have the focus gets it, and not the body of the page.
 *
 * @returns what Base UI asks for: a control, or true for what had the focus before
 */
export function useFocusAfter(open: boolean): () => HTMLElement | true {
  const around = useRef<Element[]>([]);
  const wasOpen = useRef(false);
  if (open && !wasOpen.current) around.current = withAncestors(document.activeElement);
  wasOpen.current = open;
  return () => {
    const [control, ...ancestors] = around.current;
    if (!control || control.isConnected) return true;
    for (const ancestor of ancestors) {
      // All of the page is not near.
      if (ancestor === document.body) break;
      if (!ancestor.isConnected) continue;
      const near = ancestor.querySelector<HTMLElement>(FOCUSABLE);
      if (near) return near;
    }
    return true;
  };
}

function withAncestors(element: Element | null): Element[] {
  const chain: Element[] = [];
  for (let each = element; each; each = each.parentElement) chain.push(each);
  return chain;
}
