/** Common parts of the steps of the first run. */
import type { Output } from '../../bridge/contract.ts';

export type Relays = Output<'app.state'>['relays'];

/** All input so far. Going back and forth keeps it. */
export interface Entries {
  relay: 'embedded' | 'url';
  url: string;
  /** The code for a new account, if the server requires one. */
  invitation: string;
  identity: 'new' | 'import' | 'link';
  writtenDown: boolean;
  answers: string[];
  secret: string;
  /** Ids of devices to remove from a recovered account. */
  without: string[];
}

export interface StepProps {
  entries: Entries;
  change: (part: Partial<Entries>) => void;
  onBack: () => void;
  onNext: () => void;
}
