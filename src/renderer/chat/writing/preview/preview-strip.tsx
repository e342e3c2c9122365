import { X } from 'lucide-react';
import type { PreviewToSend } from '../../../../bridge/shapes/link-preview.ts';
import { IconButton } from '../../../design/icon-button.tsx';
import { t } from '../../../words.tsx';
import { PreviewCard } from '../../preview/preview-card.tsx';

interface PreviewStripProps {
  preview: PreviewToSend | null;
  onRemove: () => void;
}

/** The preview that will be sent with the text. */
export function PreviewStrip({ preview, onRemove }: PreviewStripProps) {
  return (
    <div aria-live="polite">
      {preview && (
        <section
          aria-label={t('chat.preview')}
          className="mb-1.5 flex items-start gap-1 rounded-menu border border-line bg-raised p-2"
        >
          <PreviewCard card={{ ...preview, host: new URL(preview.url).host }} />
          <IconButton icon={X} label={t('chat.previewRemove')} onClick={onRemove} size="medium" />
        </section>
      )}
    </div>
  );
}
