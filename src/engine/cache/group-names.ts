/**
 * Equal names in groups. A group has up to thousands of members, and each page of its messages and each of its rows in the chat list
 * needs to know which of them have equal names. So they are compared once, until a name or the group changes.
 */
import { type HasNamesake, namesakesIn } from '../../base/person-name.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import { membersOf } from '../../protocol/roster/state.ts';
import type { Contacts } from './contacts.ts';
import type { Cache } from './database.ts';
import type { StoredGroup } from './group-chains.ts';

/** Names in memory, about 100 bytes each: those of 16 of the largest groups, or of many small ones. */
const MAX_NAMES = 80_000;

/** The compared names of a group. */
interface Compared {
  hash: string | null;
  changes: number;
  size: number;
  hasNamesake: HasNamesake;
}

/** Counts changes of names on this connection, which alone writes them. A name has its parts in three tables. */
const countedChanges = `
CREATE TEMP TABLE name_changes (count INTEGER NOT NULL);
INSERT INTO name_changes VALUES (0);
${(
  [
    ['contacts', 'INSERT', ''],
    ['contacts', 'UPDATE OF handle, display_name', ''],
    ['contacts', 'DELETE', ''],
    ['faces', 'INSERT', ''],
    ['faces', 'UPDATE OF name', ''],
    ['faces', 'DELETE', ''],
    ['own_registers', 'INSERT', "WHEN new.key GLOB 'nickname/*'"],
    ['own_registers', 'UPDATE', "WHEN new.key GLOB 'nickname/*'"],
    ['own_registers', 'DELETE', "WHEN old.key GLOB 'nickname/*'"],
  ] as const
)
  .map(
    ([table, event, condition], index) =>
      `CREATE TEMP TRIGGER name_change_${index} AFTER ${event} ON main.${table} ${condition}
       BEGIN UPDATE name_changes SET count = count + 1; END;`,
  )
  .join('\n')}
`;

export class GroupNames {
  readonly #db: Cache;
  readonly #contacts: Contacts;
  readonly #changes;
  readonly #most: number;
  /** By the id of the group. The last compared one is last. */
  readonly #known = new Map<string, Compared>();
  /** Number of names in it. */
  #size = 0;

  /** @param most names in memory */
  constructor(db: Cache, contacts: Contacts, most = MAX_NAMES) {
    db.exec(countedChanges);
    this.#db = db;
    this.#contacts = contacts;
    this.#most = most;
    this.#changes = db.prepare<[], number>('SELECT count FROM name_changes').pluck();
  }

  /** Compares a person with the other members of a group. */
  hasNamesakeIn({ groupId, state }: StoredGroup): HasNamesake {
    const changes = this.#changes.get() ?? 0;
    const known = this.#known.get(groupId);
    if (known?.changes === changes && known.hash === state.hash) return known.hasNamesake;
    const people = this.#contacts.profiles(membersOf(state));
    const hasNamesake = namesakesIn(
      people.map((each) => ({ ...each, address: toChecksumAddress(each.address) })),
    );
    // A rollback would restore other names, and an earlier count.
    if (!this.#db.inTransaction)
      this.#remember(groupId, { hash: state.hash, changes, size: people.length, hasNamesake });
    return hasNamesake;
  }

  #remember(groupId: string, compared: Compared): void {
    this.#forget(groupId);
    this.#known.set(groupId, compared);
    this.#size += compared.size;
    for (const oldest of this.#known.keys()) {
      if (this.#size <= this.#most) break;
      this.#forget(oldest);
    }
  }

  #forget(groupId: string): void {
    this.#size -= this.#known.get(groupId)?.size ?? 0;
    this.#known.delete(groupId);
  }
}
