import { callBridge } from '../bridge.ts';
import { t } from '../words.tsx';

/**
 * Copies a text. The desktop app does it in its main process, which removes a secret from the clipboard after a
 * minute; a page in a browser cannot check the clipboard later.
 * @returns the message for the person
 */
export async function copyText(text: string, isSecret: boolean): Promise<string> {
  const { kind } = await callBridge('host.info', {});
  if (kind === 'browser') {
    await navigator.clipboard.writeText(text);
    return isSecret ? t('app.copiedSecretInBrowser') : t('app.copied');
  }
  await callBridge('clipboard.copy', { text, isSecret });
  return isSecret ? t('app.copiedSecret') : t('app.copied');
}
