import { Search, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { t } from '../words.tsx';
import { fieldFrame } from './text-field.tsx';

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  /** The arrow down leads into what was found. */
  onEnterList: () => void;
  /** Enter opens the first that was found. */
  onOpenFirst: () => void;
  onLeave?: () => void;
}

/** Filters a list as it is typed. Escape empties it. */
export function SearchField(props: SearchFieldProps) {
  const { value, onChange, onEnterList, onOpenFirst, onLeave } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a word, its keys belong to it.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && value !== '') {
      // What it stands in closes by the next one.
      event.stopPropagation();
      onChange('');
    }
    if (event.key === 'Enter') {
      // What this opens may take the focus, and is not to be pressed by the same key.
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
        className="h-9 w-full min-w-0 bg-transparent px-2.5 outline-none [&::-webkit-search-cancel-button]:hidden"
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
