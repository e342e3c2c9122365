/**
 * Links in messages: what one would open is shown and asked about before it is opened.
 */
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { Confirmation } from '../design/dialog.tsx';
import { t } from '../words.tsx';
import { type LinkParts, linkParts } from './link-parts.ts';

type AskAboutLink = (href: string, finalFocus?: HTMLElement | null) => void;

const Ask = createContext<AskAboutLink>(() => undefined);

/** Asks, for the links inside it. Outside the rows of a timeline, which come and go as it scrolls. */
export function OutsideLinks({ children }: { children: ReactNode }) {
  const [link, setLink] = useState<LinkParts | null>(null);
  // Stays while the question fades out, so that its words do not change on the way.
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

/** The address as it will be opened, to the letter, with the name that decides where it leads set off. */
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

/** Asks about a link; what has the focus afterwards is given where it is not what had it before. */
export function useAskAboutLink(): AskAboutLink {
  return useContext(Ask);
}

/** The address of the link that an element is in; null if it is in none. */
export function linkOf(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest<HTMLElement>('[data-link]') : null;
  return link?.dataset.link ?? null;
}

/**
 * A link of a message. Opened in any way, it asks first: the browser knows no address of it, which its menu, dragging and
 * the middle button would open without a question.
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
        // Who selects words is not asked.
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
