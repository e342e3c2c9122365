/** `move`: the new relay of the sender. */
import { z } from 'zod';
import { Home } from '../moving/home.ts';

export const MoveContent = z.looseObject({ kind: z.literal('move'), home: Home });
export type MoveContent = z.infer<typeof MoveContent>;
