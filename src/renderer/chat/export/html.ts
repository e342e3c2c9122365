/** HTML of an exported chat, as text. Everything that people wrote passes {@link escaped}. */
import { isBlock, type Token } from '../../../bridge/markdown/markdown.ts';
import type { Message } from '../../../bridge/shapes/message.ts';
import { authorName } from '../../people/author-name.ts';
import { eventText } from '../../shared/event-text.ts';
import { fullTime } from '../../shared/time.ts';
import { plain, summaryText, t } from '../../words.tsx';
import { tokensWithMentions } from '../mention-tokens.ts';

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
  lang: string;
  /** Shown below the title. */
  note: string;
  body: string;
  /** Names of the pages before and after it; null for none. */
  before: string | null;
  after: string | null;
}

export function pageOf({ title, lang, note, body, before, after }: Page): string {
  const link = (name: string | null, label: string) =>
    name === null ? '' : `<a href="${escaped(name)}">${escaped(label)}</a> `;
  const links = `<nav>${link(before, t('export.earlier'))}${link(after, t('export.later'))}</nav>`;
  return `<!doctype html>
<html lang="${escaped(lang)}">
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
 * @param paths of its files in the archive; null for one that is not in it
 */
export function messageHtml(
  message: Message,
  own: string | undefined,
  paths: readonly (string | null)[],
): string {
  if (message.event)
    return `<p class="event" dir="auto">${escaped(eventText(message.event, own, plain))}</p>`;
  const time = `<time datetime="${new Date(message.at).toISOString()}">${escaped(fullTime(message.at))}</time>`;
  const name = escaped(authorName(message.author, message.bot?.name ?? null));
  return [
    `<article${message.sender === own ? ' class="own"' : ''} dir="auto">`,
    `<div class="by"><b><bdi>${name}</bdi></b> ${time}${marks(message)}</div>`,
    quote(message),
    ...message.files.map(({ name: file, type, alt }, index) =>
      fileHtml(paths[index] ?? null, file, type, alt),
    ),
    `<div class="text">${contentHtml(message)}</div>`,
    reactions(message),
    '</article>',
  ].join('\n');
}

function marks({ editedAt, forwarded, trust, state }: Message): string {
  const all = [
    ...(editedAt === null ? [] : [t('message.edited')]),
    ...(forwarded ? [t('message.forwarded')] : []),
    ...(trust === 'api' || trust === 'token' ? [t('chat.api')] : []),
    ...(trust === 'imported' ? [t('chat.imported')] : []),
    ...(state === 'failed' ? [t('chat.notSent')] : []),
  ];
  return all.map((mark) => ` · ${escaped(mark)}`).join('');
}

function quote({ replyTo }: Message): string {
  if (!replyTo?.summary || !replyTo.author) return '';
  const name = escaped(authorName(replyTo.author, replyTo.bot));
  return `<blockquote dir="auto"><b><bdi>${name}</bdi></b> ${escaped(summaryText(replyTo.summary))}</blockquote>`;
}

function contentHtml(message: Message): string {
  if (message.kind === 'deleted') return `<i>${escaped(t('message.deleted'))}</i>`;
  if (message.kind === 'invite') return escaped(summaryText(message));
  return tokensWithMentions(message.text, message.mentions).map(tokenHtml).join('');
}

function reactions({ reactions: all }: Message): string {
  if (all.length === 0) return '';
  return `<div class="meta">${all.map(({ emoji, count }) => escaped(`${emoji} ${count}`)).join(' · ')}</div>`;
}

function fileHtml(path: string | null, name: string, type: string, alt: string | null): string {
  if (path === null) return `<p>${escaped(t('export.notHere', { name }))}</p>`;
  const source = escaped(path.split('/').map(encodeURIComponent).join('/'));
  const link = `<a href="${source}">${escaped(name)}</a>`;
  if (type === 'image')
    return `<a href="${source}"><img alt="${escaped(alt ?? name)}" loading="lazy" src="${source}"></a>`;
  if (type === 'video') return `<video controls preload="none" src="${source}"></video><p>${link}</p>`;
  if (type === 'audio' || type === 'voice')
    return `<audio controls preload="none" src="${source}"></audio><p>${link}</p>`;
  return `<p>${link}</p>`;
}

function tokenHtml(token: Token): string {
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
