import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useId, useState } from 'react';
import { longest } from '../../../bridge/longest.ts';
import { isShortcut } from '../../shared/shortcuts.ts';
import { afterFormatting, type Format, formats, formatting } from './format.ts';
import { FormattingBar, FormattingToggle } from './formatting-bar.tsx';
import { put } from './put.ts';
import type { Written } from './written.ts';

/** The stored visibility of the bar, on this computer. */
const SHOWN = 'waxwing.formatting';

interface FormattingProps {
  field: RefObject<HTMLTextAreaElement | null>;
  written: Written;
  /** Called right before the field is changed, with its content afterwards. */
  onFormat: (next: Written) => void;
}

export interface FormattingControls {
  /** Above the field, if visible. */
  bar: ReactNode;
  toggle: ReactNode;
  /** @returns true for a formatting key */
  onKeyDown: (event: KeyboardEvent) => boolean;
}

/** Formats the selection in a field, by a bar and by keys. Undo reverts it. */
export function useFormatting({ field, written, onFormat }: FormattingProps): FormattingControls {
  const id = useId();
  const [isShown, setShown] = useState(() => localStorage.getItem(SHOWN) === 'true');
  const toggle = useCallback(() => {
    localStorage.setItem(SHOWN, String(!isShown));
    setShown(!isShown);
    field.current?.focus();
  }, [field, isShown]);
  const format = (name: Format) => {
    const { current: area } = field;
    if (!area) return;
    const { value: text, selectionStart: from, selectionEnd: to } = area;
    const found = formatting({ text, from, to }, name);
    area.focus();
    if (!found) return;
    const { edits } = found;
    const next = afterFormatting({ text, mentions: written.mentions }, edits);
    // Cut at the end, a mark would stay open.
    if (next.text.length > longest.message) return;
    const [first, last] = [edits[0], edits.at(-1)];
    if (first && last) {
      onFormat(next);
      // In one piece, which is one step for Undo.
      put(area, first.from, last.to, next.text.slice(first.from, next.text.length - (text.length - last.to)));
    }
    area.setSelectionRange(found.from, found.to);
  };
  const onKeyDown = ({ nativeEvent }: KeyboardEvent): boolean => {
    const name = nativeEvent.isComposing ? undefined : formats.find((each) => isShortcut(each, nativeEvent));
    if (!name) return false;
    // The rest of the window has other meanings for some of these keys.
    nativeEvent.preventDefault();
    format(name);
    return true;
  };
  return {
    bar: isShown && <FormattingBar field={field} id={id} onFormat={format} />,
    toggle: <FormattingToggle controls={id} isOpen={isShown} onToggle={toggle} />,
    onKeyDown,
  };
}
