/** Previews of links that the person writes. */
import type { Previews } from '../previews/preview.ts';
import type { Procedures } from './implementation.ts';

export function previewProcedures(previews: Previews): Pick<Procedures, 'links.preview'> {
  return { 'links.preview': async ({ url }) => ({ page: await previews.of(url) }) };
}
