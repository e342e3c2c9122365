/**
 * The index of names that a search looks into. It has the groups that are listed.
 */
import type { GroupKey } from '../../records.ts';
import type { Database } from '../database.ts';

export function groupTexts(database: Database) {
  const insert = database.prepare('INSERT INTO group_text (rowid, name) VALUES (?, ?)');
  const insertNamed = database.prepare(
    'INSERT INTO group_text (rowid, name) SELECT id, name FROM chat_group WHERE id = ?',
  );
  const remove = database.prepare('DELETE FROM group_text WHERE rowid = ?');

  return {
    show: (group: GroupKey, name: string) => insert.run(group, name),
    /** Under the name that the group has. */
    showAsNamed: (group: GroupKey) => insertNamed.run(group),
    hide: (group: GroupKey) => remove.run(group),
    rename(group: GroupKey, name: string): void {
      remove.run(group);
      insert.run(group, name);
    },
  };
}
