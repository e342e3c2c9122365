import { useEffect, useRef, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { isUnexpected, showFailure, showOnce } from '../../design/toasts.tsx';
import { isChanged, Unreadable } from '../../shared/unreadable.ts';
import { t } from '../../words.tsx';
import { importFile } from './import-file.ts';

/** Imports an exported chat. */
export function ImportChat() {
  /** Lines so far; null while nothing is imported. */
  const [lines, setLines] = useState<number | null>(null);
  /** The reason of the last failure, as a sentence. It stays until the next choice: it names the line to look at. */
  const [problem, setProblem] = useState<string | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (file: File) => {
    const ending = new AbortController();
    running.current = ending;
    setLines(0);
    setProblem(null);
    try {
      const { added, withoutChat } = await importFile(file, ending.signal, setLines);
      showOnce(
        withoutChat > 0
          ? t('export.importedPartly', { count: added, left: withoutChat })
          : t('export.imported', { count: added }),
      );
    } catch (error) {
      if (ending.signal.aborted || !(error instanceof Error)) return;
      if (isUnexpected(error)) showFailure(error, t('export.importFailed'));
      else setProblem(error instanceof Unreadable ? await unreadableText(file) : error.message);
    } finally {
      setLines(null);
    }
  };
  return (
    <div className="flex flex-col items-start gap-3">
      <h4 className="font-semibold">{t('export.importTitle')}</h4>
      <p className="text-ink-soft text-meta">{t('export.importText')}</p>
      <div className="flex flex-wrap items-center gap-3">
        <Button busy={lines !== null} onClick={() => picker.current?.click()} size="small">
          {t('export.importChoose')}
        </Button>
        {lines !== null && (
          <Button onClick={() => running.current?.abort()} size="small" tone="quiet">
            {t('export.cancel')}
          </Button>
        )}
        <p className="text-ink-soft" role="status">
          {lines !== null && t('export.importing', { lines })}
        </p>
      </div>
      {problem !== null && (
        <p className="text-danger-ink" role="alert">
          {problem}
        </p>
      )}
      <input
        accept=".zip,.jsonl"
        aria-label={t('export.importTitle')}
        className="hidden"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file can be chosen again.
          target.value = '';
          if (file) void start(file);
        }}
        ref={picker}
        type="file"
      />
    </div>
  );
}

async function unreadableText(file: File): Promise<string> {
  return t((await isChanged(file)) ? 'export.importChanged' : 'export.importUnreadable');
}
