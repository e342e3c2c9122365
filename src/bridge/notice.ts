/** A notification as the browser host tells it to a page. */
export interface Notice {
  /** Another with this key takes its place. */
  key: string;
  /** The conversation that a press on it opens; null: none. */
  conversationId: string | null;
  title: string;
  body: string;
  isSilent: boolean;
}
