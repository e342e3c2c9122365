/** Notifications through pages. Only one page shows each, however many tabs are open. */
import type { Notice } from '../bridge/notice.ts';
import type { Outcomes, Screen, Showing } from '../host/notifications/screen.ts';

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
  /** By key. */
  readonly #shown = new Map<string, { page: ConnectedPage; serial: number; gone: () => void }>();
  #serial = 0;

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
      /** The person or the system has removed a notification of the page. */
      gone: (key: string, serial: number) => {
        const shown = this.#shown.get(key);
        if (shown?.page === page && shown.serial === serial) this.#forget(key);
      },
      /** A closed page shows nothing. */
      remove: () => {
        this.#pages.delete(page);
        for (const [key, shown] of [...this.#shown]) if (shown.page === page) this.#forget(key);
      },
    };
  }

  /** Reports whether a conversation is in front of the person on any page. */
  isAttended(conversationId: string): boolean {
    return [...this.#pages.values()].some(({ attended }) => attended === conversationId);
  }

  isThere(): boolean {
    return this.#choose() !== undefined;
  }

  show({ canAnswer: _, ...notice }: Showing, { gone }: Pick<Outcomes, 'gone'>): () => void {
    const { key } = notice;
    const page = this.#choose();
    if (!page) {
      gone();
      return () => undefined;
    }
    const serial = ++this.#serial;
    this.#shown.set(key, { page, serial, gone });
    page.notify({ ...notice, serial });
    return () => {
      if (this.#shown.get(key)?.serial === serial) this.#shown.delete(key);
      for (const each of this.#pages.keys()) each.withdraw(key);
    };
  }

  #forget(key: string): void {
    const shown = this.#shown.get(key);
    this.#shown.delete(key);
    shown?.gone();
  }

  #choose(): ConnectedPage | undefined {
    return [...this.#pages].findLast(([page, { mayNotify }]) => mayNotify && page.isTrusted())?.[0];
  }
}
