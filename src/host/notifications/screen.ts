/**
 * How a host puts notifications in front of the person: the desktop by Electron, a browser by its page.
 */
import type { Phrases } from './decision.ts';

/** One notification. */
export interface Showing extends Phrases {
  /** Another with this key takes its place. */
  key: string;
  /** The conversation that a press on it opens; null: only the window. */
  conversationId: string | null;
  isSilent: boolean;
  /** Whether the person may answer in it, and mark its message as read. */
  canAnswer: boolean;
}

/** What comes of one. */
export interface Outcomes {
  click: () => void;
  reply: (text: string) => void;
  markRead: () => void;
  /** It is not there any more, or never was. */
  gone: () => void;
}

export interface Screen {
  /** Whether a notification can take answers and buttons. */
  readonly canAct: boolean;
  /** Whether it can show one now. */
  isThere(): boolean;
  /** Shows one; what it returns takes it away. */
  show(showing: Showing, outcomes: Outcomes): () => void;
}
