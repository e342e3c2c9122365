/**
 * The page of a relay for people, and the OpenAPI document for programs: made when a package is built, with placeholders
 * for the relay's name and URL.
 */
import { PAGE_FILES } from '../relay/docs/page-files.ts';
import { makeExamples } from './examples/index.ts';
import { makeOpenApiDocument } from './openapi.ts';
import { makePage, PAGE_POLICY } from './page/page.ts';

/**
 * The texts of the files by their names.
 * @param textPaths paths of the protocol and its vectors at a relay
 */
export function makeRelayDocs(textPaths: readonly string[]): Record<string, string> {
  const examples = makeExamples();
  const document = makeOpenApiDocument(examples.calls);
  return {
    [PAGE_FILES.page]: makePage(examples, document, textPaths),
    [PAGE_FILES.policy]: PAGE_POLICY,
    [PAGE_FILES.openApi]: JSON.stringify(document),
  };
}
