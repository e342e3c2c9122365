import { conversationSpecimens } from './conversation.tsx';
import { designSpecimens } from './design.tsx';
import { listSpecimens } from './lists.tsx';
import type { Specimen } from './specimen.ts';

/** All parts of the gallery's page. */
export const specimens: readonly Specimen[] = [
  ...designSpecimens,
  ...conversationSpecimens,
  ...listSpecimens,
];
