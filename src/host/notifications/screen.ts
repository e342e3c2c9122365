/** Interface for showing notifications: Electron on the desktop, the page in a browser. */
import type { Phrases } from './decision.ts';

/** One notification. */
export interface Showing extends Phrases {
  /** Replaces an earlier one with this key. */
  key: string;
  /** The conversation to open on a click; null: only the window. */
  conversationId: string | null;
  isSilent: boolean;
  /** True if the person may reply in it, and mark its message as read. */
  canAnswer: boolean;
}

/** Callbacks of one. */
export interface Outcomes {
  click: () => void;
  reply: (text: string) => void;
  markRead: () => void;
  /** Removed, or never shown. */
  gone: () => void;
}

export interface Screen {
  /** True if notifications support replies and buttons. */
  readonly canAct: boolean;
  /** Reports whether one can be shown now. */
  isThere(): boolean;
  /**
   * Shows one.
   * @returns the function that removes it
   */
  show(showing: Showing, outcomes: Outcomes): () => void;
}
