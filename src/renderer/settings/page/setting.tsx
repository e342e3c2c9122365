import { type ReactNode, useEffect, useRef } from 'react';
import { classNames } from '../../design/class-names.ts';
import type { SettingName } from '../entries.ts';

interface SettingProps {
  name: SettingName;
  /**
   * Set if a search or a link opened this setting: it is scrolled to, focused and marked for a moment. A new number each time; null
   * otherwise.
   */
  visit: number | null;
  children: ReactNode;
}

/** The first focus after a search or a link: the current choice, before other controls. */
const CHOSEN = 'input[type=radio]:checked';
const CONTROLS =
  ':is(input, button, select, textarea):not(:disabled):not([aria-hidden=true]), a[href], [role=switch]';

/** The common layout of a setting. */
export function Setting({ name, visit, children }: SettingProps) {
  const element = useRef<HTMLDivElement>(null);
  const isFound = visit !== null;
  useEffect(() => {
    const found = element.current;
    if (visit === null || !found) return;
    found.scrollIntoView({ block: 'nearest' });
    if (found.contains(document.activeElement)) return;
    const control = found.querySelector<HTMLElement>(CHOSEN) ?? found.querySelector<HTMLElement>(CONTROLS);
    (control ?? found).focus({ preventScroll: control === null });
  }, [visit]);
  return (
    <div
      className={classNames(
        '-m-3 flex scroll-m-4 flex-col gap-3 rounded-menu p-3 outline-none transition-colors duration-200',
        isFound && 'bg-highlight forced-colors:outline-2 forced-colors:outline-[Highlight]',
      )}
      data-found={isFound || undefined}
      data-setting={name}
      ref={element}
      tabIndex={-1}
    >
      {children}
    </div>
  );
}
