/**
 * Checks answers of a relay against the OpenAPI document that it publishes: status, media type, headers and
 * body.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { API_PREFIX } from '../../src/protocol/endpoints.ts';
import { makeExamples } from '../../src/relay-docs/examples/index.ts';
import { makeOpenApiDocument, type OpenApiDocument } from '../../src/relay-docs/openapi.ts';
import type { OpenApiResponse, Reference } from '../../src/relay-docs/responses.ts';

/** The parts of a response that the document describes. */
export interface ResponseToCheck {
  status: number;
  headers: Headers;
  /** The body, empty where there is none. */
  text: string;
}

const ROOT = 'document';

export class OpenApiChecker {
  readonly #document: OpenApiDocument;
  readonly #ajv = new Ajv2020({ allErrors: true, strict: false });
  readonly #templates: { pattern: RegExp; path: string }[];

  constructor(document: OpenApiDocument) {
    // Clients ignore unknown fields. Here a field that the document does not name is an error.
    this.#document = withoutOtherFields(document) as OpenApiDocument;
    formats.default(this.#ajv);
    this.#ajv.addSchema({ $id: ROOT, ...this.#document });
    this.#templates = Object.keys(document.paths).map((path) => ({
      path,
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]*')}$`),
    }));
  }

  /**
   * Differences between a response and the document, as sentences; empty if there are none.
   * @param path with or without a query; answers outside the API are not the document's affair
   */
  findProblems(method: string, path: string, response: ResponseToCheck): string[] {
    const [pathname = ''] = path.split('?');
    if (pathname !== API_PREFIX && !pathname.startsWith(`${API_PREFIX}/`)) return [];
    const place = this.#find(method, pathname, response.status);
    if (place === null) return [`${response.status} is not in the document`];
    const { expected, pointer } = this.#resolve(place);
    return [
      ...this.#findHeaderProblems(expected, pointer, response.headers),
      ...(method === 'HEAD' ? [] : this.#findBodyProblems(expected, pointer, response)),
    ];
  }

  /** A JSON pointer to the response that the document has for a call and a status, or null. */
  #find(method: string, pathname: string, status: number): string | null {
    const templates = this.#templates.filter(({ pattern }) => pattern.test(pathname));
    // One path may be an instance of two templates that have different methods, as in /keys/history.
    const template =
      templates.find(({ path }) => this.#document.paths[path]?.[method.toLowerCase()]) ?? templates[0];
    // Ids that are no valid path, such as a handle with a broken escape, are refused before routing.
    if (!template)
      return status === 400 ? '/components/responses/invalid_request' : '/components/responses/not_found';
    const operation = this.#document.paths[template.path]?.[method.toLowerCase()];
    if (!operation) {
      const isBroken = status === 400 && !isDecodable(pathname);
      return isBroken ? '/components/responses/invalid_request' : '/x-otherwise/other method';
    }
    if (!(status in operation.responses)) return null;
    return `/paths/${escapePointer(template.path)}/${method.toLowerCase()}/responses/${status}`;
  }

  #resolve(pointer: string): { expected: OpenApiResponse; pointer: string } {
    const found = at(this.#document, pointer) as OpenApiResponse | Reference;
    if ('$ref' in found) return this.#resolve(found.$ref.slice(1));
    return { expected: found, pointer };
  }

  #findHeaderProblems(expected: OpenApiResponse, pointer: string, headers: Headers): string[] {
    return Object.entries(expected.headers ?? {}).flatMap(([name, header]) => {
      const value = headers.get(name);
      if (value === null) return [`the header ${name} is missing`];
      const place = '$ref' in header ? header.$ref.slice(1) : `${pointer}/headers/${name}`;
      const validate = this.#validator(`${place}/schema`);
      return validate(value) ? [] : [`the header ${name} is ${value}`];
    });
  }

  #findBodyProblems(
    expected: OpenApiResponse,
    pointer: string,
    { headers, text }: ResponseToCheck,
  ): string[] {
    const [mediaType] = Object.keys(expected.content ?? {});
    if (mediaType === undefined) return text === '' ? [] : ['there is a body'];
    const actual = headers.get('content-type')?.split(';')[0];
    if (actual !== mediaType) return [`the media type is ${actual}, not ${mediaType}`];
    if (mediaType === 'application/octet-stream') return [];
    const validate = this.#validator(`${pointer}/content/${escapePointer(mediaType)}/schema`);
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `body${instancePath}: ${message}`);
  }

  #validator(pointer: string): ValidateFunction {
    const uri = `${ROOT}#${pointer.split('/').map(encodeURIComponent).join('/')}`;
    const validate = this.#ajv.getSchema(uri);
    if (!validate) throw new Error(`the document has nothing at ${pointer}`);
    return validate;
  }
}

let shared: OpenApiChecker | null = null;

/** The checker for the document that every relay of these sources publishes. */
export function openApiChecker(): OpenApiChecker {
  shared ??= new OpenApiChecker(makeOpenApiDocument(makeExamples().calls));
  return shared;
}

/** Forbids additional properties in all objects that do not mention them. */
function withoutOtherFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOtherFields);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withoutOtherFields(part)]),
  );
  const isClosed = copy.type === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return isClosed ? { ...copy, additionalProperties: false } : copy;
}

function at(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
}

function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

function escapePointer(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}
