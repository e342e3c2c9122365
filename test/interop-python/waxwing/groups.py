"""Section 11 of docs/protocol.md: making, joining and leaving groups, their chains, and messages in them."""

import os

from .account import now_ms
from .chain import Chain, Newer, Refused, Wait, evidence
from .devices import Device, device_in
from .forms import DAY, MINUTE, Malformed, b64, js_json, require, time_ms, time_text, unb64
from .payload import encode
from .receiving import Hold, Recipient, SetAside
from .relay import Problem, part
from .roster import Entry, Password, admission_bytes, group_id, join_bytes, sign_entry, ticket_bytes
from .trust import Held

LATE = 10 * MINUTE
"""How long a message of someone who was removed may be on its way."""

TICKET_LIFE = 7 * DAY


class Unverified(Exception):
    """Nothing is sealed for a group, for this reason."""


class Member(Recipient):
    """An account with groups: the whole client."""

    def chain(self, group):
        """The chain of a group as far as it was folded and stored."""
        chain = Chain(group, self.proven_list)
        for wire in self.state["groups"].get(group, []):
            # It was folded before: the clock has nothing to say any more.
            chain.fold(wire, time_ms("9999-12-31T23:59:59.999Z"))
        return chain

    def read_chain(self, group):
        """Folds what the relay shows after what is known, and stores it. Raises Refused, Newer or Wait as the fold does."""
        chain, more = self.chain(group), True
        try:
            while more:
                page = self.call("GET", f"/groups/{part(group)}/roster?after={chain.epoch}")
                for wire in page["entries"]:
                    chain.fold(wire, now_ms())
                require(page["entries"] or not page["more"], "a page without entries")
                more = page["more"]
        finally:
            self.state["groups"][group] = [entry.wire for entry in chain.entries]
            self.state.save()
        return chain

    def _entry(self, chain, kind, not_before=0, **fields):
        """An entry of ours for the next place of a chain."""
        place = {
            "epoch": chain.epoch + 1,
            "previous": b64(chain.hash) if chain.hash else None,
            "issued": max(now_ms(), chain.issued, not_before),
            "by": self.address,
            "number": self.known(self.address).pin["sequence"],
        }
        return sign_entry(self.device, chain.group or None, kind, **place, **fields)

    def create_group(self, name, join="invite", password=None, listed=True):
        """Makes a group with a `create` and a `change`, and returns its id."""
        first = self._entry(Chain("", self.proven_list), "create", nonce=b64(os.urandom(16)), name=name)
        group = group_id(unb64(first["body"]))
        chain = Chain(group, self.proven_list)
        chain.fold(first, now_ms())
        body, fields = {"entries": [first], "listed": listed}, {"join": join}
        if password:
            secret = Password(group, password)
            body["password"], fields["joinKey"] = secret.password_proof, b64(secret.signer.key)
        body["entries"].append(self._entry(chain, "change", **fields))
        chain.fold(body["entries"][1], now_ms())
        view = self.call("POST", "/groups", body, (200, 201))
        require(view["id"] == group and view["roster"] == chain.newest(), "another group")
        self.state["groups"][group] = body["entries"]
        self.state.save()
        return group

    def _append(self, group, kind, make):
        """Posts our entry at the end of a chain, again where another one took its place. `make(chain)` gives its fields."""
        for _ in range(5):
            chain = self.read_chain(group)
            entry = self._entry(chain, kind, **make(chain))
            chain.fold(entry, now_ms())
            try:
                answer = self.call("POST", f"/groups/{part(group)}/roster", {"entry": entry})
            except Problem as error:
                if error.code != "roster_conflict":
                    raise
                continue
            require(answer == chain.newest(), "another entry")
            self.state["groups"][group].append(entry)
            self.state.save()
            return chain
        raise Unverified("others were faster, five times")

    def change_group(self, group, **fields):
        """Changes a group, as its creator or admin. A removal is sent to all members at once."""
        chain = self._append(group, "change", lambda _: fields)
        if fields.get("remove"):
            self.post(group, "hello", entries=[chain.entries[-1].wire])
        return chain

    def leave_group(self, group):
        """Leaves a group, and forgets its chain."""
        self._append(group, "leave", lambda _: {})
        del self.state["groups"][group]
        self.state.save()

    def join_group(self, group, password=None, link=None, ticket=None):
        """Joins by password, by a link's seed of 32 bytes, by ticket, or with nothing."""
        asked, make = {}, lambda _: {}
        if password:
            secret = Password(group, password)
            asked = {"password": secret.password_proof}
            make = lambda chain: {"password": b64(secret.signer.sign(join_bytes(group, chain.hash, self.address)))}
        elif link:
            signer = Device(link)
            signed = lambda data: {"link": {"key": b64(signer.key), "signature": b64(signer.sign(data))}}
            asked = signed(admission_bytes(group, self.address))
            make = lambda chain: signed(join_bytes(group, chain.hash, self.address))
        elif ticket:
            asked = {"ticket": ticket}
            make = lambda _: {"ticket": ticket, "not_before": time_ms(ticket["issued"])}
        last = self.call("POST", f"/groups/{part(group)}/admission", asked)
        chain = self.read_chain(group)
        require(chain.epoch >= last["epoch"], "the relay has not shown the entry that it named")
        require(b64(chain.entries[last["epoch"] - 1].hash) == last["hash"], "another chain than the relay named")
        return self._append(group, "join", make)

    def invite(self, group, name):
        """Sends an invitation with a ticket, as creator or admin. Returns the id of the message."""
        chain, address = self.read_chain(group), self.resolve(name)
        issued = max(now_ms(), chain.issued + 1)
        ticket = {
            "address": address,
            "issued": time_text(issued),
            "expires": time_text(issued + TICKET_LIFE),
            "by": self.address,
            "list": self.known(self.address).pin["sequence"],
            "deviceId": b64(self.device.id),
        }
        ticket["signature"] = b64(self.device.sign(ticket_bytes(group, ticket)))
        fields = {"group": group, "name": chain.name, "ticket": ticket, "fallback": f"An invitation to {chain.name}."}
        return self.send(address, "invite", **fields)

    def view(self, group):
        """The group as the relay shows it, which must be what its chain folds to. Raises Unverified."""
        if group in self.state["split"]:
            raise Unverified("the relay shows others another chain")
        chain = self.read_chain(group)
        shown = self.call("GET", f"/groups/{part(group)}")
        require(shown["id"] == group, "another group")
        if shown["roster"] != chain.newest():
            chain = self.read_chain(group)
        if shown["roster"] != chain.newest() or sorted(shown["members"]) != sorted(chain.members):
            raise Unverified("the relay shows another end, or other members, than the chain has")
        if not self._stands(chain):
            raise Unverified("a device that was removed since has changed the group")
        return shown, chain

    def _stands(self, chain):
        """Whether a standing device of a creator or admin has signed after each change or ticket of one that was removed."""
        stands = True
        for entry in chain.entries:
            ticket = entry.fields.get("ticket") or {}
            for by, device, vouches in ((entry.by, entry.device, True), (ticket.get("by"), ticket.get("deviceId"), False)):
                if by is None or (entry.kind not in ("create", "change") and vouches):
                    continue
                pin = self.known(by).pin
                is_standing = bool(pin and device_in(pin, device))
                stands = is_standing and (stands or vouches)
        return stands

    def post(self, group, kind="text", **fields):
        """Posts into a group. Returns what was accepted, and the members to whom nothing could be sealed."""
        shown, chain = self.view(group)
        body = self.body(group, kind, groupId=group, roster=chain.newest(), **fields)
        payload = encode(True, js_json(body).encode(), self.device)
        covered, accepted, held = set(), 0, []
        for _ in range(5):
            envelopes, held = self._copies(payload, shown, covered)
            if not envelopes:
                break
            self.state["outgoing_group"] = {"group": group, "envelopes": envelopes}
            self.state.save()
            answer = self.call("POST", f"/groups/{part(group)}/envelopes", {"envelopes": envelopes})
            self.check_results(envelopes, answer["results"])
            self.state["outgoing_group"] = None
            accepted += answer["accepted"]
            covered |= {one["recipientDeviceKey"] for one in envelopes}
            # The key of this very device is always missing: it needs no copy.
            left = set(answer["missing"]) - covered - {self.state["sealKeys"][-1]["statement"]["key"]}
            if not answer["stale"] and not left:
                break
            shown, chain = self.view(group)
        self.state.save()
        return {"id": body["id"], "accepted": accepted, "held": held}

    def _copies(self, payload, shown, covered):
        """The envelopes for all keys of all members that have no copy yet, and the members who have to wait."""
        envelopes, held = [], []
        for address in sorted(shown["members"]):
            devices = shown["memberDevices"].get(address)
            try:
                statements = self.judge_keys(address, devices) if devices else []
            except Held:
                held.append(address)
                continue
            left = [one for one in statements if one["key"] not in covered]
            envelopes += self.seal_for(payload, address, left)
        return envelopes, held

    def judge_roster(self, payload, at, is_by_token):
        """Section 11, 'Messages' and 'Bots': what is to be said beside a message. Raises Hold or SetAside."""
        fields = payload.fields
        group, named, sender = fields["groupId"], fields["roster"], fields["sender"]
        if group not in self.state["groups"]:
            raise SetAside("of a group that we are not in")
        chain = self.chain(group)
        if not self._has(chain, named):
            try:
                chain = self.read_chain(group)
            except (Refused, Newer, Wait):
                chain = self.chain(group)
        if self.address not in chain.members:
            raise SetAside("of a group that we are not in")
        notes = {}
        if is_by_token:
            if not (allowed := self._by_token(chain, payload, at)):
                chain = self.read_chain(group)
                allowed = self._by_token(chain, payload, at)
            if not allowed:
                raise SetAside("by a group token, and the group does not allow it")
            notes = allowed
        if not self._has(chain, named):
            if now_ms() < at + DAY:
                raise Hold
            if sender not in chain.members:
                raise SetAside("by someone who is no member")
            return notes | {"isBeyond": True}
        if not chain.was_member(sender, named["epoch"]):
            raise SetAside("by someone who was no member")
        _, went, issued = chain.stays[sender][-1]
        if went is not None and at >= issued + LATE:
            raise SetAside("by someone who was gone")
        sent = time_ms(fields["sentAt"])
        unaware = [a for epoch, on, a in chain.removals if epoch > named["epoch"] and sent >= on + LATE]
        if unaware:
            notes["unaware"] = unaware
        return notes

    def _by_token(self, chain, payload, at):
        """How the group allows what came by a group token: the proof, and the name of a bot. None if it does not."""
        sender, named = payload.fields["sender"], payload.fields["roster"]
        if not payload.signer:
            return {"proof": "token"} if sender == chain.creator and chain.unsigned_bots else None
        standing = chain.bots if sender == chain.creator else []
        ended = [
            bot
            for epoch, issued, by, bot in chain.ended_bots
            if self._has(chain, named) and named["epoch"] < epoch and by == sender and at < issued + LATE
        ]
        for bot in [*standing, *ended]:
            if payload.holds_under(unb64(bot["key"], 32)):
                return {"proof": "bot", "bot": bot["name"]}
        return None

    def _has(self, chain, named):
        """Whether the chain has this entry."""
        if named["epoch"] > chain.epoch:
            return False
        return b64(chain.entries[named["epoch"] - 1].hash) == named["hash"]

    def judge_held(self):
        """Judges again the messages that name an entry which was not there; what is shown now."""
        held, self.state["held"] = self.state["held"], []
        shown = []
        for envelope, data, flags, numbers, at in held:
            try:
                one = self.judge(envelope, unb64(data), flags, numbers, at)
            except (SetAside, Malformed) as error:
                one = {"setAside": str(error)}
            if "held" not in one:
                shown.append(one)
        self.state.save()
        return shown

    def take_entries(self, fields):
        """Judges the entries of a `hello`, whoever sent them: posts what follows, and notes what proves two chains."""
        group = fields.get("group") or fields.get("groupId")
        if group not in self.state["groups"]:
            return
        for wire in fields.get("entries", []):
            chain = self.read_chain(group)
            says = evidence(chain, wire, now_ms())
            if says == "follows":
                try:
                    answer = self.call("POST", f"/groups/{part(group)}/roster", {"entry": wire})
                    chain.fold(wire, now_ms())
                    require(answer == chain.newest(), "another entry")
                    self.state["groups"][group].append(wire)
                except Problem as error:
                    if error.code == "roster_refused" and self._refusal_proves(wire, error.reason):
                        self.state["split"][group] = wire
            elif says == "split":
                self.state["split"][group] = wire
        self.state.save()

    def _refusal_proves(self, wire, reason):
        """Whether a relay that refuses a `change` which folds proves that it shows two chains."""
        entry = Entry(wire)
        if entry.kind != "change":
            return False
        if reason != "list_not_newest":
            return True
        return self.ask_again(entry.by).pin["sequence"] <= entry.list
