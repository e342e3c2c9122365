import type { ReactNode } from 'react';
import { useMayAct } from './use-shut-out.ts';

/** Controls that are absent on a computer that the server no longer accepts. */
export function WhileAccepted({ children }: { children: ReactNode }) {
  return useMayAct() ? children : null;
}
