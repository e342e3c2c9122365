import type { ReactNode } from 'react';
import type { SceneName } from '../scenes/index.ts';

/** One component in one state, in its place on the gallery's page. */
export interface Specimen {
  name: string;
  show: () => ReactNode;
}

/** One that is shown alone. */
export interface AloneSpecimen {
  /** Answers its question. */
  scene: SceneName;
  show: () => ReactNode;
}
