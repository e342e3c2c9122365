import { Mic } from 'lucide-react';
import type { Ref } from 'react';
import { Tooltip } from '../../../design/tooltip.tsx';
import { t } from '../../../words.tsx';

/** In the place of _Send_ while there is nothing to send. */
export function RecordButton({ onRecord, ref }: { onRecord: () => void; ref: Ref<HTMLButtonElement> }) {
  return (
    <Tooltip text={t('files.record')}>
      <button
        aria-label={t('files.record')}
        className="grid size-8 shrink-0 place-items-center rounded-full text-ink-soft transition-colors hover:bg-sunken hover:text-ink"
        onClick={onRecord}
        ref={ref}
        type="button"
      >
        <Mic aria-hidden="true" className="size-[1.15rem]" strokeWidth={1.9} />
      </button>
    </Tooltip>
  );
}
