/**
 * The page of an invite link: `https://relay/i#CODE` in a browser. The code is not sent to the relay, so the page is the same for all
 * links. It loads its style and script from the relay, and nothing else.
 */
import { readFileSync } from 'node:fs';
import { packageFolder } from '../docs/package-folder.ts';
import { escapeHtml } from '../docs/placeholders.ts';

export const INVITE_PATHS = { page: '/i', script: '/i.js', style: '/i.css' } as const;

/** Its own script and style, and nothing else. */
export const INVITE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** @param name of the relay */
export function invitePage(name: string, homepage = readHomepage()): string {
  const relay = escapeHtml(name);
  const source =
    homepage === null
      ? 'Ask the person who invited you where to get it.'
      : `Get it at <a href="${escapeHtml(homepage.href)}" rel="noreferrer">${escapeHtml(homepage.host)}</a>.`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Invitation to Waxwing</title>
<link rel="stylesheet" href="${INVITE_PATHS.style}">
<script src="${INVITE_PATHS.script}" defer></script>
</head>
<body>
<main>
<section id="invite" hidden>
<h1>You are invited to Waxwing</h1>
<p>Waxwing sends end-to-end encrypted messages. This invite link is for the server ${relay}.</p>
<p class="actions"><a class="button primary" id="open">Open in Waxwing</a><button class="button" id="copy" type="button">Copy link</button></p>
<p class="soft" id="copied" role="status"></p>
<p id="field" hidden><label for="link">Invite link</label><input id="link" readonly></p>
<h2>Waxwing is not installed?</h2>
<p>Waxwing is a desktop app for macOS, Windows and Linux. ${source} At its first start, choose “I have an invite link” and paste this link.</p>
</section>
<section id="none" hidden>
<h1>This page needs an invite link</h1>
<p>An invite link has a code after <b>#</b>. Ask the person who invited you for the whole link.</p>
</section>
<section id="malformed" hidden>
<h1>This invite link does not work</h1>
<p>It is incomplete, or a character was changed. Copy the whole link, or ask the person who invited you for a new one.</p>
</section>
<noscript>
<h1>You are invited to Waxwing</h1>
<p>This page needs JavaScript to open the app. Without it, copy the address of this page, and paste it in Waxwing as an invite link.</p>
</noscript>
</main>
</body>
</html>
`;
}

/** The app's own page, as named in the package.json; null for none. */
function readHomepage(): URL | null {
  const { homepage } = JSON.parse(readFileSync(new URL('package.json', packageFolder()), 'utf8')) as {
    homepage?: unknown;
  };
  if (typeof homepage !== 'string' || !URL.canParse(homepage)) return null;
  const url = new URL(homepage);
  return url.protocol === 'https:' ? url : null;
}
