/** The fields of a group that an entry sets, with their values before it: for undoing. */
import type { RosterBody } from './forms.ts';
import { changedRoles, roleOf } from './roles.ts';
import type { RosterState } from './state.ts';

/** Fields with one value for each group. */
export type GroupField = 'name' | 'description' | 'join' | 'joinKey' | 'timer' | 'unsignedBots';
/** Fields with one value for each subject: a member's address, or a key. */
export type SubjectField = 'member' | 'role' | 'bot' | 'link';

/** A field that an entry sets. */
export interface SetField {
  /** A {@link GroupField}, or a {@link SubjectField} with its subject: `role/0x…`. */
  readonly field: GroupField | `${SubjectField}/${string}`;
  readonly before: FieldValue;
  readonly value: FieldValue;
}
/** Of a member, whether it is one; of a bot its name, of a link its end, each null for none. */
export type FieldValue = string | number | boolean | null;

/** The values that are replaced by {@link setFields}. */
export type FieldsBefore = Pick<RosterState, GroupField | 'admins' | 'creator' | 'bots' | 'links'>;

const GROUP_FIELDS = ['name', 'description', 'join', 'joinKey', 'timer', 'unsignedBots'] as const;

/**
 * The fields that a valid entry sets, also to the same value, and those that end with the creator's rights. Empty for a creation,
 * which replaces nothing.
 */
export function setFields(before: FieldsBefore, body: RosterBody, after: FieldsBefore): SetField[] {
  if (body.kind === 'create') return [];
  const roles = changedRoles(before, after).map(
    (address): SetField => ({
      field: `role/${address}`,
      before: roleOf(before, address),
      value: roleOf(after, address),
    }),
  );
  if (body.kind === 'join') return [{ field: `member/${body.by}`, before: false, value: true }];
  const isChange = body.kind === 'change';
  const removed = isChange ? (body.remove ?? []) : [body.by];
  const isSet = (field: GroupField) =>
    (isChange && body[field] !== undefined) || before[field] !== after[field];
  return [
    ...GROUP_FIELDS.filter(isSet).map(
      (field): SetField => ({ field, before: before[field], value: after[field] }),
    ),
    ...removed.map((address): SetField => ({ field: `member/${address}`, before: true, value: false })),
    ...roles,
    ...changedKeys('bot', namesOf(before), namesOf(after)),
    ...changedKeys('link', endsOf(before), endsOf(after)),
  ];
}

const namesOf = ({ bots }: FieldsBefore) => new Map(bots.map(({ key, name }) => [key, name]));
const endsOf = ({ links }: FieldsBefore) => new Map(links.map(({ key, expires }) => [key, expires]));

function changedKeys(
  field: 'bot' | 'link',
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): SetField[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [old, value] = [before.get(key) ?? null, after.get(key) ?? null];
    return old === value ? [] : [{ field: `${field}/${key}` as const, before: old, value }];
  });
}
