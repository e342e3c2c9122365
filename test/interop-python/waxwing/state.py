"""What a client keeps: one JSON file, written before anything that depends on it is sent or acknowledged."""

import json
import os
import pathlib

EMPTY = {
    # Private halves, in hex.
    "wallet": None,
    "device": None,
    # {secret, statement, acceptedAt | null, readToEnd} of each seal key whose private half is still here, oldest first.
    "sealKeys": [],
    # State of addresses, and verified device lists by address and number.
    "known": {},
    "lists": {},
    # Entries by group, in base64url as they came; groups whose relay was proven to show two chains.
    "groups": {},
    "split": {},
    # The last `seq` and `sentAt` by conversation.
    "sent": {},
    # Envelopes that the relay has not answered for, by the id of their message.
    "outgoing": {},
    # (`sender`, `id`) of what was taken: the ways, and when.
    "taken": {},
    # People who wrote directly.
    "peers": [],
    # Messages of groups that name an entry which the chain does not have.
    "held": [],
    # What was opened and not handed out yet.
    "shown": [],
    "received": {"previous": None, "lastEnd": None},
    "retention": None,
}


class State(dict):
    """The state in a file; a new one if there is no file."""

    def __init__(self, path):
        self._path = pathlib.Path(path)
        super().__init__(json.loads(json.dumps(EMPTY)))
        if self._path.exists():
            self.update(json.loads(self._path.read_text("utf-8")))

    def save(self):
        """Writes it, durably and whole."""
        beside = self._path.with_suffix(".new")
        with open(os.open(beside, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(self, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, self._path)
