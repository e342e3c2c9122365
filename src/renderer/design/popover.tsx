import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';

interface PopoverProps {
  title: string;
  text: ReactNode;
  /** The button that opens it. It needs its own accessible name. */
  children: ReactElement;
}

/** A short explanation on a click: by pointer, touch and keyboard. */
export function Popover({ title, text, children }: PopoverProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner className="z-50" side="top" sideOffset={6}>
          <Base.Popup className="appear max-w-64 rounded-control bg-ink px-2.5 py-1.5 text-surface text-meta shadow-menu outline-none">
            <Base.Title className="font-semibold">{title}</Base.Title>
            <Base.Description className="mt-0.5">{text}</Base.Description>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
