/**
 * A second, naive implementation of rosters: it stores the whole history, and each query reads it from the beginning. It
 * shares no code with src/protocol/roster, has no bytes and no signatures, and is slow.
 */

const DAY = 86_400_000;
const MONTH = 30 * DAY;

/** Devices in lists 1 and 2 of each person, with their expiry in milliseconds. There is no list 3. */
export interface ModelDevices {
  lists: Record<number, readonly number[]>;
  ends: readonly number[];
}

export interface ModelTicket {
  to: string;
  from: string;
  device: number;
  list: number;
  issued: number;
  expires: number;
}

export type ModelProof =
  | { by: 'nothing' }
  | { by: 'password'; right: boolean }
  | { by: 'link'; link: 'good' | 'brief' | 'other'; right: boolean }
  | { by: 'ticket'; ticket: ModelTicket };

export interface ModelChange {
  remove?: string[];
  uninvite?: string[];
  name?: string;
  join?: 'open' | 'password' | 'invite';
  joinKey?: true;
  admins?: string[];
  bots?: number;
  links?: true;
  timer?: number;
  unsignedBots?: boolean;
  creator?: string;
}

export type ModelAction =
  | { kind: 'create' }
  | { kind: 'join'; proof: ModelProof }
  | { kind: 'leave' }
  | { kind: 'change'; change: ModelChange };

export interface ModelEntry {
  by: string;
  device: number;
  list: number;
  at: number;
  action: ModelAction;
  /** A fault outside of its content. */
  broken?: 'epoch' | 'previous' | 'signature';
}

export class RosterModel {
  readonly history: ModelEntry[] = [];
  readonly #devices: ModelDevices;
  readonly #briefLinkEnds: number;

  constructor(devices: ModelDevices, briefLinkEnds: number, founder: ModelEntry) {
    this.#devices = devices;
    this.#briefLinkEnds = briefLinkEnds;
    this.history.push(founder);
  }

  /** Accepts an entry if it is valid: 'yes', 'no', or 'later' if a list is missing. */
  append(entry: ModelEntry): 'yes' | 'no' | 'later' {
    const verdict = this.#judge(entry);
    if (verdict === 'yes') this.history.push(entry);
    return verdict;
  }

  get members(): string[] {
    const members = new Set<string>();
    for (const { by, action } of this.history) {
      if (action.kind === 'create' || action.kind === 'join') members.add(by);
      if (action.kind === 'leave') members.delete(by);
      if (action.kind === 'change') for (const gone of action.change.remove ?? []) members.delete(gone);
    }
    return [...members].sort();
  }

  get creator(): string | null {
    let creator: string | null = null;
    for (const { by, action } of this.history) {
      if (action.kind === 'create') creator = by;
      if (action.kind === 'leave' && by === creator) creator = null;
      if (action.kind === 'change') creator = action.change.creator ?? creator;
    }
    return creator;
  }

  get admins(): string[] {
    let admins: string[] = [];
    for (const { by, action } of this.history) {
      if (action.kind === 'leave') admins = admins.filter((admin) => admin !== by);
      if (action.kind !== 'change') continue;
      const { remove = [], creator, admins: set } = action.change;
      admins = set ?? admins.filter((admin) => !remove.includes(admin) && admin !== creator);
    }
    return admins.toSorted();
  }

  get join(): string {
    return this.#lastSet('join') ?? 'invite';
  }

  get bots(): number {
    return this.#sinceCreatorCame('bots') ?? 0;
  }

  get hasLinks(): boolean {
    return this.#sinceCreatorCame('links') ?? false;
  }

  get unsignedBots(): boolean {
    return this.#sinceCreatorCame('unsignedBots') ?? false;
  }

  /** The last removal of a person who did not return, if any. */
  removedAt(person: string): number | null {
    let removed: number | null = null;
    for (const { by, at, action } of this.history) {
      if (action.kind === 'change' && action.change.remove?.includes(person)) removed = at;
      if (action.kind === 'join' && by === person) removed = null;
    }
    return removed;
  }

  /** The highest list that the history names for someone. */
  highestList(person: string): number {
    const named = this.history.flatMap(({ by, list, action }) => {
      const own = by === person ? [list] : [];
      const ticket = action.kind === 'join' && action.proof.by === 'ticket' ? action.proof.ticket : null;
      return ticket?.from === person ? [...own, ticket.list] : own;
    });
    return Math.max(0, ...named);
  }

