import { FilePlus2 } from 'lucide-react';
import { t } from '../../../words.tsx';

/** Covers the window while files are held over it. */
export function DropOverlay({ chat }: { chat: string }) {
  return (
    <div className="pointer-events-none fixed inset-0 z-30 grid place-items-center bg-canvas/85 p-4">
      <div className="grid max-w-md place-items-center gap-3 rounded-dialog border-2 border-accent-ink border-dashed bg-surface p-8 text-center shadow-menu">
        <FilePlus2 aria-hidden="true" className="size-8 text-accent-ink" strokeWidth={1.6} />
        <p className="font-semibold text-pane [overflow-wrap:anywhere]">{t('files.drop', { chat })}</p>
      </div>
    </div>
  );
}
