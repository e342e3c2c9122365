import {
  Bold,
  CaseSensitive,
  Code,
  Italic,
  Link,
  List,
  type LucideIcon,
  Strikethrough,
  TextQuote,
} from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useReducer } from 'react';
import { classNames } from '../../design/class-names.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { useToolbar } from '../../design/use-toolbar.ts';
import { shortcuts } from '../../shared/shortcuts.ts';
import { useKeys } from '../../shared/use-keys.ts';
import { t } from '../../words.tsx';
import { type Format, formats, isFormatted } from './format.ts';

const icons: Readonly<Record<Format, LucideIcon>> = {
  bold: Bold,
  italic: Italic,
  strike: Strikethrough,
  code: Code,
  link: Link,
  quote: TextQuote,
  list: List,
};
/** Keeps the focus, and with it the selection, in the field. */
const keepFocus = (event: { preventDefault: () => void }) => event.preventDefault();

interface FormattingBarProps {
  id: string;
  field: RefObject<HTMLTextAreaElement | null>;
  onFormat: (format: Format) => void;
}

/** Formatting of the selection: one Tab stop, with arrow keys between the buttons. Escape returns to the field. */
export function FormattingBar({ id, field, onFormat }: FormattingBarProps) {
  const keys = useKeys();
  const toolbar = useToolbar(formats.length);
  const [, lookAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    document.addEventListener('selectionchange', lookAgain);
    return () => document.removeEventListener('selectionchange', lookAgain);
  }, []);
  const { value: text = '', selectionStart: from = 0, selectionEnd: to = 0 } = field.current ?? {};
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== 'Escape') return toolbar.onKeyDown(event);
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    field.current?.focus();
    event.preventDefault();
  };
  return (
    <div
      aria-label={t('chat.formatting')}
      className="flex flex-wrap gap-0.5 px-2 pt-1.5"
      id={id}
      onKeyDown={onKeyDown}
      role="toolbar"
    >
      {formats.map((format, place) => {
        const isOn = isFormatted({ text, from, to }, format);
        return (
          <IconButton
            aria-pressed={isOn}
            size="medium"
            className={classNames('rounded-full', isOn && 'bg-selection text-accent-ink')}
            icon={icons[format]}
            key={format}
            keys={keys(format)}
            label={shortcuts[format].does}
            onClick={() => onFormat(format)}
            onMouseDown={keepFocus}
            {...toolbar.item(place)}
          />
        );
      })}
    </div>
  );
}

interface FormattingToggleProps {
  /** Id of the bar. */
  controls: string;
  isOpen: boolean;
  onToggle: () => void;
}

export function FormattingToggle({ controls, isOpen, onToggle }: FormattingToggleProps) {
  return (
    <IconButton
      aria-controls={isOpen ? controls : undefined}
      aria-expanded={isOpen}
      className={classNames('rounded-full', isOpen && 'bg-selection text-accent-ink')}
      icon={CaseSensitive}
      label={t(isOpen ? 'chat.formattingHide' : 'chat.formattingShow')}
      onClick={onToggle}
      onMouseDown={keepFocus}
    />
  );
}
