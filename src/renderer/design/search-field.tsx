import { Search, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { longest } from '../../bridge/longest.ts';
import { t } from '../words.tsx';
import { directionOf } from './text-direction.ts';
import { fieldFrame } from './text-field.tsx';

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  /** The arrow down moves the focus to the results. */
  onEnterList: () => void;
  /** Enter opens the first result. */
  onOpenFirst: () => void;
  onLeave?: () => void;
  /** Escape in the empty field, if the container does not close. */
  onEscape?: () => void;
  /** The field that the shortcut for search focuses. */
  isMain?: boolean;
}

/** Filters a list during typing. Escape clears it; in an empty field it closes the container. */
export function SearchField(props: SearchFieldProps) {
  const { value, onChange, onEnterList, onOpenFirst, onLeave, onEscape } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    // During input composition, keys belong to the input method.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && value !== '') {
      // The next Escape closes its container.
      event.stopPropagation();
      onChange('');
    } else if (event.key === 'Escape') onEscape?.();
    if (event.key === 'Enter') {
      // The opened element may take the focus, and must not receive the same key.
      event.preventDefault();
      if (value.trim() !== '') onOpenFirst();
    }
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      onEnterList();
    }
  };
  return (
    <div className={`${fieldFrame} border-transparent bg-sunken`}>
      <Search aria-hidden="true" className="ms-3 size-4 shrink-0 text-ink-soft" />
      <input
        aria-label={props.label}
        data-search={props.isMain}
        className="h-9 w-full min-w-0 bg-transparent px-2.5 outline-none [&::-webkit-search-cancel-button]:hidden"
        dir={directionOf(value)}
        maxLength={longest.search}
        onBlur={onLeave}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        placeholder={props.placeholder}
        spellCheck={false}
        type="search"
        value={value}
      />
      {value && (
        <button
          aria-label={t('common.searchClear')}
          className="me-1 grid size-7 place-items-center rounded-control text-ink-soft hover:bg-line"
          onClick={() => onChange('')}
          type="button"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  );
}
