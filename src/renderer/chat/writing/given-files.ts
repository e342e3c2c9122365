/**
 * Files dropped on the window or pasted: they cannot be sent yet, which is reported. By default the browser would
 * open a dropped file, or a link dropped beside a field, in place of the app.
 */
import { showOnce } from '../../design/toasts.tsx';
import { t } from '../../words.tsx';

/** Listens for the whole life of the page. */
export function answerGivenFiles(): void {
  window.addEventListener('dragover', steer);
  window.addEventListener('drop', (event) => {
    steer(event);
    if (hasFiles(event)) showOnce(t('chat.noFiles'));
  });
  window.addEventListener('paste', ({ clipboardData }) => {
    // Office programs add a picture of the copied text.
    const hasText = clipboardData?.getData('text/plain') !== '';
    if (clipboardData && clipboardData.files.length > 0 && !hasText) showOnce(t('chat.noFiles'));
  });
}

/** Files may be dropped anywhere, for the report; texts and links only into fields. */
function steer(event: DragEvent): void {
  const isForField = event.target instanceof Element && event.target.closest('input, textarea') !== null;
  if (!hasFiles(event) && isForField) return;
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = hasFiles(event) ? 'copy' : 'none';
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
