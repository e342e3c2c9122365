/** One endpoint as a section: permitted callers, fields, answers, refusals, and realistic calls. */

import { CREDENTIAL_PREFIX, type CredentialType } from '../../protocol/credentials.ts';
import type { Endpoint } from '../../protocol/endpoints/endpoint.ts';
import { API_PREFIX, COMMON_PROBLEMS, ENDPOINTS, type EndpointName } from '../../protocol/endpoints.ts';
import { ENTITLEMENTS } from '../../protocol/entitlements.ts';
import { OCTETS } from '../../relay/http/octets.ts';
import { componentName, type JsonSchema } from '../json-schemas.ts';
import {
  type ExampleCall,
  encodeQuery,
  type OpenApiDocument,
  type Operation,
  pathTemplate,
} from '../openapi.ts';
import { refusalsOf } from '../refusals.ts';
import { codeBlock, jsonBlock } from './code.ts';
import { objectTable, parameterTable, typeOf } from './fields.ts';
import { type Content, type Html, html, prose } from './html.ts';

export interface Reference {
  document: OpenApiDocument;
  examples: Record<EndpointName, readonly ExampleCall[]>;
}

/** The name of each type of credential in sentences, and in the environment of the examples. */
const CREDENTIALS: Record<CredentialType, { name: string; variable: string }> = {
  api_key: { name: 'API key', variable: '$WAXWING_API_KEY' },
  group_token: { name: 'group token', variable: '$WAXWING_GROUP_TOKEN' },
  session: { name: 'session', variable: '$WAXWING_SESSION' },
};
const CREDENTIAL_TYPES = Object.keys(CREDENTIALS) as CredentialType[];

export function endpointSection(name: EndpointName, { document, examples }: Reference): Html {
  const endpoint: Endpoint = ENDPOINTS[name];
  const operation = operationOf(document, endpoint);
  const parameters = operation.parameters ?? [];
  return html`<section class="endpoint" id="${name}" aria-labelledby="${name}-title">
<div class="about">
<h3 id="${name}-title"><span class="method ${endpoint.method.toLowerCase()}">${endpoint.method}</span> <code>${breakable(API_PREFIX + endpoint.path)}</code></h3>
<p>${prose(endpoint.summary)}</p>
<p class="callers">${callersOf(endpoint)}</p>
${parameterTable(
  'Path',
  parameters.filter((parameter) => parameter.in === 'path'),
)}
${parameterTable(
  'Query',
  parameters.filter((parameter) => parameter.in === 'query'),
)}
${parameterTable(
  'Header',
  parameters.filter((parameter) => parameter.in === 'header'),
)}
${requestFields(operation, document)}
${answers(operation)}
${refusals(endpoint)}
</div>
<div class="examples">${examples[name].map((call) => exampleOf(endpoint, call))}</div>
</section>`;
}

function operationOf(document: OpenApiDocument, endpoint: Endpoint): Operation {
  const operation = document.paths[pathTemplate(endpoint)]?.[endpoint.method.toLowerCase()];
  if (!operation) throw new Error(`the document lacks ${endpoint.method} ${endpoint.path}`);
  return operation;
}

/** A path that may break before its slashes. */
export function breakable(path: string): Content {
  return path.split('/').map((part, index) => (index > 0 ? [html`<wbr>`, `/${part}`] : part));
}

/** The types of credential that can make a call. */
function credentialsFor({ access }: Endpoint): CredentialType[] {
  if (access === 'anyone') return [];
  if (access === 'any credential') return CREDENTIAL_TYPES;
  return CREDENTIAL_TYPES.filter((type) => ENTITLEMENTS[type].includes(access));
}

function callersOf(endpoint: Endpoint): Html {
  if (endpoint.access === 'anyone') return html`Access: anyone.`;
  if (endpoint.access === 'any credential') return html`Access: any credential.`;
  const types = credentialsFor(endpoint).map((type) => CREDENTIALS[type].name);
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(types);
  return html`Access: ${list}, with <code>${endpoint.access}</code>.`;
}

