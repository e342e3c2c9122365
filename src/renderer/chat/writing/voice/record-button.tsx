import { Mic } from 'lucide-react';
import type { Ref } from 'react';
import { t } from '../../../words.tsx';
import { RoundButton } from '../round-button.tsx';

/** In the place of _Send_ while there is nothing to send. */
export function RecordButton({ onRecord, ref }: { onRecord: () => void; ref: Ref<HTMLButtonElement> }) {
  return <RoundButton icon={Mic} label={t('files.record')} onClick={onRecord} ref={ref} />;
}
