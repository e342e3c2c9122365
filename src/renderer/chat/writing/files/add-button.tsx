import { Plus } from 'lucide-react';
import { useCallback, useRef } from 'react';
import { IconButton } from '../../../design/icon-button.tsx';
import { t } from '../../../words.tsx';

interface AddButtonProps {
  isDisabled: boolean;
  onAdd: (files: readonly File[]) => void;
}

/** Opens the system's picker for several files. */
export function AddButton({ isDisabled, onAdd }: AddButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = useCallback(() => input.current?.click(), []);
  return (
    <>
      <IconButton disabled={isDisabled} icon={Plus} label={t('files.add')} onClick={choose} />
      <input
        aria-hidden="true"
        hidden
        multiple
        onChange={({ target }) => {
          onAdd([...(target.files ?? [])]);
          // The same file can be chosen again.
          target.value = '';
        }}
        ref={input}
        tabIndex={-1}
        type="file"
      />
    </>
  );
}
