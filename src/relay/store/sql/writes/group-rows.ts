/** The rows of a group, deleted together. */
import type { GroupKey } from '../../records.ts';
import type { Database } from '../database.ts';

/** A function that deletes a group with its chain and tokens. It returns the ids of the tokens. */
export function groupRemover(database: Database): (group: GroupKey) => Promise<string[]> {
  const deleteTokens = database.prepare<[number], { public_id: string }>(
    'DELETE FROM credential WHERE group_id = ? RETURNING public_id',
  );
  const deletePeople = database.prepare('DELETE FROM roster_person WHERE group_id = ?');
  const deleteEntries = database.prepare('DELETE FROM roster_entry WHERE group_id = ?');
  const deleteUninvited = database.prepare('DELETE FROM roster_uninvited WHERE group_id = ?');
  const deleteAdmissions = database.prepare('DELETE FROM group_admission WHERE group_id = ?');
  const deleteGroup = database.prepare('DELETE FROM chat_group WHERE id = ?');

  return async (group) => {
    const tokens = await deleteTokens.all(group);
    await deletePeople.run(group);
    await deleteEntries.run(group);
    await deleteUninvited.run(group);
    await deleteAdmissions.run(group);
    await deleteGroup.run(group);
    return tokens.map((token) => token.public_id);
  };
}
