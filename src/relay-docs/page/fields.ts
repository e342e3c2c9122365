/**
 * Tables of fields, read from JSON Schema.
 */
import { componentName, type JsonSchema } from '../json-schemas.ts';
import type { Parameter } from '../openapi.ts';
import { type Content, type Html, html, prose } from './html.ts';

interface Field {
  name: string;
  required: boolean;
  schema: JsonSchema;
  description: string;
}

/** Parameters of a path or a query. */
export function parameterTable(caption: string, parameters: readonly Parameter[]): Html | null {
  return fieldTable(
    caption,
    parameters.map(({ name, required, schema, description }) => ({
      name,
      required,
      schema,
      description: description ?? schema.description ?? '',
    })),
  );
}

/** The fields of an object, including those of nested objects. */
export function objectTable(caption: Content, schema: JsonSchema): Html | null {
  return fieldTable(caption, fieldsOf(schema, ''));
}

function fieldTable(caption: Content, fields: readonly Field[]): Html | null {
  if (fields.length === 0) return null;
  const rows = fields.map(
    ({ name, required, schema, description }) => html`<tr>
<th scope="row"><code>${breakableName(name)}</code>${required ? null : html` <span class="optional">optional</span>`}</th>
<td><span class="type">${typeOf(schema)}</span>${description === '' ? null : html`<br>${prose(description)}`}</td>
</tr>`,
  );
  return html`<table class="fields"><caption>${caption}</caption><tbody>${rows}</tbody></table>`;
}

function fieldsOf(schema: JsonSchema, prefix: string): Field[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const inner = property as JsonSchema;
    const field = {
      name: prefix + name,
      required: required.has(name),
      schema: inner,
      description: inner.description ?? '',
    };
    const nested = inner.type === 'array' ? (inner.items as JsonSchema | undefined) : inner;
    const mark = inner.type === 'array' ? '[].' : '.';
    return [field, ...(nested?.properties ? fieldsOf(nested, `${prefix}${name}${mark}`) : [])];
  });
}

/** A type in words, with links from named schemas to their descriptions. */
export function typeOf(schema: JsonSchema): Content {
  const name = componentName(schema);
  if (name !== null) return html`<a href="#object-${name}">${name}</a>`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum)
    return schema.enum.map((value, index) => [index > 0 ? ' | ' : '', html`<code>${String(value)}</code>`]);
  if (schema.anyOf) return joined(distinct(schema.anyOf as JsonSchema[]).map(typeOf), ' or ');
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (schema.type === 'array') return arrayType(schema);
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') {
    return [
      'map from ',
      typeOf((schema.propertyNames ?? { type: 'string' }) as JsonSchema),
      ' to ',
      typeOf(schema.additionalProperties as JsonSchema),
    ];
  }
  if (schema.type === 'integer') return `integer${rangeOf(schema.minimum, schema.maximum)}`;
  if (schema.contentEncoding === 'base64url')
    return `base64url${rangeOf(schema.minLength, schema.maxLength)} characters`;
  if (schema.type === 'string' && schema.maxLength !== undefined) {
    return `string${rangeOf(schema.minLength ?? 0, schema.maxLength)} characters`;
  }
  return schema.type ?? 'any';
}

function arrayType(schema: JsonSchema): Content {
  if (schema.prefixItems)
    return html`<code>${JSON.stringify(schema.prefixItems.map((item) => (item as JsonSchema).const))}</code>`;
  if (schema.maxItems === 0) return html`<code>[]</code>`;
  const most = schema.maxItems === undefined ? '' : `, at most ${schema.maxItems.toLocaleString('en')}`;
  return ['array of ', typeOf((schema.items ?? {}) as JsonSchema), most];
}

function rangeOf(least: number | undefined, most: number | undefined): string {
  const isBounded = most !== undefined && most < Number.MAX_SAFE_INTEGER;
  if (isBounded && least === most) return `, ${most}`;
  if (isBounded) return `, ${least ?? 0} to ${most.toLocaleString('en')}`;
  return least === undefined || least <= 0 ? '' : `, ${least} or more`;
}

function distinct(schemas: JsonSchema[]): JsonSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function joined(parts: Content[], separator: string): Content {
  return parts.map((part, index) => (index > 0 ? [separator, part] : part));
}

/** A name that may break between its words. */
function breakableName(name: string): Content {
  return name.split(/(?<=[.])|(?=[A-Z])/).map((part, index) => (index > 0 ? [html`<wbr>`, part] : part));
}
