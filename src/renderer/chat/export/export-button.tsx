import { useEffect, useRef, useState } from 'react';
import type { Conversation } from '../../../bridge/shapes/conversation.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogText } from '../../design/dialog.tsx';
import { showFailure, showOnce } from '../../design/toasts.tsx';
import { useOwnAddress } from '../../people/use-own-address.ts';
import { download } from '../../shared/download.ts';
import { t } from '../../words.tsx';
import { archiveName, exportChat } from './export-chat.ts';

/** Exports a chat as a file, after a warning: it is not encrypted. */
export function ExportButton({ conversation }: { conversation: Conversation }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t('export.button')}</Button>
      <Dialog onClose={() => setIsOpen(false)} open={isOpen} title={t('export.title')}>
        <ExportForm conversation={conversation} onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

function ExportForm({ conversation, onDone }: { conversation: Conversation; onDone: () => void }) {
  const own = useOwnAddress();
  const [hasFiles, setHasFiles] = useState(true);
  /** Messages so far; null before the start. */
  const [count, setCount] = useState<number | null>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async () => {
    const ending = new AbortController();
    running.current = ending;
    setCount(0);
    try {
      const { signal } = ending;
      const archive = exportChat({ conversation, own, hasFiles, signal, onProgress: setCount });
      save(await new Response(archive).blob(), archiveName(conversation));
      showOnce(t('export.done'));
      onDone();
    } catch (error) {
      if (!ending.signal.aborted) showFailure(error as Error, t('export.failed'));
    } finally {
      setCount(null);
    }
  };
  return (
    <div className="flex flex-col gap-4 p-5">
      <DialogText className="flex flex-col gap-4">
        <p>{t('export.text')}</p>
        <p className="font-medium">{t('export.warning')}</p>
      </DialogText>
      <label className="flex items-center gap-2.5">
        <input
          checked={hasFiles}
          className="size-4 accent-accent"
          disabled={count !== null}
          onChange={(event) => setHasFiles(event.target.checked)}
          type="checkbox"
        />
        {t('export.files')}
      </label>
      <div className="flex items-center gap-3">
        <p className="min-w-0 flex-1 text-ink-soft" role="status">
          {count !== null && t('export.progress', { count })}
        </p>
        {count !== null && <Button onClick={() => running.current?.abort()}>{t('export.cancel')}</Button>}
        <Button busy={count !== null} onClick={() => void start()} tone="primary">
          {t('export.start')}
        </Button>
      </div>
    </div>
  );
}

function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  download(address, name);
  // The download has the blob by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
