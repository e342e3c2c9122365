import { Tooltip as Base } from '@base-ui/react/tooltip';
import { type ReactElement, type ReactNode, useRef, useState } from 'react';

interface TooltipProps {
  text: ReactNode;
  /** The control with the tooltip. It needs its own accessible name. */
  children: ReactElement;
  side?: 'top' | 'bottom' | 'left' | 'right';
}

/**
 * A short explanation on hover and on keyboard focus. Escape closes it. One that appeared by focus alone leaves the key to the panel or
 * dialog around it as well: the person did not open it.
 */
export function Tooltip({ text, children, side = 'top' }: TooltipProps) {
  const [isOpen, setIsOpen] = useState(false);
  const isByFocus = useRef(false);
  return (
    <Base.Root
      onOpenChange={(open, details) => {
        if (open) isByFocus.current = details.reason === 'trigger-focus';
        else if (details.reason === 'escape-key' && isByFocus.current) {
          // Canceled for the library only, which would prevent the key's other effects.
          details.cancel();
          details.allowPropagation();
        }
        setIsOpen(open);
      }}
      open={isOpen}
    >
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner className="z-50" side={side} sideOffset={6}>
          <Base.Popup className="appear max-w-64 rounded-control bg-ink px-2.5 py-1.5 text-surface text-meta shadow-menu">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
