import { useId } from 'react';
import { classNames } from '../design/class-names.ts';
import { t } from '../words.tsx';
import type { ListFilter } from './filter.ts';

const filters: readonly { name: ListFilter; label: string }[] = [
  { name: 'all', label: t('chats.filterAll') },
  { name: 'unread', label: t('chats.filterUnread') },
  { name: 'groups', label: t('chats.filterGroups') },
];

interface ListFiltersProps {
  chosen: ListFilter;
  onChoose: (filter: ListFilter) => void;
}

/** The filter buttons of the chat list. */
export function ListFilters({ chosen, onChoose }: ListFiltersProps) {
  const group = useId();
  return (
    <fieldset className="flex flex-wrap gap-1.5 px-3 pb-2 rail:hidden">
      <legend className="sr-only">{t('chats.filters')}</legend>
      {filters.map(({ name, label }) => (
        <label
          className={classNames(
            'relative rounded-full border px-3 py-1 font-semibold text-meta transition-colors duration-75 has-focus-visible:outline-2 has-focus-visible:outline-focus',
            name === chosen
              ? 'border-transparent bg-selection text-ink forced-colors:border-[Highlight] forced-colors:text-[Highlight]'
              : 'border-line-strong text-ink-soft hover:bg-sunken hover:text-ink',
          )}
          key={name}
        >
          <input
            checked={name === chosen}
            className="absolute inset-0 opacity-0"
            name={group}
            onChange={() => onChoose(name)}
            type="radio"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
