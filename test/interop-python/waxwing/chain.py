"""Section 11 of docs/protocol.md, 'Rosters': the fold of a group's chain, and what counts as evidence against a relay."""

import copy

from .devices import SKEW, device_in, signed_by
from .forms import DAY, Malformed, b64, time_ms, unb64
from .roster import Entry, group_id, join_bytes, ticket_bytes

MAX_ENTRIES = 50_000
MAX_ENTRIES_TO_JOIN = 40_000
MAX_MEMBERS = 5_000
MAX_JOINS = 5
MAX_UNINVITED = 5_000
TICKET_LIFE = 30 * DAY
ADMIN_FIELDS = {"remove", "uninvite", "name", "description", "timer"}


class Refused(Exception):
    """An entry that does not fold. `reason` is in the words of the vectors."""

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


class Newer(Exception):
    """An entry that a later version wrote."""


class Wait(Exception):
    """An entry that is to be judged again: when the clock says `until` (ms), or when `address` has the list `sequence`."""

    def __init__(self, until=None, address=None, sequence=None):
        super().__init__("the clock" if until is not None else f"list {sequence} of {address}")
        self.until = until
        self.address = address
        self.sequence = sequence


def allow(holds, reason):
    """Raises Refused for this reason unless `holds`."""
    if not holds:
        raise Refused(reason)


