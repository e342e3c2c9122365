"""A client of the Waxwing protocol, written from docs/protocol.md and the published vectors alone.

Python's standard library and the package cryptography. Without ML-KEM: it seals in suite 0x01, and its device has no `pq`.

The modules in reading order: forms (section 3), wallet, devices (4 and 5), sealing (6), payload, contents and judging (7),
trust (10), roster and chain (11), then relay, account, messages and groups, which talk to a relay.
"""
