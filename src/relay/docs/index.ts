/**
 * The relay's own documentation: a page for people, and the OpenAPI document for programs.
 */
import type { RelayContext } from '../context.ts';
import { makeExamples } from './examples/index.ts';
import { makeOpenApiDocument } from './openapi.ts';
import { makePage } from './page/page.ts';
import { texts } from './texts.ts';

export { PAGE_POLICY } from './page/page.ts';

export interface Documentation {
  /** HTML, to be served with {@link PAGE_POLICY}. */
  page: string;
  /** JSON. */
  openApi: string;
}

/** Builds both. It costs about 50 ms, half of it for signing and sealing, so callers cache the result. */
export function makeDocumentation(
  context: Pick<RelayContext, 'name' | 'limits' | 'publicUrl'>,
): Documentation {
  const relay = { name: context.name, url: context.publicUrl() };
  const examples = makeExamples(relay.url, relay.name);
  const document = makeOpenApiDocument(relay, examples.calls);
  return {
    page: makePage(examples, document, context.limits, texts()),
    openApi: JSON.stringify(document),
  };
}