class Chain:
    """What a group's chain folds to. `lists(address, number)` gives a proven device list, or None if there is none yet."""

    def __init__(self, group, lists):
        self.group = group
        self.lists = lists
        self.entries = []
        self.hash = None
        self.issued = 0
        self.members = set()
        self.creator = None
        self.admins = set()
        self.name = None
        self.description = ""
        self.join = "invite"
        self.join_key = None
        self.bots = []
        self.links = []
        self.timer = 0
        self.unsigned_bots = False
        # The highest device list that the chain names, by address.
        self.named = {}
        # When each address joined, as far as the last 24 hours of its joins tell.
        self.joins = {}
        # Who was removed and has not been a member since.
        self.removed = set()
        # When each address last left or was removed, and when it was uninvited.
        self.gone = {}
        self.uninvited = {}
        # No ticket counts that was issued then or before.
        self.floor = -1
        # Of each address: [epoch in which it came, epoch in which it went or None, when that was issued].
        self.stays = {}
        # [epoch, when it was issued, address] of each removal.
        self.removals = []
        # [epoch, when it was issued, who did it, bot] of each bot that was taken out.
        self.ended_bots = []

    @property
    def epoch(self):
        """The number of the newest entry."""
        return len(self.entries)

    def newest(self):
        """The newest entry, as messages name it."""
        return {"epoch": self.epoch, "hash": b64(self.hash)}

    def may_lead(self, address):
        """Whether this address is creator or admin."""
        return address == self.creator or address in self.admins

    def was_member(self, address, epoch):
        """Whether this address was a member after the entry of this epoch."""
        return any(came <= epoch and (went is None or epoch < went) for came, went, _ in self.stays.get(address, []))

    def fold(self, wire, now):
        """Appends an entry, at `now` in milliseconds. Raises Refused, Newer or Wait, and then changes nothing."""
        allow(self.epoch < MAX_ENTRIES, "too_many_entries")
        entry = self._parse(wire)
        self._check_place(entry)
        if entry.issued > now + SKEW:
            raise Wait(until=entry.issued - SKEW)
        self._check_signer(entry)
        if entry.is_newer():
            raise Newer
        try:
            entry.check_fields()
        except Malformed as error:
            raise Refused("malformed") from error
        getattr(self, f"_check_{entry.kind}")(entry)
        bots = self.bots
        getattr(self, f"_apply_{entry.kind}")(entry)
        keys = {bot["key"] for bot in self.bots}
        self.ended_bots += [[entry.epoch, entry.issued, entry.by, bot] for bot in bots if bot["key"] not in keys]
        self._append(entry)
        return entry

    def _parse(self, wire):
        try:
            return Entry(wire)
        except Malformed as error:
            raise Refused("malformed") from error

    def _check_place(self, entry):
        allow(entry.epoch == self.epoch + 1, "wrong_epoch")
        allow(entry.previous == self.hash, "wrong_previous")
        allow((entry.kind == "create") == (entry.epoch == 1), "misplaced_create")
        if entry.epoch == 1:
            allow(group_id(entry.body) == self.group, "wrong_group")
        allow(entry.issued >= self.issued, "issued_too_early")

    def _check_signer(self, entry):
        allow(entry.list >= self.named.get(entry.by, 0), "list_too_low")
        device = device_in(self._list(entry.by, entry.list), entry.device)
        allow(device, "unknown_device")
        allow(entry.issued < time_ms(device["validUntil"]), "device_expired")
        allow(entry.signed_by(device, self.group), "wrong_signature")

    def _list(self, address, number):
        """A proven device list. Raises Wait if it is not to be had yet."""
        proven = self.lists(address, number)
        if proven is None:
            raise Wait(address=address, sequence=number)
        return proven

    def _append(self, entry):
        self.entries.append(entry)
        self.hash = entry.hash
        self.issued = entry.issued
        self.named[entry.by] = entry.list

    def _check_create(self, entry):
        pass

    def _apply_create(self, entry):
        self.name = entry.fields["name"]
        self.creator = entry.by
        self._enter(entry.by, entry)

    def _check_join(self, entry):
        allow(entry.by not in self.members, "already_member")
        recent = [at for at in self.joins.get(entry.by, []) if at > entry.issued - DAY]
        allow(len(recent) < MAX_JOINS, "too_many_joins")
        allow(len(self.members) < MAX_MEMBERS, "too_many_members")
        if "ticket" in entry.fields:
            self._check_ticket(entry, entry.fields["ticket"])
            return
        allow(entry.by not in self.removed and self.epoch < MAX_ENTRIES_TO_JOIN, "ticket_needed")
        proof = join_bytes(self.group, self.hash, entry.by)
        if "link" in entry.fields:
            shown = entry.fields["link"]
            link = next((one for one in self.links if one["key"] == shown["key"]), None)
            allow(link, "unknown_link")
            allow(entry.issued < time_ms(link["expires"]), "link_expired")
            allow(signed_by(unb64(shown["key"]), unb64(shown["signature"]), proof), "wrong_link_signature")
        elif "password" in entry.fields:
            allow(self.join == "password", "no_password")
            allow(signed_by(unb64(self.join_key), unb64(entry.fields["password"]), proof), "wrong_password")
        else:
            allow(self.join == "open", "proof_needed")

    def _check_ticket(self, entry, ticket):
        issued, expires = time_ms(ticket["issued"]), time_ms(ticket["expires"])
        signer = ticket["by"]
        allow(ticket["address"] == entry.by, "ticket_for_another")
        allow(issued < expires <= issued + TICKET_LIFE, "ticket_life")
        allow(issued <= entry.issued, "ticket_not_yet")
        allow(entry.issued < expires, "ticket_expired")
        ended = max(self.gone.get(entry.by, -1), self.uninvited.get(entry.by, -1), self.floor)
        allow(issued > ended, "ticket_void")
        allow(self.may_lead(signer), "ticket_signer")
        device = device_in(self._list(signer, ticket["list"]), ticket["deviceId"])
        highest = max(ticket["list"], self.named.get(signer, 0))
        standing = device_in(self._list(signer, highest), ticket["deviceId"])
        allow(device and standing, "ticket_device")
        allow(issued < time_ms(device["validUntil"]), "ticket_device_expired")
        allow(entry.issued < time_ms(standing["validUntil"]), "ticket_device_expired")
        signature = unb64(ticket["signature"], 64)
        allow(signed_by(unb64(device["key"]), signature, ticket_bytes(self.group, ticket)), "wrong_ticket_signature")

    def _apply_join(self, entry):
        self.joins.setdefault(entry.by, []).append(entry.issued)
        self.joins[entry.by] = self.joins[entry.by][-MAX_JOINS:]
        self.removed.discard(entry.by)
        self._enter(entry.by, entry)
        if ticket := entry.fields.get("ticket"):
            self.named[ticket["by"]] = max(ticket["list"], self.named.get(ticket["by"], 0))

    def _check_leave(self, entry):
        allow(entry.by in self.members, "not_a_member")

    def _apply_leave(self, entry):
        self._go(entry.by, entry)

    def _check_change(self, entry):
        change = {name: value for name, value in entry.fields.items()}
        remove = set(change.get("remove", []))
        creator = change.get("creator", self.creator)
        fields = set(change) - {"epoch", "previous", "issued", "by", "list", "kind"}
        allow(entry.by in self.members, "not_a_member")
        allow(self.may_lead(entry.by), "not_allowed")
        allow(entry.by == self.creator or fields <= ADMIN_FIELDS, "not_allowed")
        allow(remove <= self.members, "remove_not_a_member")
        kept = {self.creator} if entry.by == self.creator else {self.creator, *self.admins}
        allow(not remove & kept, "remove_not_allowed")
        if "creator" in change:
            allow(creator in self.members - remove and creator != entry.by, "wrong_creator")
            allow(not fields & {"bots", "links", "unsignedBots"}, "bots_with_transfer")
        admins = set(change.get("admins", []))
        allow(admins <= self.members - remove - {creator}, "admin_not_a_member")
        has_key = "joinKey" in change or self.join_key is not None
        allow(change.get("join") != "password" or has_key, "join_key_missing")

    def _apply_change(self, entry):
        change = entry.fields
        for address in change.get("remove", []):
            self._go(address, entry)
            self.removed.add(address)
            self.removals.append([entry.epoch, entry.issued, address])
        if "creator" in change:
            self._hand_over(change["creator"])
        self._uninvite(change.get("uninvite", []), entry.issued)
        self.name = change.get("name", self.name)
        self.description = change.get("description", self.description)
        self.join = change.get("join", self.join)
        self.join_key = change.get("joinKey", self.join_key)
        self.admins = set(change.get("admins", self.admins))
        self.bots = change.get("bots", self.bots)
        self.links = change.get("links", self.links)
        self.timer = change.get("timer", self.timer)
        self.unsigned_bots = change.get("unsignedBots", self.unsigned_bots)

    def _uninvite(self, addresses, issued):
        """Keeps the newest 5,000, and forgets those with one time together."""
        self.uninvited.update(dict.fromkeys(addresses, issued))
        while len(self.uninvited) > MAX_UNINVITED:
            self.floor = max(self.floor, min(self.uninvited.values()))
            self.uninvited = {address: at for address, at in self.uninvited.items() if at > self.floor}

    def _enter(self, address, entry):
        self.members.add(address)
        self.stays.setdefault(address, []).append([entry.epoch, None, None])

    def _go(self, address, entry):
        self.members.discard(address)
        self.admins.discard(address)
        self.gone[address] = entry.issued
        self.stays[address][-1][1:] = [entry.epoch, entry.issued]
        if address == self.creator:
            self._hand_over(None)

    def __deepcopy__(self, memo):
        """A chain of its own. Lists are asked for where they were: what fetches them is not copied."""
        made = copy.copy(self)
        for name, value in vars(self).items():
            if name != "lists":
                setattr(made, name, copy.deepcopy(value, memo))
        return made

    def _hand_over(self, creator):
        """Nobody else answers for bots and links."""
        self.creator = creator
        self.admins.discard(creator)
        self.bots, self.links, self.unsigned_bots = [], [], False


def evidence(chain, wire, now):
    """What an entry that somebody sends says: `shown`, `follows` (post it), `split`, `nothing`, or `wait` for a list."""
    try:
        entry = Entry(wire)
    except Malformed:
        return "nothing"
    if entry.epoch <= chain.epoch and chain.entries[entry.epoch - 1].hash == entry.hash:
        return "shown"
    try:
        copy.deepcopy(chain).fold(wire, now)
        return "follows"
    except (Refused, Newer):
        pass
    except Wait:
        return "wait"
    later = chain.entries[entry.epoch - 1 :]
    if entry.kind != "change" or not chain.may_lead(entry.by) or any(one.by == entry.by for one in later):
        return "nothing"
    named = chain.lists(entry.by, entry.list)
    highest = chain.lists(entry.by, max(entry.list, chain.named.get(entry.by, 0)))
    if named is None or highest is None:
        return "wait"
    device = device_in(named, entry.device)
    if not device or not device_in(highest, entry.device) or not entry.signed_by(device, chain.group):
        return "nothing"
    return "split"
