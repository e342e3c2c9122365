"""Section 11 of docs/protocol.md, 'Rosters': the forms of entries and tickets, what is signed, and the ways to join."""

import hashlib
import unicodedata

from .devices import Device, signed_by
from .forms import (
    address_bytes,
    b64,
    characters,
    js_json,
    json_object,
    kind_name,
    name_form,
    require,
    sequence,
    time_ms,
    time_text,
    u32,
    u64,
    unb64,
    whole,
    wire_address,
)

LONGEST_BODY = 16_384

COMMON = ("epoch", "previous", "issued", "by", "list", "kind")
WAYS = ("open", "password", "invite")
LINK = ("key", "signature")
TICKET = ("address", "issued", "expires", "by", "list", "deviceId", "signature")
FIELDS = {
    "create": ("nonce", "name"),
    "join": ("password", "link", "ticket"),
    "leave": (),
    "change": (
        *("remove", "uninvite", "name", "description", "join", "joinKey", "admins", "bots", "links", "timer"),
        *("unsignedBots", "creator"),
    ),
}
INSIDE = {"link": LINK, "ticket": TICKET, "bots": ("key", "name"), "links": ("key", "expires")}
"""The fields inside other fields."""


class Entry:
    """An entry: its exact body, what that says, and its signature. Raises Malformed as the fold's first step says."""

    def __init__(self, wire):
        self.wire = wire
        self.body, self.device, self.signature = entry_form(wire)
        require(len(self.body) <= LONGEST_BODY, "a body has at most 16,384 bytes")
        self.fields = json_object(self.body)
        require(js_json(self.fields).encode("utf-8", "surrogatepass") == self.body, "not the one form")
        for name in COMMON:
            require(name in self.fields, name)
        self.hash = hashlib.sha256(self.body).digest()
        self.epoch = sequence(self.fields["epoch"])
        self.previous = None if self.fields["previous"] is None else unb64(self.fields["previous"], 32)
        self.issued = time_ms(self.fields["issued"])
        self.by = wire_address(self.fields["by"])
        self.list = sequence(self.fields["list"])
        self.kind = kind_name(self.fields["kind"])

    def signed_bytes(self, group):
        """What the device of `by` signs in that group."""
        return b"waxwing/roster/v1" + unb64(group, 16) + self.hash

    def signed_by(self, device, group):
        """Whether this device of a device list signed the entry, in that group."""
        return signed_by(unb64(device["key"], 32), self.signature, self.signed_bytes(group))

    def is_newer(self):
        """Whether a later version wrote it: a kind or a field that this one does not know, also inside another."""
        if self.kind not in FIELDS or any(name not in COMMON + FIELDS[self.kind] for name in self.fields):
            return True
        for name, known in INSIDE.items():
            value = self.fields.get(name)
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, dict) and any(field not in known for field in one):
                    return True
        return False

    def check_fields(self):
        """Raises Malformed unless the fields of its kind are right."""
        for name, value in self.fields.items():
            if name not in COMMON:
                FORMS[self.kind, name](value)
        if self.kind == "create":
            require("nonce" in self.fields and "name" in self.fields, "create")
        if self.kind == "join":
            require(len(self.fields) <= len(COMMON) + 1, "two proofs")


def entry_form(wire):
    """The parts of an entry as it stands on the wire: body, deviceId (base64url) and signature."""
    require(isinstance(wire, dict), "entry")
    unb64(wire.get("deviceId"), 16)
    return unb64(wire.get("body")), wire["deviceId"], unb64(wire.get("signature"), 64)


def ticket_form(ticket):
    """A ticket in its form, for whatever group."""
    require(isinstance(ticket, dict) and all(name in ticket for name in TICKET), "ticket")
    wire_address(ticket["address"])
    time_ms(ticket["issued"])
    time_ms(ticket["expires"])
    wire_address(ticket["by"])
    sequence(ticket["list"])
    unb64(ticket["deviceId"], 16)
    unb64(ticket["signature"], 64)
    return ticket


def _link_form(link):
    require(isinstance(link, dict) and all(name in link for name in LINK), "link")
    unb64(link["key"], 32)
    unb64(link["signature"], 64)


