/**
 * The refusals of the OpenAPI document, one response for each code of the catalogue, and the headers of all responses.
 */
import type { Endpoint } from '../protocol/endpoints/endpoint.ts';
import { PROBLEM_MEDIA_TYPE, PROBLEMS, type ProblemCode } from '../protocol/problems.ts';
import { Problem } from '../protocol/schemas/problem.ts';
import { REASONS } from '../relay/problems/reasons.ts';
import { type Definitions, type JsonSchema, toJsonSchema } from './json-schemas.ts';
import { refusalsOf } from './refusals.ts';

export interface Reference {
  $ref: string;
}

/** A schema with examples, in one media type. */
export interface Body {
  schema: JsonSchema;
  examples?: Record<string, { summary: string; value: unknown }>;
}

export interface OpenApiResponse {
  description: string;
  headers?: Record<string, Reference | Header>;
  content?: Record<string, Body>;
}

interface Header {
  description: string;
  required?: boolean;
  schema: JsonSchema;
}

export const HEADERS = {
  'x-request-id': {
    description: 'Id of this call in the relay’s log.',
    required: true,
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'The remaining calls: `"name";r=calls;t=seconds`, where t is the time until all are available again (draft-ietf-httpapi-ratelimit-headers).',
    required: true,
    schema: { type: 'string', pattern: '^"\\w+";r=\\d+;t=\\d+$' },
  },
  'RateLimit-Policy': {
    description: 'The limit: `"name";q=calls;w=seconds`.',
    required: true,
    schema: { type: 'string', pattern: '^"\\w+";q=\\d+;w=\\d+$' },
  },
  'Retry-After': {
    description: 'Seconds until the call is allowed again.',
    required: true,
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'WWW-Authenticate': {
    description: 'Required kind of credential: `Bearer`.',
    required: true,
    schema: { const: 'Bearer' },
  },
} as const satisfies Record<string, Header>;

/** Used by one response only. */
const ALLOW: Header = {
  description: 'The methods of this path.',
  required: true,
  schema: { type: 'string' },
};

type HeaderName = keyof typeof HEADERS;

function headers(...names: HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const SUCCESS_HEADERS = headers('x-request-id', 'RateLimit', 'RateLimit-Policy');

function headersOf(code: ProblemCode): NonNullable<OpenApiResponse['headers']> {
  switch (code) {
    case 'unauthorized':
      return headers('x-request-id', 'WWW-Authenticate');
    case 'rate_limited':
      return headers('x-request-id', 'RateLimit', 'RateLimit-Policy', 'Retry-After');
    case 'method_not_allowed':
      return { ...headers('x-request-id'), Allow: ALLOW };
    default:
      return headers('x-request-id');
  }
}

/** The response of each code, and the schema `Problem` among the definitions. */
export function problemComponents(definitions: Definitions): Record<ProblemCode, OpenApiResponse> {
  const schema = toJsonSchema(Problem, 'response', definitions);
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  listCodes(definitions, codes);
  return Object.fromEntries<OpenApiResponse>(
    codes.map((code) => [
      code,
      {
        description: PROBLEMS[code].when,
        headers: headersOf(code),
        content: { [PROBLEM_MEDIA_TYPE]: { schema: withCodes(schema, PROBLEMS[code].status, [code]) } },
      },
    ]),
  ) as Record<ProblemCode, OpenApiResponse>;
}

/**
 * Lists all codes and reasons in the schema `Problem`. Clients accept unknown ones, because a newer relay may have
 * more.
 */
function listCodes(definitions: Definitions, codes: ProblemCode[]): void {
  const { properties = {}, ...problem } = definitions.get('Problem') ?? {};
  const code = { ...(properties.code as JsonSchema), enum: codes };
  const reason = { ...(properties.reason as JsonSchema), enum: reasonsOf(codes) };
  definitions.set('Problem', { ...problem, properties: { ...properties, code, reason } });
}

/** The refusals of a call, by status. */
export function refusalResponses(endpoint: Endpoint): Record<string, OpenApiResponse | Reference> {
  return Object.fromEntries(
    [...refusalsOf(endpoint)].map(([status, codes]) => {
      const [first, ...others] = codes;
      if (first !== undefined && others.length === 0) {
        return [status, { $ref: `#/components/responses/${first}` }];
      }
      const schema = withCodes({ $ref: '#/components/schemas/Problem' }, status, codes);
      return [
        status,
        {
          description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].when}`).join(' '),
          headers: headers('x-request-id'),
          content: { [PROBLEM_MEDIA_TYPE]: { schema } },
        },
      ];
    }),
  );
}

function withCodes(problem: JsonSchema, status: number, codes: ProblemCode[]): JsonSchema {
  const properties = {
    code: { enum: codes },
    reason: { enum: reasonsOf(codes) },
    status: { const: status },
  };
  return { ...problem, properties };
}

/** The reasons under some codes, each once. */
function reasonsOf(codes: readonly ProblemCode[]): string[] {
  return [...new Set(codes.flatMap((code) => Object.keys(REASONS[code])))];
}
