import { Tooltip as Base } from '@base-ui/react/tooltip';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';

interface TooltipProps {
  text: ReactNode;
  /** The control with the tooltip. It needs its own accessible name. */
  children: ReactElement;
  side?: 'top' | 'bottom' | 'left' | 'right';
}

/**
 * A short explanation on hover and on keyboard focus. Escape closes only the one that the pointer opened (WCAG 1.4.13). One
 * that appeared by focus alone leaves the key to the panel or dialog around it: the person did not open it.
 */
export function Tooltip({ text, children, side = 'top' }: TooltipProps) {
  const [opened, setOpened] = useState<'by focus' | 'by pointer' | null>(null);
  const actions = useRef<Base.Root.Actions | null>(null);
  const isByPointer = opened === 'by pointer';
  useEffect(() => {
    if (!isByPointer) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      actions.current?.close();
    };
    // Before the listeners of the parts around it, some of which are at the document, too.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [isByPointer]);
  return (
    <Base.Root
      actionsRef={actions}
      onOpenChange={(open, details) => {
        if (details.reason === 'escape-key') {
          // Canceled for the library only, which would prevent the key's other effects.
          details.cancel();
          details.allowPropagation();
        }
        setOpened(open ? (details.reason === 'trigger-focus' ? 'by focus' : 'by pointer') : null);
      }}
      open={opened !== null}
    >
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner className="z-50" side={side} sideOffset={6}>
          {/* Screen readers get the name of the control instead. */}
          <Base.Popup
            aria-hidden="true"
            className="appear max-w-64 rounded-control bg-ink px-2.5 py-1.5 text-surface text-meta shadow-menu"
          >
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
