import { Menu as Base } from '@base-ui/react/menu';
import { ChevronRight, Ellipsis, type LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { focusAtOnce } from './focus-at-once.ts';
import { IconButton } from './icon-button.tsx';
import { usePopupReturn } from './use-popup-return.ts';

/** Classes of a menu's surface. */
export const menuClass =
  'appear max-h-(--available-height) min-w-44 overflow-y-auto rounded-menu border border-line bg-surface p-1 shadow-menu outline-none';

/** Classes of a menu's item. */
export const itemClass =
  'flex cursor-default items-center gap-2.5 rounded-control px-2.5 py-2 outline-none data-highlighted:bg-sunken';

interface MenuProps {
  /** The accessible name of its button. */
  label: string;
  /** {@link MenuItem}s. */
  children: ReactNode;
}

/** The actions for one thing, behind a button with three dots. */
export function Menu({ label, children }: MenuProps) {
  const { open, setOpen, trigger, popup } = usePopupReturn();
  return (
    <Base.Root onOpenChange={setOpen} open={open}>
      <Base.Trigger ref={trigger} render={<IconButton icon={Ellipsis} label={label} />} />
      <Base.Portal>
        <Base.Positioner align="end" className="z-50" sideOffset={4}>
          <Base.Popup className={menuClass} ref={popup}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** The position of a menu: an element, or a point. */
export type MenuAnchor = Element | { getBoundingClientRect: () => DOMRect };

interface MenuAtProps {
  /** The accessible name of the menu. */
  label: string;
  anchor: MenuAnchor;
  /** The element focused afterwards; false if the chosen action moves the focus. */
  finalFocus: () => HTMLElement | null | false;
  onClose: () => void;
  /** {@link MenuItem}s. */
  children: ReactNode;
}

/** An open menu without its own button. Opened by a key, it starts at its first item. */
export function MenuAt({ label, anchor, finalFocus, onClose, children }: MenuAtProps) {
  // Before the menu opens and gets the focus.
  const [isByKey] = useState(
    () => anchor instanceof Element && document.activeElement?.matches(':focus-visible') === true,
  );
  return (
    <Base.Root onOpenChange={(isOpen) => !isOpen && onClose()} open>
      {/* Inside of the landmark, like everything on the page. */}
      <Base.Portal container={document.querySelector('main')}>
        <Base.Positioner align="start" anchor={anchor} className="z-50" sideOffset={4}>
          <Base.Popup aria-label={label} className={menuClass} finalFocus={finalFocus}>
            {children}
            {isByKey && <FirstItemFocus />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Focuses the first item of the menu around it, which is mounted by then. */
function FirstItemFocus() {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    focusAtOnce(place.current?.closest('[role=menu]')?.querySelector<HTMLElement>('[role=menuitem]'));
  }, []);
  return <span hidden ref={place} />;
}

interface MenuItemProps {
  icon: LucideIcon;
  label: string;
  /** True if it deletes something. */
  isDangerous?: boolean;
  onClick: () => void;
}

export function MenuItem({ icon: Icon, label, isDangerous = false, onClick }: MenuItemProps) {
  return (
    <Base.Item className={classNames(itemClass, isDangerous && 'text-danger-ink')} onClick={onClick}>
      <Icon aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.9} />
      {label}
    </Base.Item>
  );
}

interface SubmenuProps {
  icon: LucideIcon;
  label: string;
  /** {@link MenuItem}s. */
  children: ReactNode;
}

/** An item that opens a submenu. */
export function Submenu({ icon: Icon, label, children }: SubmenuProps) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={classNames(itemClass, 'data-popup-open:bg-sunken')}>
        <Icon aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.9} />
        <span className="flex-1">{label}</span>
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
      </Base.SubmenuTrigger>
      <Base.Portal container={document.querySelector('main')}>
        <Base.Positioner className="z-50" sideOffset={4}>
          <Base.Popup className={menuClass}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  );
}
