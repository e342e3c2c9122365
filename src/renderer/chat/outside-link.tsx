/** Links in messages: the address is shown and confirmed before it is opened. */
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { Confirmation } from '../design/dialog.tsx';
import { t } from '../words.tsx';
import { type LinkParts, linkParts } from './link-parts.ts';

type AskAboutLink = (href: string, finalFocus?: HTMLElement | null) => void;

const Ask = createContext<AskAboutLink>(() => undefined);

/** Confirms the links inside it. It is outside of the timeline's rows, which are removed during scrolling. */
export function OutsideLinks({ children }: { children: ReactNode }) {
  const [link, setLink] = useState<LinkParts | null>(null);
  // Kept while the dialog fades out, so that its text does not change.
  const [open, setOpen] = useState(false);
  const finalFocus = useRef<HTMLElement>(null);
  const ask = useCallback<AskAboutLink>((href, focused = null) => {
    finalFocus.current = focused;
    setLink(linkParts(href));
    setOpen(true);
  }, []);
  return (
    <Ask value={ask}>
      {children}
      {link && (
        <Confirmation
          action={link.isMail ? t('chat.linkMailAction') : t('chat.linkAction')}
          detail={<Address link={link} />}
          explanation={explanationOf(link)}
          finalFocus={() => finalFocus.current ?? true}
          href={link.before + link.name + link.after}
          onClose={() => setOpen(false)}
          open={open}
          title={link.isMail ? t('chat.linkMailTitle') : t('chat.linkTitle')}
        />
      )}
    </Ask>
  );
}

function explanationOf({ isMail, isDisguisable, namesOthers }: LinkParts): string {
  if (isDisguisable) return isMail ? t('chat.linkMailImitates') : t('chat.linkImitates');
  if (namesOthers) return t('chat.linkMore');
  return isMail ? t('chat.linkMailText') : t('chat.linkText');
}

/** The exact address, with the name that decides on its destination highlighted. */
function Address({ link: { before, name, after } }: { link: LinkParts }) {
  return (
    <section
      aria-label={t('chat.linkAddress')}
      className="mt-1 max-h-48 overflow-y-auto rounded-control border border-line bg-sunken px-3.5 py-2.5 font-mono text-secondary text-ink-soft [overflow-wrap:anywhere]"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that may scroll must be reachable by keyboard
      tabIndex={0}
    >
      {before}
      <strong className="block text-pane text-ink">{name}</strong>
      {after}
    </section>
  );
}

/** Asks about a link; with the element focused afterwards if it is not the one before. */
export function useAskAboutLink(): AskAboutLink {
  return useContext(Ask);
}

/** The address of the link around an element; null for none. */
export function linkOf(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest<HTMLElement>('[data-link]') : null;
  return link?.dataset.link ?? null;
}

/**
 * A link in a message. It always asks first: the browser does not know its address, so that its menu, dragging and
 * the middle button cannot open it without a question.
 */
export function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  const ask = useAskAboutLink();
  return (
    // biome-ignore lint/a11y/useSemanticElements: an anchor would give its address to the browser
    <span
      className="cursor-pointer rounded-xs underline decoration-current/50 underline-offset-2 hover:decoration-current forced-colors:text-[LinkText]"
      data-link={href}
      onAuxClick={(event) => event.button === 1 && ask(href)}
      onClick={() => {
        // A text selection is not a click.
        if (getSelection()?.isCollapsed !== false) ask(href);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        ask(href);
      }}
      onMouseDown={(event) => event.button === 1 && event.preventDefault()}
      role="link"
      tabIndex={0}
    >
      {children}
    </span>
  );
}
