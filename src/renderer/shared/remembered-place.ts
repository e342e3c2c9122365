/**
 * The open chat of this window, kept over locking and reloading. Stored is the number of a row in the encrypted
 * cache, which reveals nothing without the cache, and a few letters of the random id of its device: after everything
 * was deleted the same number is another chat.
 */
const KEY = 'waxwing-open-chat';

const tagOf = (deviceId: string) => deviceId.slice(0, 6);

/** The last open chat in this window with this device; it may be deleted. */
export function rememberedChat(deviceId: string): string | null {
  const [tag, id] = sessionStorage.getItem(KEY)?.split(' ') ?? [];
  return tag === tagOf(deviceId) && id ? id : null;
}

/** @param conversationId null for none */
export function rememberChat(deviceId: string, conversationId: string | null): void {
  if (conversationId === null) forgetChat();
  else sessionStorage.setItem(KEY, `${tagOf(deviceId)} ${conversationId}`);
}

export function forgetChat(): void {
  sessionStorage.removeItem(KEY);
}