  #lastSet<Field extends keyof ModelChange>(field: Field): ModelChange[Field] | undefined {
    return this.history
      .map(({ action }) => (action.kind === 'change' ? action.change[field] : undefined))
      .findLast((value) => value !== undefined);
  }

  /** The last value set by the current creator, or an earlier one in the same term. */
  #sinceCreatorCame<Field extends keyof ModelChange>(field: Field): ModelChange[Field] | undefined {
    const creator = this.creator;
    if (creator === null) return undefined;
    const came = this.history.findLastIndex(
      ({ by, action }) =>
        (action.kind === 'create' && by === creator) ||
        (action.kind === 'change' && action.change.creator !== undefined),
    );
    return this.history
      .slice(came)
      .map(({ action }) => (action.kind === 'change' ? action.change[field] : undefined))
      .findLast((value) => value !== undefined);
  }

  #isListed(device: number, list: number, at: number): boolean {
    return (this.#devices.lists[list]?.includes(device) ?? false) && at < (this.#devices.ends[device] ?? 0);
  }

  #judge({ by, device, list, at, action, broken }: ModelEntry): 'yes' | 'no' | 'later' {
    const last = this.history.at(-1);
    if (!last || broken === 'epoch' || broken === 'previous' || at < last.at) return 'no';
    if (action.kind === 'create' || list < this.highestList(by)) return 'no';
    if (!this.#devices.lists[list]) return 'later';
    if (!this.#isListed(device, list, at) || broken === 'signature') return 'no';
    switch (action.kind) {
      case 'join':
        return this.#mayJoin(by, at, action.proof);
      case 'leave':
        return this.members.includes(by) ? 'yes' : 'no';
      case 'change':
        return this.#mayChange(by, action.change) ? 'yes' : 'no';
    }
  }

  #mayJoin(person: string, at: number, proof: ModelProof): 'yes' | 'no' | 'later' {
    if (this.members.includes(person)) return 'no';
    const joins = this.history.filter((entry) => entry.by === person && entry.action.kind === 'join');
    if (joins.filter((entry) => at - entry.at < DAY).length >= 5) return 'no';
    if (proof.by === 'ticket') return this.#admits(proof.ticket, person, at);
    if (this.removedAt(person) !== null) return 'no';
    if (proof.by === 'password') return this.join === 'password' && proof.right ? 'yes' : 'no';
    if (proof.by === 'nothing') return this.join === 'open' ? 'yes' : 'no';
    const stands = proof.link === 'good' || (proof.link === 'brief' && at < this.#briefLinkEnds);
    return this.hasLinks && stands && proof.right ? 'yes' : 'no';
  }

  #admits(ticket: ModelTicket, person: string, at: number): 'yes' | 'no' | 'later' {
    if (ticket.to !== person || ticket.expires <= ticket.issued) return 'no';
    if (ticket.expires - ticket.issued > MONTH || at < ticket.issued || at >= ticket.expires) return 'no';
    for (const entry of this.history) {
      const { action } = entry;
      const gone = action.kind === 'leave' && entry.by === person;
      const named = action.kind === 'change' ? [action.change.remove, action.change.uninvite].flat() : [];
      if ((gone || named.includes(person)) && ticket.issued <= entry.at) return 'no';
    }
    if (ticket.from !== this.creator && !this.admins.includes(ticket.from)) return 'no';
    if (!this.#devices.lists[ticket.list]) return 'later';
    const highest = Math.max(ticket.list, this.highestList(ticket.from));
    const stood = this.#isListed(ticket.device, ticket.list, ticket.issued);
    return stood && this.#isListed(ticket.device, highest, at) ? 'yes' : 'no';
  }

  #mayChange(by: string, change: ModelChange): boolean {
    const { members, creator, admins } = this;
    const isCreator = by === creator;
    if (!members.includes(by) || !(isCreator || admins.includes(by))) return false;
    const fields = Object.keys(change).filter((field) => change[field as keyof ModelChange] !== undefined);
    const forAdmins = ['remove', 'uninvite', 'name', 'timer'];
    if (!isCreator && fields.some((field) => !forAdmins.includes(field))) return false;
    for (const gone of change.remove ?? []) {
      if (!members.includes(gone) || gone === by || gone === creator) return false;
      if (!isCreator && admins.includes(gone)) return false;
    }
    const left = members.filter((member) => !change.remove?.includes(member));
    if (change.creator !== undefined) {
      if (change.creator === creator || !left.includes(change.creator)) return false;
      if (fields.some((field) => ['bots', 'links', 'unsignedBots'].includes(field))) return false;
    }
    const next = change.creator ?? creator;
    if (change.admins?.some((admin) => admin === next || !left.includes(admin))) return false;
    return change.join !== 'password' || change.joinKey === true || this.#lastSet('joinKey') === true;
  }
}
