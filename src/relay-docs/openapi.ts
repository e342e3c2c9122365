/**
 * The OpenAPI 3.1 document of the API, generated from the table of endpoints, its schemas, and the catalogue of
 * problems.
 */
import { z } from 'zod';
import type { CredentialType, Entitlement } from '../protocol/credentials.ts';
import type { Access, Endpoint } from '../protocol/endpoints/endpoint.ts';
import { API_PREFIX, API_VERSION, ENDPOINTS, type EndpointName } from '../protocol/endpoints.ts';
import { CREDENTIAL_TYPES, ENTITLEMENTS } from '../protocol/entitlements.ts';
import { PLACEHOLDERS } from '../relay/docs/placeholders.ts';
import { AREAS, areaOf } from './areas.ts';
import { EXAMPLE_RELAY, type Examples } from './examples/example.ts';
import { type Definitions, type JsonSchema, toJsonSchema } from './json-schemas.ts';
import {
  type Body,
  HEADERS,
  type OpenApiResponse,
  problemComponents,
  type Reference,
  refusalResponses,
  SUCCESS_HEADERS,
} from './responses.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
}

export interface Operation {
  /** A HEAD beside a GET has the name of the GET, with `Head` after it. */
  operationId: string;
  tags: string[];
  /** The first sentence of the endpoint's description. */
  summary: string;
  description: string;
  /** The required scopes of the credential: OpenAPI has no scopes for bearers. */
  'x-entitlement'?: Entitlement;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: true; content: Record<string, Body> };
  responses: Record<string, OpenApiResponse | Reference>;
}

export interface OpenApiDocument {
  openapi: string;
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    contact: { name: string; url: string };
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  /** Answers to calls outside every path. */
  'x-otherwise': { 'unknown path': Reference; 'other method': OpenApiResponse };
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, OpenApiResponse>;
    headers: typeof HEADERS;
    securitySchemes: Record<string, object>;
  };
}

const DESCRIPTION = `Resolves public directory data and routes envelopes that their senders have sealed.
The relay never sees plaintext, and refuses it.

Requests are strict: unknown fields are refused. Responses may have more fields: ignore unknown ones.
The response to an unknown path is \`not_found\`, to another method of a known path \`method_not_allowed\`:
\`x-otherwise\` has both.

The relay of the examples is \`${EXAMPLE_RELAY.host}\`, because the signatures include its name.`;

const RESPONSES = '#/components/responses/';

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  description:
    'An API key (`sk_live_…`), a group token (`gtk_live_…`) or a session (`ses_…`). The credential needs the `x-entitlement` of an operation.',
};

/** The document, with placeholders for the name and URL of a relay. */
export function makeOpenApiDocument(examples: Examples): OpenApiDocument {
  const definitions: Definitions = new Map();
  const paths: OpenApiDocument['paths'] = {};
  for (const name of AREAS.flatMap(({ endpoints }) => endpoints)) {
    const endpoint: Endpoint = ENDPOINTS[name];
    const path = pathTemplate(endpoint);
    paths[path] ??= {};
    const operation = makeOperation(name, examples, definitions);
    paths[path][endpoint.method.toLowerCase()] = operation;
    if (endpoint.head) paths[path].head = { ...operation, operationId: `${name}Head` };
  }
  const responses = problemComponents(definitions);
  const otherwise = {
    'unknown path': { $ref: `${RESPONSES}not_found` },
    'other method': responses.method_not_allowed,
  };
  return {
    openapi: '3.1.1',
    info: {
      title: PLACEHOLDERS.name,
      version: API_VERSION,
      summary: 'A relay for sealed envelopes.',
      description: DESCRIPTION,
      contact: { name: PLACEHOLDERS.name, url: PLACEHOLDERS.url },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: PLACEHOLDERS.url }],
    tags: AREAS.map(({ title, description }) => ({ name: title, description })),
    paths,
    'x-otherwise': otherwise,
    components: {
      schemas: Object.fromEntries([...definitions].sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: referredTo(responses, [paths, otherwise]),
      headers: HEADERS,
      securitySchemes: { bearer: BEARER },
    },
  };
}

/** The responses that other parts refer to. */
function referredTo(
  responses: Record<string, OpenApiResponse>,
  parts: unknown,
): Record<string, OpenApiResponse> {
  const text = JSON.stringify(parts);
  return Object.fromEntries(
    Object.entries(responses).filter(([name]) => text.includes(JSON.stringify(RESPONSES + name))),
  );
}

