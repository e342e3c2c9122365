#!/usr/bin/env python3
"""Compares waxwing_seal.py with the published vectors: python3 check_vectors.py, optionally with the folder of the vectors."""

import json
import sys
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from waxwing_seal import bot_payload, encode, pad, read_bot_key, seal, unsigned_payload

VECTORS = Path(__file__).resolve().parents[2] / "docs" / "vectors"


def main(folder: Path) -> None:
    def load(name: str) -> dict:
        return json.loads((folder / name).read_text("utf-8"))

    cases = load("sealing.json")["positive"]
    for case in cases:
        copy = seal(
            case["from"],
            case["to"],
            encode(bytes.fromhex(case["pkR"])),
            bytes.fromhex(case["payload"]),
            header=bytes.fromhex(case["header"]),
            ephemeral=X25519PrivateKey.from_private_bytes(bytes.fromhex(case["skE"])),
            nonce=bytes.fromhex(case["nonce"]),
        )
        expected = case["wire"]
        assert {name: copy[name] for name in expected} == expected, case["why"]

    for entry in load("padding.json")["lengths"]:
        assert len(pad(bytes(entry["payload"]))) == entry["padded"], entry

    payloads = load("payloads.json")
    for label, name in ((b"SEALEDMSG", "unsignedDirect"), (b"SEALEDGRP", "unsignedGroup")):
        vector = payloads[name]
        assert unsigned_payload(label, json.loads(vector["body"])).hex() == vector["payload"], name

    bots = load("bots.json")
    signed = bot_payload(json.loads(bots["payload"]["body"]), read_bot_key(bots["secret"]))
    assert signed.hex() == bots["payload"]["payload"], "signed by a bot"
    print(f"{len(cases)} sealed copies, 3 payloads: as published.")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else VECTORS)