def _several(value, lowest, highest, form, key=lambda one: one):
    """A list of things in a form, none of them twice."""
    require(isinstance(value, list) and lowest <= len(value) <= highest, "how many")
    for one in value:
        form(one)
    require(len({key(one) for one in value}) == len(value), "one twice")


def _keyed(field, form):
    """The form of an object with a key of 32 bytes and one more field."""

    def check(one):
        require(isinstance(one, dict) and "key" in one and field in one, field)
        unb64(one["key"], 32)
        form(one[field])

    return check


def _one_of(*values):
    return lambda value: require(isinstance(value, type(values[0])) and value in values, "one of these")


FORMS = {
    ("create", "nonce"): lambda value: unb64(value, 16),
    ("create", "name"): name_form,
    ("join", "password"): lambda value: unb64(value, 64),
    ("join", "link"): _link_form,
    ("join", "ticket"): ticket_form,
    ("change", "remove"): lambda value: _several(value, 1, 50_000, wire_address),
    ("change", "uninvite"): lambda value: _several(value, 1, 50_000, wire_address),
    ("change", "name"): name_form,
    ("change", "description"): lambda value: value == "" or characters(value, 1000),
    ("change", "join"): _one_of(*WAYS),
    ("change", "joinKey"): lambda value: unb64(value, 32),
    ("change", "admins"): lambda value: _several(value, 0, 8, wire_address),
    ("change", "bots"): lambda value: _several(
        value, 0, 32, _keyed("name", name_form), lambda bot: bot["key"]
    ),
    ("change", "links"): lambda value: _several(value, 0, 8, _keyed("expires", time_ms), lambda link: link["key"]),
    ("change", "timer"): lambda value: whole(value, 0, 0) if value == 0 else whole(value, 30, 31_536_000),
    ("change", "unsignedBots"): _one_of(True, False),
    ("change", "creator"): wire_address,
}


def sign_entry(device, group, kind, *, epoch, previous, issued, by, number, **fields):
    """An entry that a Device signs, as it goes over the wire. `previous` in base64url or None, `issued` in milliseconds.

    `group` is None for the group that a `create` founds.
    """
    common = {"epoch": epoch, "previous": previous, "issued": time_text(issued), "by": by, "list": number, "kind": kind}
    body = js_json({**common, **fields}).encode()
    founded = group_id(body) if group is None else group
    signature = device.sign(b"waxwing/roster/v1" + unb64(founded, 16) + hashlib.sha256(body).digest())
    return {"body": b64(body), "deviceId": b64(device.id), "signature": b64(signature)}


def group_id(create):
    """The id of the group that the body of a `create` founds, in base64url."""
    return b64(hashlib.sha256(b"waxwing/group/v1" + create).digest()[:16])


def ticket_bytes(group, ticket):
    """What the creator or an admin signs of a ticket."""
    times = u64(time_ms(ticket["issued"])) + u64(time_ms(ticket["expires"]))
    return (
        b"waxwing/ticket/v1"
        + unb64(group, 16)
        + address_bytes(ticket["address"])
        + times
        + address_bytes(ticket["by"])
        + u32(ticket["list"])
    )


def join_bytes(group, previous, address):
    """What the key of the password, or of a link, signs of a join; `previous` is the hash of the last entry."""
    return b"waxwing/join/v1" + unb64(group, 16) + previous + address_bytes(address)


def admission_bytes(group, address):
    """The bytes that a link's key signs so that its holder may read the chain."""
    return b"waxwing/admission/v1" + unb64(group, 16) + address_bytes(address)


class Password:
    """The values derived from a group's password: `password_proof` for the relay, and the key that signs joins."""

    def __init__(self, group, password):
        self.normal = unicodedata.normalize("NFKC", password).encode()
        self.salt = b"waxwing/join/v1" + unb64(group, 16)
        self.k = hashlib.scrypt(self.normal, salt=self.salt, n=2**17, r=8, p=1, maxmem=2**28, dklen=64)
        self.password_proof = b64(self.k[:32])
        self.signer = Device(self.k[32:])
