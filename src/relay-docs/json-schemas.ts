/** Our zod schemas as JSON Schema (2020-12), in their wire form. A schema with an id becomes a named definition. */
import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The direction of a value: a caller's input, or the relay's answer. */
export type Direction = 'request' | 'response';

const DEFINITIONS = '#/$defs/';
const COMPONENTS = '#/components/schemas/';

/** Definitions so far, by name. */
export type Definitions = Map<string, JsonSchema>;

/**
 * The JSON Schema of one value; the named schemas that it refers to are added to `definitions`.
 * @throws Error if two different schemas have one name
 */
export function toJsonSchema(schema: z.ZodType, direction: Direction, definitions: Definitions): JsonSchema {
  const io = direction === 'request' ? 'input' : 'output';
  const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { io, override: asOnTheWire(io) });
  for (const [name, definition] of Object.entries($defs)) {
    const renamed = withComponentRefs(definition as JsonSchema);
    const known = definitions.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(renamed)) {
      throw new Error(`two schemas are called ${name}`);
    }
    definitions.set(name, renamed);
  }
  return withComponentRefs(root);
}

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;

function asOnTheWire(io: 'input' | 'output'): Override {
  return ({ zodSchema, jsonSchema }) => {
    const { def } = zodSchema._zod;
    // A query string contains the number 5 as text: OpenAPI calls that an integer, so that its range can be stated.
    if (def.type === 'pipe' && def.out._zod.def.type === 'number') {
      delete jsonSchema.pattern;
      Object.assign(jsonSchema, z.toJSONSchema(def.out), { $schema: undefined });
    }
    if (def.type === 'tuple') {
      // The length is fixed, so no item follows the prefix. Code generators and linters require a schema of items.
      jsonSchema.items = jsonSchema.prefixItems?.at(-1) ?? {};
      // JSON Schema has no empty prefixItems. An array that stays empty needs none.
      if (def.items.length === 0) delete jsonSchema.prefixItems;
    }
    // A newer relay may answer with more fields, and clients ignore them.
    if (def.type === 'object' && io === 'output') delete jsonSchema.additionalProperties;
  };
}

function withComponentRefs(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll(`"$ref":"${DEFINITIONS}`, `"$ref":"${COMPONENTS}`));
}

/** The name of a schema's component, or null. */
export function componentName(schema: JsonSchema): string | null {
  return schema.$ref?.startsWith(COMPONENTS) ? schema.$ref.slice(COMPONENTS.length) : null;
}
