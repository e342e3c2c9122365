/** HTML of an exported chat, as text. Everything that people wrote passes {@link escaped}. */
import { isBlock } from '../base/markdown/markdown.ts';
import { type ShownToken, tokensWithMentions } from '../bridge/mention-tokens.ts';
import type { Message } from '../bridge/shapes/message.ts';
import { authorNameIn } from './author-name.ts';
import { eventText } from './event-text.ts';
import { plainIn, type Words } from './format.ts';
import type { Language } from './languages.ts';
import { localeOf } from './locale.ts';
import { summaryTextIn } from './summaries.ts';

/** The parts of a message that a page shows. */
export interface ExportedMessage
  extends Pick<
    Message,
    'sender' | 'author' | 'kind' | 'fields' | 'event' | 'text' | 'at' | 'state' | 'trust' | 'bot' | 'mentions'
  > {
  files: Pick<Message['files'][number], 'name' | 'type' | 'alt'>[];
  replyTo: Pick<NonNullable<Message['replyTo']>, 'author' | 'bot' | 'summary'> | null;
  reactions: Pick<Message['reactions'][number], 'emoji' | 'count'>[];
  editedAt: number | null;
  forwarded: boolean;
}

/** Messages of one page. */
export const PAGE_MESSAGES = 1_000;

/** Name of a page in the export, by its number from 1. */
export const pageName = (number: number): string =>
  number === 1 ? 'messages.html' : `messages-${number}.html`;

