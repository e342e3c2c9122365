/**
 * The rows of a group, taken away together.
 */
import type { GroupKey } from '../../records.ts';
import type { Database } from '../database.ts';

/** A function that takes a group away with its chain and tokens. It gives the ids of the tokens. */
export function groupRemover(database: Database): (group: GroupKey) => string[] {
  const deleteTokens = database.prepare<[number], { public_id: string }>(
    'DELETE FROM credential WHERE group_id = ? RETURNING public_id',
  );
  const deletePeople = database.prepare('DELETE FROM roster_person WHERE group_id = ?');
  const deleteEntries = database.prepare('DELETE FROM roster_entry WHERE group_id = ?');
  const deleteUninvited = database.prepare('DELETE FROM roster_uninvited WHERE group_id = ?');
  const deleteText = database.prepare('DELETE FROM group_text WHERE rowid = ?');
  const deleteGroup = database.prepare('DELETE FROM chat_group WHERE id = ?');

  return (group) => {
    const tokens = deleteTokens.all(group);
    deletePeople.run(group);
    deleteEntries.run(group);
    deleteUninvited.run(group);
    deleteText.run(group);
    deleteGroup.run(group);
    return tokens.map((token) => token.public_id);
  };
}
