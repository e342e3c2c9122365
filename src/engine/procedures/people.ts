/** People: found by handle or address, and the known facts about their keys. */

import { parseAddress } from '../../base/address.ts';
import { Failure } from '../../base/failure.ts';
import { toName } from '../../base/names.ts';
import type { ContactDetails, ContactDevice, DeviceListSide } from '../../bridge/shapes/contact.ts';
import type { DeviceList } from '../../protocol/device-list.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import { toLabel } from '../../protocol/label.ts';
import type { Contact } from '../cache/contacts.ts';
import type { ForkSide } from '../directory.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { namesOf, toConversation, toPerson } from '../views/conversations.ts';
import type { Procedures } from './implementation.ts';

type Names = Extract<keyof Procedures, `people.${string}`>;

const PAGE = 30;

/**
 * Age of the last sign of a device from which the person is warned, in milliseconds. Devices renew their keys
 * daily.
 */
const NOT_SEEN_AFTER = 14 * 24 * 3_600_000;

export function peopleProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;

  const details = (address: string): ContactDetails => {
    const { directory } = requireOnline(parts);
    const contact = context.contacts.ensure(address, context.now());
    const { deviceList } = contact;
    const seenAt = directory.lastSeenAt(address);
    const fork = directory.forkOf(address);
    return {
      person: toPerson(context.contacts.profile(contact.address)),
      about: context.faces.get(contact.address)?.about ?? null,
      listSequence: deviceList?.sequence ?? 0,
      devices: deviceList ? toDevices(deviceList) : [],
      notPostQuantum: contact.sealKeys.flatMap(({ deviceId, pq }) => (pq === null ? [deviceId] : [])),
      unsigned: [...(deviceList?.unsigned ?? [])],
      firstSeenAt: deviceList ? contact.firstSeenAt : null,
      notSeenSince: seenAt !== null && context.now() - seenAt > NOT_SEEN_AFTER ? seenAt : null,
      problem: directory.problemOf(address),
      fork: fork && { known: toSide(fork.known), other: toSide(fork.other) },
    };
  };

  return {
    'people.resolve': async ({ query }) => {
      const { directory, account } = requireOnline(parts);
      const text = query.trim();
      let contact: Contact | null;
      if (/^0x/i.test(text)) {
        const address = parseAddress(text);
        contact = await directory.contact(address);
        if (!contact.deviceList) {
          throw new Failure('address_unknown');
        }
      } else {
        const handle = text.replace(/^@/, '').toLowerCase();
        if (!/^[a-z][a-z0-9_]{2,31}$/.test(handle)) {
          throw new Failure('handle_or_address_malformed');
        }
        contact = await directory.contactByHandle(handle);
        if (!contact) throw new Failure('handle_unknown', { handle });
      }
      if (contact.address === account.address) {
        throw new Failure('yourself');
      }
      return toPerson(context.contacts.profile(contact.address));
    },

    'people.search': async ({ query, verifiedOnly, cursor }) => {
      const { account } = requireOnline(parts);
      const q = toLabel(query);
      const answer = await account.relay.call('searchHandles', {
        query: {
          q,
          limit: PAGE,
          ...(verifiedOnly && { verified: true }),
          ...(cursor !== null && { cursor }),
        },
      });
      return {
        people: answer.handles
          .filter(({ address }) => address !== account.address)
          .map((record) => {
            const { nickname, pictureId } = context.contacts.profile(record.address);
            const displayName = toLabel(record.displayName ?? '') || null;
            return toPerson({ ...record, displayName, nickname, pictureId, handleVerified: record.verified });
          }),
        nextCursor: answer.nextCursor,
      };
    },

    'people.known': ({ query }) => {
      const { account } = requireOnline(parts);
      const text = query.trim().replace(/^@/, '');
      if (text === '') return [];
      return context.contacts
        .named(text, PAGE)
        .filter(({ address }) => address !== account.address)
        .map(toPerson);
    },

    'people.setVerified': ({ address, verified }) => {
      const { contacts, conversations, now } = context;
      const contact = contacts.ensure(parseAddress(address), now());
      context.own.mark('verified', contact.address, verified ? true : null);
      const { id } = conversations.ensure(contact.id, 'accepted', now());
      context.emit('conversations.changed', { ids: [String(id)] });
      const conversation = conversations.get(id);
      if (!conversation) throw new Error('a conversation that was just ensured is missing');
      return toConversation(context, conversation, namesOf(context));
    },

    'people.setNickname': ({ address, nickname }) => {
      const wire = parseAddress(address);
      context.own.mark('nickname', wire, toName(nickname ?? '') || null);
      return toPerson(context.contacts.profile(wire));
    },

    'people.details': async ({ address }) => {
      const { directory } = requireOnline(parts);
      const wire = parseAddress(address);
      // Works without the relay. A newer list is shown after it was proven.
      await directory.contact(wire).catch(() => undefined);
      return details(wire);
    },

    'people.chooseList': async ({ address, hash }) => {
      const { directory } = requireOnline(parts);
      const wire = parseAddress(address);
      const fork = directory.forkOf(wire);
      if (!fork || ![fork.known.hash, fork.other.hash].includes(hash)) {
        throw new Failure('lists_changed');
      }
      directory.choose(wire, hash);
      await directory.contact(wire, 0).catch(() => undefined);
      return details(wire);
    },
  };
}

function toDevices({ devices }: DeviceList): ContactDevice[] {
  return devices.map(({ deviceId, type, validUntil }) => ({
    id: deviceId,
    type,
    validUntil: decodeTime(validUntil),
  }));
}

function toSide({ list, hash, isShown }: ForkSide): DeviceListSide {
  const { sequence, issued } = list;
  return { hash, sequence, issuedAt: decodeTime(issued), devices: toDevices(list), isShown };
}
