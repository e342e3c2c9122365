/**
 * The reference: every endpoint by area, every named object, every error code.
 */

import { COMMON_PROBLEMS, type EndpointName } from '../../protocol/endpoints.ts';
import { FIELD_FAULTS } from '../../protocol/faults.ts';
import { PROBLEMS, type ProblemCode } from '../../protocol/problems.ts';
import { ProblemError } from '../../relay/problems/problem-error.ts';
import { REASONS } from '../../relay/problems/reasons.ts';
import { AREAS, type Area } from '../areas.ts';
import type { JsonSchema } from '../json-schemas.ts';
import { jsonBlock } from './code.ts';
import { endpointSection, type Reference } from './endpoint.ts';
import { objectTable, typeOf } from './fields.ts';
import { type Html, html, prose } from './html.ts';

/** The anchor of an area. */
export function areaId({ title }: Area): string {
  return `area-${title.toLowerCase()}`;
}

export function endpoints(reference: Reference): Html[] {
  return AREAS.map(
    (area) => html`<section class="area" id="${areaId(area)}">
<h2>${area.title}</h2>
<p>${area.description}</p>
${area.endpoints.map((name: EndpointName) => endpointSection(name, reference))}
</section>`,
  );
}

export function objects({ document }: Reference): Html {
  const all = Object.entries(document.components.schemas).map(([name, schema]) =>
    objectSection(name, schema),
  );
  return html`<section id="objects"><h2>Objects</h2>
<p>The parts of requests and responses. Requests with other fields are refused.</p>
<div class="objects">${all}</div></section>`;
}

function objectSection(name: string, schema: JsonSchema): Html {
  const isObject = schema.properties !== undefined;
  const forms = ((schema.anyOf ?? []) as JsonSchema[]).filter((form) => form.properties);
  return html`<section class="object" id="object-${name}">
<h3>${name}</h3>
${schema.description === undefined ? null : html`<p>${prose(schema.description)}</p>`}
${isObject || forms.length > 0 ? null : html`<p><span class="type">${typeOf(schema)}</span>${schema.pattern === undefined ? null : html`, <code>${schema.pattern}</code>`}</p>`}
${isObject ? objectTable(html`<span class="quiet">Fields of ${name}</span>`, schema) : null}
${forms.map((form, index) => objectTable(index === 0 ? 'One form' : 'Or', form))}
</section>`;
}

/** The reasons under a code, where there is more than one. */
function reasonsOf(code: ProblemCode): Html | null {
  const reasons = Object.keys(REASONS[code]);
  if (reasons.length < 2) return null;
  const list = reasons.map((reason, index) => [index > 0 ? ', ' : '', html`<code>${reason}</code>`]);
  return html`<br><span class="type">Reasons: ${list}.</span>`;
}

/** A field that is wrong, as an example. */
const NONCE = { path: 'nonce', fault: FIELD_FAULTS.bytes(12) };

export function errors(): Html {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  const rows = codes.map(
    (code) =>
      html`<tr id="error-${code}"><th scope="row"><code>${code}</code></th><td>${PROBLEMS[code].status}</td><td>${prose(PROBLEMS[code].when)}${reasonsOf(code)}</td></tr>`,
  );
  const common = COMMON_PROBLEMS.map((code, index) => [
    index > 0 ? ', ' : '',
    html`<a href="#error-${code}">${code}</a>`,
  ]);
  return html`<section id="errors"><h2>Errors</h2>
<p>Every refusal is <code>application/problem+json</code> (RFC 9457): a <a href="#object-Problem">Problem</a>. Base decisions on
<code>code</code> or on the more specific <code>reason</code>: both are stable. Show <code>detail</code> to people, and include <code>requestId</code> in questions to the
operator.</p>
${jsonBlock('An error response', new ProblemError('invalid_request', 'field', NONCE, { errors: [{ path: NONCE.path, message: NONCE.fault }] }).toBody('Zr1xQ0aB-2f'))}
<p>Every call can result in ${common} and <a href="#error-headers_too_large">headers_too_large</a>, and every call with a body in
<a href="#error-unsupported_media_type">unsupported_media_type</a>. After 408, 429,
500, 503 and 507 the same request can be repeated: no envelope is delivered twice.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Error codes"><table class="grid"><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">When</th></tr></thead><tbody>${rows}</tbody></table></div>
</section>`;
}
