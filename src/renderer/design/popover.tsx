import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { usePopupReturn } from './use-popup-return.ts';

interface PopoverProps {
  title: string;
  text: ReactNode;
  /** The button that opens it. It needs its own accessible name. */
  children: ReactElement;
}

/** A short explanation on a click: by pointer, touch and keyboard. */
export function Popover({ title, text, children }: PopoverProps) {
  const { open, setOpen, trigger, popup } = usePopupReturn();
  return (
    <Base.Root onOpenChange={setOpen} open={open}>
      <Base.Trigger ref={trigger} render={children} />
      <Base.Portal>
        <Base.Positioner className="z-50" side="top" sideOffset={6}>
          <Base.Popup
            className="appear max-w-64 rounded-control bg-ink px-2.5 py-1.5 text-surface text-meta shadow-menu outline-none"
            ref={popup}
          >
            <Base.Title className="font-semibold">{title}</Base.Title>
            <Base.Description className="mt-0.5">{text}</Base.Description>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
