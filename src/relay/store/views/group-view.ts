/**
 * A group in the form of the API, without its restricted fields: read at one moment, so that the members match the
 * entry that it names.
 */
import { encodeTime } from '../../../protocol/encoding.ts';
import type { GroupEntry, GroupView } from '../../../protocol/schemas/groups.ts';
import type { GroupMember, GroupRecord } from '../group-records.ts';
import { currentSealKeys } from './current-seal-keys.ts';
import { describeHandle } from './describe-handle.ts';

/** The part for all readers of the group. */
export type SharedView = Omit<GroupView, 'botTokens'>;

/** A group in the form of the directory. */
export function describeEntry(group: GroupRecord): GroupEntry {
  const { id, name, verified, memberCount, join } = group;
  const creator = group.creator?.address ?? null;
  return { id, name, verified, memberCount, hasPassword: join === 'password', join, creator };
}

/**
 * @param members in the order of their addresses
 * @param now in milliseconds since 1970: only keys in force are included
 */
export function describeGroup(group: GroupRecord, members: readonly GroupMember[], now: number): SharedView {
  const addresses = members.map(({ address }) => address);
  const memberDeviceKeys: GroupView['memberDeviceKeys'] = {};
  const memberDevices: GroupView['memberDevices'] = {};
  const memberProfiles: GroupView['memberProfiles'] = {};
  for (const { address, devices, profile } of members) {
    if (profile) memberProfiles[address] = describeHandle(profile);
    const sealKeys = devices ? currentSealKeys(devices, now) : [];
    memberDeviceKeys[address] = sealKeys.map(({ key }) => key);
    if (devices) memberDevices[address] = { deviceList: devices.deviceList, sealKeys };
  }
  return {
    ...describeEntry(group),
    description: group.description,
    createdAt: encodeTime(group.createdAt),
    roster: group.roster,
    members: addresses,
    memberDeviceKeys,
    memberDevices,
    memberProfiles,
  };
}