function requestFields(operation: Operation, document: OpenApiDocument): Content {
  const content = operation.requestBody?.content ?? {};
  if (OCTETS in content) return html`<p>Body: the bytes, as <code>${OCTETS}</code>.</p>`;
  const schema = content['application/json']?.schema;
  if (!schema) return null;
  const forms = (schema.anyOf as JsonSchema[] | undefined) ?? [schema];
  return forms.map((form, index) => {
    const name = componentName(form);
    const of = index === 0 ? 'Body' : 'Or';
    return objectTable(name === null ? of : `${of}: ${name}`, resolve(form, document));
  });
}

function resolve(schema: JsonSchema, document: OpenApiDocument): JsonSchema {
  const name = componentName(schema);
  return (name === null ? undefined : document.components.schemas[name]) ?? schema;
}

function answers(operation: Operation): Html {
  const rows = Object.entries(operation.responses).flatMap(([status, response]) => {
    if ('$ref' in response || Number(status) >= 400) return [];
    const schema = response.content?.['application/json']?.schema;
    const isBytes = OCTETS in (response.content ?? {});
    const body = schema ? typeOf(schema) : isBytes ? 'the bytes' : 'without a body';
    return [html`<li><code>${status}</code> ${body}</li>`];
  });
  return html`<h4>Responses</h4><ul class="answers">${rows}</ul>`;
}

function refusals(endpoint: Endpoint): Html {
  const own = [...refusalsOf(endpoint)].flatMap(([status, codes]) =>
    codes
      .filter((code) => !EVERYWHERE.has(code))
      .map((code) => html`<li><code>${status}</code> <a href="#error-${code}">${code}</a></li>`),
  );
  return html`<h4>Errors</h4><ul class="answers">${own}<li>and <a href="#errors">those of every call</a></li></ul>`;
}

const EVERYWHERE = new Set<string>([
  ...COMMON_PROBLEMS,
  'misdirected_request',
  'headers_too_large',
  'unsupported_media_type',
]);

function exampleOf(endpoint: Endpoint, call: ExampleCall): Content {
  return [
    codeBlock('shell', call.title, curlOf(endpoint, call)),
    call.response === undefined && endpoint.octets === 'response'
      ? html`<p class="no-body">Response: <code>${call.status}</code>, with the bytes.</p>`
      : call.response === undefined
        ? html`<p class="no-body">Response: <code>${call.status}</code>, without a body.</p>`
        : jsonBlock(`Response: ${call.status}`, call.response),
  ];
}

/** The call as a shell command. */
function curlOf(endpoint: Endpoint, call: ExampleCall): string {
  const params = (call.params ?? {}) as Record<string, string>;
  const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) => params[key] ?? '');
  const query = new URLSearchParams(encodeQuery(endpoint, call.query)).toString();
  const method = endpoint.method === 'GET' ? '' : `-X ${endpoint.method} `;
  const type = call.credential ?? credentialsFor(endpoint)[0];
  const body = call.request === undefined ? null : JSON.stringify(call.request, null, 2);
  return [
    `curl ${method}"$WAXWING_RELAY${API_PREFIX}${path}${query && `?${query}`}"`,
    ...(type ? [`-H "Authorization: Bearer ${CREDENTIALS[type].variable}"`] : []),
    ...Object.entries((call.headers ?? {}) as Record<string, string>).map(
      ([name, value]) => `-H "${name}: ${value}"`,
    ),
    ...(endpoint.octets === 'request' ? [`-H "Content-Type: ${OCTETS}"`, '--data-binary @part'] : []),
    ...(endpoint.octets === 'response' ? ['-o blob'] : []),
    ...(body === null
      ? []
      : ['-H "Content-Type: application/json"', `-d '${body.replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ');
}

/** The credentials with their prefixes, for the introduction. */
export function credentialRows(): Html[] {
  return CREDENTIAL_TYPES.map(
    (type) =>
      html`<tr><th scope="row">${CREDENTIALS[type].name}</th><td><code>${CREDENTIAL_PREFIX[type]}…</code></td><td>${ENTITLEMENTS[
        type
      ].map((entitlement) => html`<code>${entitlement}</code> `)}</td></tr>`,
  );
}
