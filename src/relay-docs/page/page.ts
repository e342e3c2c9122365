/** The whole page, in one self-contained file, with placeholders for the name and URL of a relay. */
import { hash } from 'node:crypto';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import { PLACEHOLDERS } from '../../relay/docs/placeholders.ts';
import { AREAS } from '../areas.ts';
import type { ExampleSet } from '../examples/index.ts';
import type { OpenApiDocument } from '../openapi.ts';
import { breakable } from './endpoint.ts';
import { encodings, limits, receiving } from './guides.ts';
import { Html, html } from './html.ts';
import { authentication, introduction, quickStart } from './introduction.ts';
import { areaId, endpoints, errors, objects } from './reference.ts';
import { SCRIPT } from './script.ts';
import { sealing } from './sealing.ts';
import { STYLE } from './style.ts';
import { protocol, signedTexts } from './texts.ts';

/**
 * The page’s content security policy: its own style and script by their hashes, and nothing else. Both have no
 * placeholder: a replaced one would change the hash.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  `script-src 'sha256-${hash('sha256', SCRIPT, 'base64')}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export function makePage(
  examples: ExampleSet,
  document: OpenApiDocument,
  textPaths: readonly string[],
): string {
  const { world, calls } = examples;
  const reference = { document, examples: calls };
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${PLACEHOLDERS.name}: API</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<details class="menu"><summary>Contents</summary>${contents('Contents')}</details>
<div class="layout">
<div class="side">${contents('On this page')}</div>
<main id="main">
${introduction()}
${quickStart()}
${authentication()}
${sealing(world)}
${receiving(world)}
${encodings()}
${signedTexts(examples)}
${protocol(textPaths)}
${endpoints(reference)}
${objects(reference)}
${errors()}
${limits()}
</main>
</div>
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`.text;
}

interface Entry {
  id: string;
  title: string;
  /** True for a subsection of the section before. */
  isPart?: boolean;
}

const GUIDES: readonly Entry[] = [
  { id: 'introduction', title: 'Introduction' },
  { id: 'quick-start', title: 'Quick start' },
  { id: 'with-curl', title: 'With curl and a program', isPart: true },
  { id: 'the-program', title: 'The program', isPart: true },
  { id: 'into-a-group', title: 'To a group', isPart: true },
  { id: 'with-the-command-line', title: 'With the command line', isPart: true },
  { id: 'with-the-library', title: 'With the library', isPart: true },
  { id: 'authentication', title: 'Authentication' },
  { id: 'sealing', title: 'Sealing' },
  { id: 'verifying', title: 'Verifying the keys', isPart: true },
  { id: 'receiving', title: 'Receiving and acknowledging' },
  { id: 'encodings', title: 'Encodings' },
  { id: 'signed-texts', title: 'Texts that are signed' },
  { id: 'login-text', title: 'Login', isPart: true },
  { id: 'device-list-text', title: 'Device list', isPart: true },
  { id: 'protocol', title: 'Protocol and test vectors' },
];

const TABLES: readonly Entry[] = [
  { id: 'objects', title: 'Objects' },
  { id: 'errors', title: 'Errors' },
  { id: 'limits', title: 'Limits' },
  { id: 'rate-limits', title: 'Rate limits', isPart: true },
];

function contents(label: string): Html {
  const link = ({ id, title, isPart }: Entry) =>
    html`<li${isPart ? html` class="sub"` : null}><a href="#${id}">${title}</a></li>`;
  const areas = AREAS.map(
    (area) =>
      html`<p><a href="#${areaId(area)}">${area.title}</a></p><ul>${area.endpoints.map((name) => {
        const { method, path } = ENDPOINTS[name];
        return html`<li><a href="#${name}"><span class="method ${method.toLowerCase()}">${method}</span> <span>${path === '' ? '/api/v1' : breakable(path)}</span></a></li>`;
      })}</ul>`,
  );
  return html`<nav aria-label="${label}"><ul>${GUIDES.map(link)}</ul>${areas}<p>Tables</p><ul>${TABLES.map(link)}</ul></nav>`;
}