/** The full path with parameters in braces. */
export function pathTemplate(endpoint: Endpoint): string {
  return API_PREFIX + endpoint.path.replace(/:(\w+)/g, '{$1}');
}

function makeOperation(name: EndpointName, examples: Examples, definitions: Definitions): Operation {
  const endpoint: Endpoint = ENDPOINTS[name];
  const calls: readonly ExampleCall[] = examples[name];
  const parameters = [
    ...makeParameters('path', endpoint.params, calls[0]?.params, definitions),
    ...makeParameters('header', endpoint.headers, calls[0]?.headers, definitions),
    ...makeParameters('query', endpoint.query, encodeQuery(endpoint, calls[0]?.query), definitions),
  ];
  return {
    operationId: name,
    tags: [areaOf(endpoint).title],
    summary: /^.*?\.(?= |$)/.exec(endpoint.summary)?.[0] ?? endpoint.summary,
    description: `${endpoint.summary} ${accessSentence(endpoint)}`,
    ...(isEntitlement(endpoint.access) && { 'x-entitlement': endpoint.access }),
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.request && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: toJsonSchema(endpoint.request, 'request', definitions),
            examples: exampleValues(calls, 'request'),
          },
        },
      },
    }),
    ...(endpoint.octets === 'request' && { requestBody: { required: true, content: OCTETS } }),
    responses: { ...successResponses(endpoint, calls, definitions), ...refusalResponses(endpoint) },
  };
}

/** Bytes have no schema: in OpenAPI 3.1 it is empty. */
const OCTETS: Record<string, Body> = { 'application/octet-stream': { schema: {} } };

/** An example without the types of its endpoint. */
export interface ExampleCall {
  title: string;
  status: number;
  credential?: CredentialType;
  params?: unknown;
  headers?: unknown;
  query?: unknown;
  request?: unknown;
  response?: unknown;
}

/** The query of an example in the form of a URL. */
export function encodeQuery(endpoint: Endpoint, query: unknown): Record<string, string> {
  if (!endpoint.query || query === undefined) return {};
  // Each endpoint has a type of its own for it; the schema checks it here.
  return z.encode(endpoint.query, query as never) as Record<string, string>;
}

function makeParameters(
  place: Parameter['in'],
  schema: z.ZodObject | undefined,
  values: unknown,
  definitions: Definitions,
): Parameter[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toJsonSchema(schema, 'request', definitions);
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as JsonSchema;
    const value = (values as Record<string, string> | undefined)?.[name];
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
      ...(value !== undefined && { example: rest.type === 'integer' ? Number(value) : value }),
    };
  });
}

function securityOf({ access }: Endpoint): Operation['security'] {
  return access === 'anyone' ? [] : [{ bearer: [] }];
}

const isEntitlement = (access: Access): access is Entitlement =>
  access !== 'anyone' && access !== 'any credential';

const HOLDERS: Readonly<Record<CredentialType, string>> = {
  session: 'a session',
  api_key: 'an API key',
  group_token: 'a group token',
};

function accessSentence({ access }: Endpoint): string {
  if (access === 'anyone') return 'Needs no credential.';
  if (!isEntitlement(access)) return 'Any credential may call.';
  const holders = CREDENTIAL_TYPES.filter((type) => ENTITLEMENTS[type].includes(access));
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(
    holders.map((type) => HOLDERS[type]),
  );
  return `Needs the entitlement \`${access}\`, which ${list} can have.`;
}

function successResponses(
  endpoint: Endpoint,
  calls: readonly ExampleCall[],
  definitions: Definitions,
): Operation['responses'] {
  const { response } = endpoint;
  return Object.fromEntries(
    endpoint.statuses.map((status) => {
      const ofStatus = calls.filter((call) => call.status === status);
      const description = ofStatus.map(({ title }) => `${title}.`).join(' ') || endpoint.summary;
      if (endpoint.octets === 'response')
        return [status, { description, headers: SUCCESS_HEADERS, content: OCTETS }];
      if (!response || status === 204) return [status, { description, headers: SUCCESS_HEADERS }];
      const schema = toJsonSchema(response, 'response', definitions);
      const content = { 'application/json': { schema, examples: exampleValues(ofStatus, 'response') } };
      return [status, { description, headers: SUCCESS_HEADERS, content }];
    }),
  );
}

function exampleValues(
  calls: readonly ExampleCall[],
  part: 'request' | 'response',
): Record<string, { summary: string; value: unknown }> {
  return Object.fromEntries(
    calls.map((call, index) => [`example${index + 1}`, { summary: call.title, value: call[part] }]),
  );
}
