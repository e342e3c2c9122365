/** Servers by their URL. */

/** Reports whether a server runs on this computer: others cannot reach it at this address. */
export function isOnThisComputer(relayUrl: string): boolean {
  return URL.canParse(relayUrl) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(relayUrl).hostname);
}
