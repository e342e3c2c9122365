/**
 * The members of a group as the API tells them: the part of a group's view that grows with the group.
 */
import { membersHash } from '../../../protocol/members-hash.ts';
import type { GroupView } from '../../../protocol/schemas/groups.ts';
import type { GroupMember } from '../group-records.ts';
import { currentSealKeys } from './current-seal-keys.ts';
import { describeHandle } from './describe-handle.ts';

export type MembersView = Pick<
  GroupView,
  'memberCount' | 'members' | 'memberDeviceKeys' | 'memberDevices' | 'memberProfiles' | 'membersHash'
>;

/** @param now in milliseconds since 1970: only keys in force are told */
export function describeMembers(members: readonly GroupMember[], now: number): MembersView {
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
    memberCount: members.length,
    members: addresses,
    memberDeviceKeys,
    memberDevices,
    memberProfiles,
    membersHash: membersHash(addresses),
  };
}
