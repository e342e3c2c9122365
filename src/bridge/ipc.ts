/**
 * The bridge as a carrier sees it: one function each way, whatever the carrier is.
 */
import type { EventName } from './contract.ts';
import type { Answer } from './failure.ts';

/** The only channel between Electron's main process and its page. */
export const BRIDGE_CHANNEL = 'waxwing:bridge';

/** What a host answers to. */
export interface MainFunctions {
  call(name: string, input: unknown): Promise<Answer<unknown>>;
}

/** What a page is told. */
export interface InterfaceFunctions {
  event(name: EventName, payload: unknown): void;
}
