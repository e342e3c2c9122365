/** Notifications through pages. Only one page shows each, however many tabs are open. */
import type { Notice } from '../bridge/notice.ts';
import type { Screen, Showing } from '../host/notifications/screen.ts';

/** A page that is connected. */
interface ConnectedPage {
  /** True if it may show message texts. */
  isTrusted: () => boolean;
  notify: (notice: Notice) => void;
  withdraw: (key: string) => void;
}

/** State reported by a page. */
interface PageState {
  mayNotify: boolean;
  /** The conversation in front of the person there. */
  attended: string | null;
}

export class PageScreen implements Screen {
  /** A page alone supports neither fields nor buttons in a notification. */
  readonly canAct = false;
  /** The last used page is last. */
  readonly #pages = new Map<ConnectedPage, PageState>();

  /** Adds a connected page. */
  add(page: ConnectedPage) {
    const state: PageState = { mayNotify: false, attended: null };
    this.#pages.set(page, state);
    return {
      allow: (isAllowed: boolean) => {
        state.mayNotify = isAllowed;
      },
      attend: (conversationId: string | null) => {
        state.attended = conversationId;
        if (conversationId === null || !this.#pages.delete(page)) return;
        this.#pages.set(page, state);
      },
      remove: () => void this.#pages.delete(page),
    };
  }

  /** Reports whether a conversation is in front of the person on any page. */
  isAttended(conversationId: string): boolean {
    return [...this.#pages.values()].some(({ attended }) => attended === conversationId);
  }

  isThere(): boolean {
    return this.#choose() !== undefined;
  }

  show({ canAnswer: _, ...notice }: Showing): () => void {
    this.#choose()?.notify(notice);
    return () => {
      for (const page of this.#pages.keys()) page.withdraw(notice.key);
    };
  }

  #choose(): ConnectedPage | undefined {
    return [...this.#pages].findLast(([page, { mayNotify }]) => mayNotify && page.isTrusted())?.[0];
  }
}
