/**
 * The whole page, in one file that needs nothing else.
 */
import { hash } from 'node:crypto';
import { ENDPOINTS } from '../../../protocol/endpoints.ts';
import type { RelayLimits } from '../../options.ts';
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

/** The page’s content security policy: its own style and script by their hashes, and nothing from anywhere. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  `script-src 'sha256-${hash('sha256', SCRIPT, 'base64')}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export function makePage(examples: ExampleSet, document: OpenApiDocument, relayLimits: RelayLimits): string {
  const { world, calls } = examples;
  const reference = { document, examples: calls };
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${world.relayName}: API</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<details class="menu"><summary>Contents</summary>${contents('Contents')}</details>
<div class="layout">
<div class="side" tabindex="0" role="group" aria-label="Navigation">${contents('On this page')}</div>
<main id="main">
${introduction(world)}
${quickStart(world)}
${authentication()}
${sealing(world)}
${receiving(world)}
${encodings()}
${endpoints(reference)}
${objects(reference)}
${errors()}
${limits(relayLimits)}
</main>
</div>
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`.text;
}

const GUIDES = [
  ['introduction', 'Introduction'],
  ['quick-start', 'Quick start'],
  ['with-curl', 'With curl'],
  ['with-the-command-line', 'With the command line'],
  ['with-the-library', 'With the library'],
  ['authentication', 'Authentication'],
  ['sealing', 'Sealing'],
  ['the-program', 'All of it as a program'],
  ['receiving', 'Receiving and acknowledging'],
  ['encodings', 'Encodings'],
] as const;

const APPENDICES = [
  ['objects', 'Objects'],
  ['errors', 'Errors'],
  ['limits', 'Limits'],
  ['rate-limits', 'Rate limits'],
] as const;

function contents(label: string): Html {
  const link = ([id, title]: readonly [string, string]) => html`<li><a href="#${id}">${title}</a></li>`;
  const areas = AREAS.map(
    (area) =>
      html`<p><a href="#${areaId(area)}">${area.title}</a></p><ul>${area.endpoints.map((name) => {
        const { method, path } = ENDPOINTS[name];
        return html`<li><a href="#${name}"><span class="method ${method.toLowerCase()}">${method}</span>${path === '' ? '/api/v1' : breakable(path)}</a></li>`;
      })}</ul>`,
  );
  return html`<nav aria-label="${label}"><ul>${GUIDES.map(link)}</ul>${areas}<p>Tables</p><ul>${APPENDICES.map(link)}</ul></nav>`;
}