/** Text as HTML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A page opens from a disk: no scripts, nothing from a network. */
const POLICY = "default-src 'none'; img-src 'self' file:; media-src 'self' file:; style-src 'unsafe-inline'";

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem; overflow-wrap: anywhere; }
header, nav { margin-block: 1rem; }
article { margin-block: 0.5rem; padding: 0.5rem 0.875rem; border: 1px solid light-dark(#ddd, #444); border-radius: 0.75rem; }
article.own { margin-inline-start: 3rem; background: light-dark(#eef4ff, #1d2736); }
article:not(.own) { margin-inline-end: 3rem; }
h2, .event { margin: 0.75rem 0; text-align: center; font-size: 0.875rem; font-weight: normal; }
.by, .meta { font-size: 0.8125rem; opacity: 0.75; }
.text { white-space: pre-wrap; }
blockquote { margin: 0.25rem 0; padding-inline-start: 0.625rem; border-inline-start: 3px solid; opacity: 0.85; }
img, video { max-width: 100%; max-height: 30rem; border-radius: 0.5rem; }
code { font-family: ui-monospace, monospace; }
`;

interface Page {
  title: string;
  body: string;
  /** Names of the pages before and after it; null for none. */
  before: string | null;
  after: string | null;
}

/** The language of pages. */
export class Look {
  readonly words: Words;
  /** Tag of the language. */
  readonly language: string;
  readonly locale: string;
  readonly #full: Intl.DateTimeFormat;

  constructor(words: Words, language: Language) {
    this.words = words;
    this.language = language;
    this.locale = localeOf(language);
    this.#full = new Intl.DateTimeFormat(this.locale, { dateStyle: 'full', timeStyle: 'short' });
  }

  /** @param time in milliseconds since 1970 */
  fullTime(time: number): string {
    return this.#full.format(time);
  }

  date(time: number): string {
    const parts = { day: 'numeric', month: 'long', year: 'numeric' } as const;
    return new Intl.DateTimeFormat(this.locale, parts).format(time);
  }
}

export function pageOf(look: Look, { title, body, before, after }: Page): string {
  const { words, language } = look;
  const note = words.text('export.note', { date: look.date(Date.now()) });
  const link = (name: string | null, label: string) =>
    name === null ? '' : `<a href="${escaped(name)}">${escaped(label)}</a> `;
  const links = `<nav>${link(before, words.text('export.earlier'))}${link(after, words.text('export.later'))}</nav>`;
  return `<!doctype html>
<html lang="${escaped(language)}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<header><h1 dir="auto">${escaped(title)}</h1><p>${escaped(note)}</p></header>
${links}
<main>
${body}
</main>
${links}
</html>
`;
}

/**
 * A message or event as HTML.
 * @param own address of the person
 * @param paths of its files in the export; null for one that is not in it
 */
export function messageHtml(
  look: Look,
  message: ExportedMessage,
  own: string | undefined,
  paths: readonly (string | null)[],
): string {
  const { words, locale } = look;
  if (message.event)
    return `<p class="event" dir="auto">${escaped(eventText(words, message.event, own, locale, plainIn(words)))}</p>`;
  const time = `<time datetime="${new Date(message.at).toISOString()}">${escaped(look.fullTime(message.at))}</time>`;
  const name = escaped(authorNameIn(words, message.author, message.bot?.name ?? null));
  return [
    `<article${message.sender === own ? ' class="own"' : ''}>`,
    `<div class="by"><b><bdi>${name}</bdi></b> ${time}${marks(words, message)}</div>`,
    quote(words, message),
    ...message.files.map((file, index) => fileHtml(words, paths[index] ?? null, file)),
    // Not on the article: its first word would be the day of the time.
    `<div class="text" dir="auto">${contentHtml(words, message)}</div>`,
    reactions(message),
    '</article>',
  ].join('\n');
}

function marks(words: Words, { editedAt, forwarded, trust, state }: ExportedMessage): string {
  const all = [
    ...(editedAt === null ? [] : [words.text('message.edited')]),
    ...(forwarded ? [words.text('message.forwarded')] : []),
    ...(trust === 'api' || trust === 'token' ? [words.text('chat.api')] : []),
    ...(trust === 'imported' ? [words.text('chat.imported')] : []),
    ...(state === 'failed' ? [words.text('chat.notSent')] : []),
  ];
  return all.map((mark) => ` · ${escaped(mark)}`).join('');
}

function quote(words: Words, { replyTo }: ExportedMessage): string {
  if (!replyTo?.summary || !replyTo.author) return '';
  const name = escaped(authorNameIn(words, replyTo.author, replyTo.bot));
  const summary = escaped(summaryTextIn(words, replyTo.summary));
  return `<blockquote dir="auto"><b><bdi>${name}</bdi></b> ${summary}</blockquote>`;
}

function contentHtml(words: Words, message: ExportedMessage): string {
  if (message.kind === 'deleted') return `<i>${escaped(words.text('message.deleted'))}</i>`;
  if (message.kind === 'invite') return escaped(summaryTextIn(words, message));
  return tokensWithMentions(message.text, message.mentions).map(tokenHtml).join('');
}

function reactions({ reactions: all }: ExportedMessage): string {
  if (all.length === 0) return '';
  return `<div class="meta">${all.map(({ emoji, count }) => escaped(`${emoji} ${count}`)).join(' · ')}</div>`;
}

function fileHtml(
  words: Words,
  path: string | null,
  { name, type, alt }: ExportedMessage['files'][number],
): string {
  if (path === null) return `<p>${escaped(words.text('export.notHere', { name }))}</p>`;
  const source = escaped(path.split('/').map(encodeURIComponent).join('/'));
  const link = `<a href="${source}">${escaped(name)}</a>`;
  if (type === 'image')
    return `<a href="${source}"><img alt="${escaped(alt ?? name)}" loading="lazy" src="${source}"></a>`;
  if (type === 'video') return `<video controls preload="none" src="${source}"></video><p>${link}</p>`;
  if (type === 'audio' || type === 'voice')
    return `<audio controls preload="none" src="${source}"></audio><p>${link}</p>`;
  return `<p>${link}</p>`;
}

function tokenHtml(token: ShownToken): string {
  const children = () => ('children' in token ? token.children.map(tokenHtml).join('') : '');
  switch (token.kind) {
    case 'text':
      return escaped(token.text);
    case 'mention':
      return `<b>${escaped(token.text)}</b>`;
    case 'code':
      return `<code>${escaped(token.text)}</code>`;
    case 'code-block':
      return `<pre><code>${escaped(token.text)}</code></pre>`;
    case 'link':
      return `<a href="${escaped(token.href)}" rel="noreferrer">${escaped(token.text)}</a>`;
    case 'quote':
      return `<blockquote dir="auto">${children()}</blockquote>`;
    case 'list':
      return token.isNumbered ? `<ol>${children()}</ol>` : `<ul>${children()}</ul>`;
    case 'item': {
      const number = token.number === null ? '' : ` value="${token.number}"`;
      const [texts, blocks] = [
        token.children.filter((each) => !isBlock(each)),
        token.children.filter(isBlock),
      ];
      return `<li${number}>${[...texts, ...blocks].map(tokenHtml).join('')}</li>`;
    }
    case 'bold':
      return `<b>${children()}</b>`;
    case 'italic':
      return `<i>${children()}</i>`;
    case 'strikethrough':
      return `<s>${children()}</s>`;
  }
}
