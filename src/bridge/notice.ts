/** A notification from the browser host to a page. */
export interface Notice {
  /** A new notification with the same key replaces it. */
  key: string;
  /** Distinguishes it from earlier ones with the same key. */
  serial: number;
  /** The conversation opened by a click; null for none. */
  conversationId: string | null;
  title: string;
  body: string;
  isSilent: boolean;
}
