/** Common parts of the steps of the first run. */
import type { Output } from '../../bridge/contract.ts';
import type { OpenedLink } from '../../bridge/shapes/app.ts';

export type Relays = Output<'app.state'>['relays'];

/** An invite link whose server the person has agreed to. */
export interface EntryInvite {
  text: string;
  /** Origin. */
  server: string;
  /** Its person; null for a group. */
  address: string | null;
}

/** A link to open after set-up. `isAgreed`: the person has agreed to this invite, which needs no other confirmation. */
export type FirstLink = OpenedLink & { isAgreed?: boolean };

/** All input so far. Going back and forth keeps it. */
export interface Entries {
  relay: 'embedded' | 'url';
  url: string;
  invite: EntryInvite | null;
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
