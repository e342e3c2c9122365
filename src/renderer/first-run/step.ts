/**
 * What the steps of the first run share.
 */
import type { Output } from '../../bridge/contract.ts';

export type Relays = Output<'app.state'>['relays'];

/** All that was typed and chosen so far. Going back and forth loses none of it. */
export interface Entries {
  relay: 'embedded' | 'url';
  url: string;
  /** The code for a new account, where the server wants one. */
  invitation: string;
  identity: 'new' | 'import' | 'link';
  writtenDown: boolean;
  answers: string[];
  secret: string;
  /** Ids of devices that do not stay in an account that is recovered. */
  without: string[];
}

export interface StepProps {
  entries: Entries;
  change: (part: Partial<Entries>) => void;
  onBack: () => void;
  onNext: () => void;
}
