/**
 * Files that are dropped on the window or pasted: they cannot be sent yet, which is answered with a sentence. By itself the
 * browser would open a dropped file in place of the app, as it would a link that is dropped beside a field.
 */
import { tellOnce } from '../../design/toasts.tsx';
import { t } from '../../words.tsx';

/** Listens for the whole life of the page, whatever it shows. */
export function answerGivenFiles(): void {
  window.addEventListener('dragover', steer);
  window.addEventListener('drop', (event) => {
    steer(event);
    if (hasFiles(event)) tellOnce(t('chat.noFiles'));
  });
  window.addEventListener('paste', ({ clipboardData }) => {
    // An office puts a picture of what was copied beside its text.
    const hasText = clipboardData?.getData('text/plain') !== '';
    if (clipboardData && clipboardData.files.length > 0 && !hasText) tellOnce(t('chat.noFiles'));
  });
}

/** Files may be dropped anywhere, so that it can be answered; a text or a link goes into a field and nowhere else. */
function steer(event: DragEvent): void {
  const isForField = event.target instanceof Element && event.target.closest('input, textarea') !== null;
  if (!hasFiles(event) && isForField) return;
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = hasFiles(event) ? 'copy' : 'none';
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
