"""Section 10 of docs/protocol.md: what is remembered of an address, and when nothing may be sealed to it."""

import hashlib

from .devices import device_in, list_form, list_hash, prove_list, prove_seal_key, seal_key_bytes
from .forms import Malformed, b64

MAX_EARLIER = 64
MAX_REJECTED = 16


class Held(Exception):
    """Nothing may be sealed to an address now. `reason`: `fork`, `waiting` or `unproven`."""

    def __init__(self, address, reason):
        super().__init__(f"{reason}: nothing is sealed to {address}")
        self.address = address
        self.reason = reason


class Known:
    """State of one address. `saved` is a result of `save`."""

    def __init__(self, address, saved=None):
        saved = saved or {}
        self.address = address
        self.pin = saved.get("pin")
        self.earlier = {int(number): one for number, one in saved.get("earlier", {}).items()}
        self.statements = saved.get("statements", {})
        self.claims = saved.get("claims", {})
        self.shown = saved.get("shown", False)
        self.fork = saved.get("fork")
        self.rejected = saved.get("rejected", [])

    def save(self):
        """All of it, for JSON."""
        return vars(self)

    def hash_of(self, number):
        """The hash of the proven list with this number; None if it is not known."""
        if self.pin and self.pin["sequence"] == number:
            return list_hash(self.address, self.pin)
        return self.earlier.get(number)

    def take_list(self, shown, between, now, *, by_relay=True):
        """Judges a list, with those `between` the pin and it: what it becomes is `pin`, `fork`, `behind` or `nothing`.

        Lists that came in a `hello` were not shown by the relay: only a new pin and a fork come of them.
        """
        try:
            prove_list(self.address, shown, now)
            for one in between:
                list_form(one)
        except Malformed:
            return "nothing"
        number, named = shown["sequence"], list_hash(self.address, shown)
        if self.pin is None:
            if by_relay:
                self._set_pin(shown, between, True)
            return "pin" if by_relay else "nothing"
        if self.hash_of(self.pin["sequence"]) == named:
            self.shown = self.shown or by_relay
            return "pin"
        if {"sequence": number, "hash": named} in self.rejected:
            self.shown = self.shown and not by_relay
            return "behind"
        if number <= self.pin["sequence"]:
            if self.hash_of(number) not in (None, named):
                self.fork = shown
                return "fork"
            self.shown = self.shown and not by_relay
            return "behind"
        if not (first := self._walk_down(shown, between)):
            return "nothing"
        if first["previous"] != self.hash_of(self.pin["sequence"]):
            self.fork = shown
            return "fork"
        self._set_pin(shown, between, by_relay)
        return "pin"

    def _walk_down(self, shown, between):
        """The list after the number of the pin to which a later one leads; None if one is missing or does not fit."""
        for lower in reversed(between):
            if lower["sequence"] != shown["sequence"] - 1 or list_hash(self.address, lower) != shown["previous"]:
                return None
            shown = lower
        return shown if shown["sequence"] == self.pin["sequence"] + 1 else None

    def _set_pin(self, shown, between, by_relay):
        for one in [self.pin, *between] if self.pin else []:
            self.earlier[one["sequence"]] = list_hash(self.address, one)
        self.earlier = {n: self.earlier[n] for n in sorted(self.earlier)[-MAX_EARLIER:]}
        self.pin, self.shown = shown, by_relay
        self.statements = {d: one for d, one in self.statements.items() if device_in(shown, d)}
        self.claims = {d: one for d, one in self.claims.items() if device_in(shown, d)}

    def take_statement(self, statement):
        """Whether a seal key that may be used counts beside what was seen of its device. If so it is remembered."""
        device, number = statement["deviceId"], statement["sequence"]
        hashed = b64(hashlib.sha256(seal_key_bytes(self.address, statement)).digest())
        seen = self.statements.get(device)
        if seen and (number < seen["sequence"] or (number == seen["sequence"] and hashed != seen["hash"])):
            return False
        self.statements[device] = {"sequence": number, "hash": hashed}
        return True

    def claim(self, device, number, hashed):
        """Notes what a device in the pin says of the newest list of its address. Returns whether the claim is open."""
        if not self.pin or not device_in(self.pin, device):
            return False
        kept = self.claims.get(device)
        if not kept or number > kept["sequence"] or (number == kept["sequence"] and kept["hash"] is None):
            self.claims[device] = {"sequence": number, "hash": hashed}
        return self.is_open(self.claims[device])

    def is_open(self, claim):
        """Whether a claim contradicts what was proven, or goes beyond it."""
        if claim in self.rejected:
            return False
        known = self.hash_of(claim["sequence"])
        return claim["sequence"] > self.pin["sequence"] or (claim["hash"] and known not in (None, claim["hash"]))

    def decide(self, takes_other):
        """The person's word on a fork: the other list, or the pin."""
        other, self.fork, self.claims = self.fork, None, {}
        loser = self.pin if takes_other else other
        self.rejected.append({"sequence": loser["sequence"], "hash": list_hash(self.address, loser)})
        self.rejected = self.rejected[-MAX_REJECTED:]
        if takes_other:
            self.earlier, self.shown = {}, False
            self.pin = None
            self._set_pin(other, [], False)

    def check(self):
        """Raises Held while nothing may be sealed to this address."""
        if self.fork:
            raise Held(self.address, "fork")
        if not self.pin or not self.shown or any(self.is_open(claim) for claim in self.claims.values()):
            raise Held(self.address, "waiting")

    def keys_to_seal_to(self, statements, now):
        """The seal keys to seal to, of those that the relay showed beside the pin. Raises Held if there may be none."""
        usable, has_old = {}, False
        for statement in statements:
            try:
                prove_seal_key(self.address, self.pin, statement, now)
            except Malformed:
                continue
            if self.take_statement(statement):
                usable[statement["deviceId"]] = statement
                self.claim(statement["deviceId"], statement["listSequence"], None)
            else:
                has_old = True
        self.check()
        if has_old and not usable:
            raise Held(self.address, "waiting")
        return list(usable.values())
