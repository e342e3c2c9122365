/**
 * The chat that is open in this window, beyond a lock and a reload. What is kept is the number of a row in the encrypted
 * cache, which says nothing to anyone who cannot open that, and by a few letters of the device's random id whose cache
 * it is: after everything was deleted the same number is another chat.
 */
const KEY = 'waxwing-open-chat';

const tagOf = (deviceId: string) => deviceId.slice(0, 6);

/** The chat that was open last in this window, while this device used it; it may be gone. */
export function rememberedChat(deviceId: string): string | null {
  const [tag, id] = sessionStorage.getItem(KEY)?.split(' ') ?? [];
  return tag === tagOf(deviceId) && id ? id : null;
}

/** @param conversationId null where none is open */
export function rememberChat(deviceId: string, conversationId: string | null): void {
  if (conversationId === null) forgetChat();
  else sessionStorage.setItem(KEY, `${tagOf(deviceId)} ${conversationId}`);
}

export function forgetChat(): void {
  sessionStorage.removeItem(KEY);
}
