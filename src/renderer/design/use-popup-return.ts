import { useRef, useState } from 'react';
import { useEarlyReturn } from './use-early-return.ts';

/** State of a menu or popover that returns the focus to its button when it begins to close, like a dialog. */
export function usePopupReturn() {
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  useEarlyReturn(open, popup, () => trigger.current);
  return { open, setOpen, trigger, popup };
}
