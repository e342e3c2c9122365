"""Sections 7 and 9 of docs/protocol.md: reading the queue, and what becomes of each copy."""

from . import contents, judging
from .account import now_ms
from .devices import device_in
from .forms import Malformed, b64, require, time_ms, unb64
from .payload import BOT, decode, fallback_of
from .relay import Problem, part
from .sealing import AS_REQUEST, NotOpened, open_sealed
from .sending import Sender
from .trust import Held


MAX_HELD = 1_000
"""Messages of groups that wait for an entry."""


class SetAside(Exception):
    """A copy that is not shown, and acknowledged all the same."""


class Hold(Exception):
    """A message of a group that names an entry which the chain does not have."""


class Recipient(Sender):
    """An account that receives as well. What it says of groups, Member (groups.py) judges."""

    def receive(self, wait=0):
        """Reads the queue to its end: opens, judges, stores, acknowledges. Returns what is shown, and what was set aside."""
        # Stored until it was handed out: a crash after the acknowledgement loses nothing.
        shown, more = self.state["shown"], True
        device = b64(self.device.id)
        while more:
            page = self.call("GET", f"/inbox?device={part(device)}&wait={wait}")
            require(page["device"] == device, "the queue of another device")
            wait, more = 0, page["more"]
            for envelope in page["envelopes"]:
                shown.append(self._take(envelope))
            self.state.save()
            if page["envelopes"]:
                ids = [envelope["id"] for envelope in page["envelopes"]]
                self.call("POST", "/inbox/ack", {"device": device, "ids": ids})
        self.state["received"]["lastEnd"] = now_ms()
        self.state.save()
        self.erase_old_keys()
        shown += self.judge_held()
        self.state["shown"] = []
        return shown

    def _take(self, envelope):
        """What becomes of one copy."""
        kept = self.state["received"]
        at = judging.received(now_ms(), time_ms(envelope["receivedAt"]), kept["previous"], kept["lastEnd"])
        kept["previous"] = at
        try:
            payload, flags, numbers = self._open(envelope)
            return self.judge(envelope, payload, flags, numbers, at)
        except (SetAside, Malformed) as error:
            return {"setAside": str(error)}

    def _open(self, envelope):
        if envelope["toAddress"] != self.address:
            raise SetAside("to another address")
        parts = [unb64(envelope[name]) for name in ("ciphertext", "ephemeralPublicKey", "nonce")]
        as_request = envelope.get("asRequest", False)
        for secret in self.secrets(envelope.get("recipientDeviceKey")):
            try:
                return open_sealed(*parts, as_request, secret, envelope["from"], self.address)
            except NotOpened:
                continue
        raise SetAside("does not open")

    def judge(self, envelope, data, flags, numbers, at):
        """The steps of section 7, 'Steps of a recipient', from the second on. Raises SetAside."""
        payload = decode(data)
        fields, sender = payload.fields, envelope["from"]
        if envelope.get("groupId") != (fields["groupId"] if payload.is_group else None):
            raise SetAside("another channel than its payload")
        if fields["sender"] != sender:
            raise SetAside("another sender")
        if not payload.is_group and self.address not in (fields["peer"], sender):
            raise SetAside("for another person")
        kind = contents.judge(fields, payload.is_group)
        is_by_token = not payload.is_signed and envelope["via"] == "group_token"
        # What came by a group token is for the group to allow.
        proof = None if is_by_token else self._prove_sender(payload, envelope, numbers, kind, at)
        taken = self.state["taken"].get(f'{sender} {fields["id"]}', {"ways": []})
        if judging.was_taken(taken["ways"], payload.is_signed):
            raise SetAside("seen before")
        if kind == "hello" and proof == "signed":
            # Before it is looked up where the sender stands: the relay may hide the very entries that it brings.
            self.take_entries(fields)
        notes = {}
        if payload.is_group:
            try:
                notes = self.judge_roster(payload, at, is_by_token)
            except Hold:
                held = [*self.state["held"], [envelope, b64(data), flags, list(numbers), at]]
                self.state["held"] = held[-MAX_HELD:]
                return {"held": fields["id"], "from": sender}
        proof = proof or notes.pop("proof", "token")
        if not judging.may_be_sent(proof, payload.is_group, fields["kind"]):
            raise SetAside("not allowed to send that")
        if not judging.is_timely(now_ms(), time_ms(fields["sentAt"]), self.state["retention"]):
            raise SetAside("too old, or ahead of the time")
        self._note_taken(sender, payload)
        if kind == "unknown":
            return {"kept": fields["kind"], "from": sender}
        if kind == "hello":
            return {"hello": sender}
        if proof == "signed" and not payload.is_group and sender not in self.state["peers"]:
            self.state["peers"].append(sender)
        text = fields["text"] if kind == "text" else fallback_of(fields)
        shown = {"from": sender, "id": fields["id"], "kind": kind, "text": text, "proof": proof, **notes}
        shown["asRequest"] = bool(flags & AS_REQUEST)
        if kind == "invite":
            shown |= {name: fields[name] for name in ("group", "name", "ticket")}
        return shown | ({"groupId": fields["groupId"]} if payload.is_group else {"peer": fields["peer"]})

    def _note_taken(self, sender, payload):
        taken = self.state["taken"].setdefault(f'{sender} {payload.fields["id"]}', {"ways": []})
        taken["ways"].append("signed" if payload.is_signed else "unsigned")
        taken["at"] = now_ms()
        old = [key for key, one in self.state["taken"].items() if one["at"] + judging.REMEMBER < now_ms()]
        for key in old:
            del self.state["taken"][key]

    def _prove_sender(self, payload, envelope, numbers, kind, at):
        """How the sender of what came by no group token is known: `signed` or `api`. Raises SetAside."""
        sender, known = envelope["from"], self.known(envelope["from"])
        if payload.is_signed and kind == "hello":
            self._take_lists(known, payload.fields.get("lists", []))
        if payload.auth == BOT:
            raise SetAside("a bot has a group token")
        way = "signed" if payload.is_signed else "api"
        if not self._proves(known, payload, way, at) or numbers[0] > known.pin["sequence"]:
            known = self.ask_again(sender)
            if not self._proves(known, payload, way, at):
                raise SetAside(f"not proven: {way}")
        if way == "signed":
            claim = payload.fields["list"]
            is_open = known.claim(b64(payload.signer), claim["sequence"], claim["hash"])
            self.remember(known)
            if is_open:
                self.ask_again(sender)
        return way

    def _proves(self, known, payload, way, at):
        """Whether the device list that is known lets this sender write so."""
        if not known.pin:
            return False
        if way != "signed":
            return way in known.pin["unsigned"]
        device = device_in(known.pin, b64(payload.signer))
        return bool(device) and at < time_ms(device["validUntil"]) and payload.holds_under(unb64(device["key"], 32))

    def _take_lists(self, known, lists):
        """Judges the lists of a `hello`, before its sender is proven."""
        if known.pin and lists:
            known.take_list(lists[-1], self._after_pin(known, lists[:-1]), now_ms(), by_relay=False)
            self.remember(known)

    def _after_pin(self, known, lists):
        return [one for one in lists if one["sequence"] > known.pin["sequence"]]

    def ask_again(self, address):
        """Asks for the keys of an address; returns what is then remembered of it."""
        try:
            self.keys(address)
        except Held:
            pass
        except Problem as error:
            if error.code != "not_found":
                raise
        return self.known(address)
