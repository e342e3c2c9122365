/** The bridge for its transports: one function in each direction. */
import type { EventName } from './contract.ts';
import type { Answer } from './failure.ts';

/** The only channel between Electron's main process and its page. */
export const BRIDGE_CHANNEL = 'waxwing:bridge';

/** Functions of a host. */
export interface MainFunctions {
  call(name: string, input: unknown): Promise<Answer<unknown>>;
}

/** Functions of a page. */
export interface InterfaceFunctions {
  event(name: EventName, payload: unknown): void;
}
