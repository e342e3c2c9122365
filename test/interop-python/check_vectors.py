"""Holds this client to the published vectors, and says of each file how much of it came out as published.

Called with the folder of the vectors. Ends with 1, and says what differs, if anything does.
"""

import json
import pathlib
import sys

from waxwing import contents, devices, forms, judging, payload, roster, sealing, trust, wallet
from waxwing.chain import Chain, Newer, Refused, Wait, evidence
from waxwing.forms import Malformed, b64, time_ms, time_text, unb64

unhex = bytes.fromhex


class Differs(Exception):
    """Something did not come out as published."""


def same(found, published, why):
    """Raises Differs unless both are the same."""
    if found != published:
        raise Differs(f"{why}: {found!r} where {published!r} is published")


def refused(call, why):
    """Raises Differs unless the call raises Malformed."""
    try:
        call()
    except Malformed:
        return
    raise Differs(f"{why}: not refused")


def holds(call):
    """Whether a call comes to its end without Malformed."""
    try:
        call()
        return True
    except Malformed:
        return False


def check_sealing(v):
    for c in v["positive"]:
        flags = c["asRequest"] * sealing.AS_REQUEST + c["automated"] * sealing.AUTOMATED
        lists = c["senderListSequence"], c["recipientListSequence"]
        fixed = {"ephemeral": unhex(c["skE"]), "nonce": unhex(c["nonce"])}
        pk, body = unhex(c["pkR"]), unhex(c["payload"])
        copy = sealing.seal(body, pk, c["from"], c["to"], flags=flags, lists=lists, **fixed)
        info = sealing.seal_info(c["from"], c["to"])
        found = sealing.key_schedule(sealing.agree(unhex(c["skE"]), pk), unhex(c["pkE"]), pk, info)
        found |= {"info": info, "pkR": sealing.public_key(unhex(c["skR"])), "pkE": copy["ephemeralPublicKey"]}
        found |= {"ciphertext": copy["ciphertext"], "header": copy["ciphertext"][:12], "padded_payload": sealing.pad(body)}
        for name, value in found.items():
            same(value.hex(), c[name], f'{c["why"]}: {name}')
        same({name: b64(value) for name, value in copy.items()}, c["wire"], c["why"])
        same(open_case(c), (body, flags, lists), c["why"])
    for c in v["negative"]:
        try:
            open_case(c)
        except sealing.NotOpened:
            continue
        raise Differs(f'{c["why"]}: opened')


def open_case(c):
    enc = unhex(c.get("ephemeralPublicKey") or c["pkE"])
    sealed = unhex(c["ciphertext"]), enc, unhex(c["nonce"]), c["asRequest"]
    return sealing.open_sealed(*sealed, unhex(c["skR"]), c["from"], c["to"])


def check_padding(v):
    for c in v["lengths"]:
        same(len(sealing.pad(bytes(c["payload"]))), c["padded"], f'{c["payload"]} bytes')
    same(sealing.pad(unhex(v["example"]["payload"])).hex(), v["example"]["padded"], "example")
    refused(lambda: sealing.pad(bytes(v["tooLong"])), "too long")


def check_payloads(v):
    for name, is_group in (("Direct", False), ("Group", True)):
        signed, unsigned = v[f"signed{name}"], v[f"unsigned{name}"]
        body, device = signed["body"].encode(), devices.Device(unhex(signed["deviceSeed"]))
        same(payload.signed_bytes(is_group, body).hex(), signed["signedBytes"], name)
        same(payload.encode(is_group, body, device).hex(), signed["payload"], name)
        same(payload.encode(is_group, unsigned["body"].encode()).hex(), unsigned["payload"], name)
        same(payload.decode(unhex(signed["payload"])).holds_under(device.key), True, name)
        same(payload.decode(unhex(unsigned["payload"])).is_signed, False, name)
    key = unhex(v["signedDirect"]["deviceKey"])
    for c in v["notSignedBy"]:
        same(payload.decode(unhex(c["payload"])).holds_under(key), False, c["why"])
    for c in v["malformed"]:
        refused(lambda c=c: payload.decode(unhex(c["payload"])), c["why"])


def check_bots(v):
    device = devices.Device(unb64(v["secret"].removeprefix("wxb_"), 32))
    same(b64(device.key), v["publicKey"], "bot")
    same(b64(device.id), v["botId"], "bot")

    def name_of(data):
        try:
            read = payload.decode(unhex(data))
        except Malformed:
            return None
        bots = v["bots"] if read.auth == payload.BOT else []
        return next((bot["name"] for bot in bots if read.holds_under(unb64(bot["key"], 32))), None)

    same(name_of(v["payload"]["payload"]), v["payload"]["signedBy"], "bot")
    for c in v["notSigned"]:
        same(name_of(c["payload"]), None, c["why"])
    for c in v["malformed"]:
        refused(lambda c=c: payload.decode(unhex(c["payload"])), c["why"])


def check_devices(v):
    now, address = time_ms(v["now"]), v["address"]
    owner = wallet.Wallet(unhex(v["walletKey"]))
    same(owner.address, address, "the address of the wallet")
    for c in v["chain"]:
        shown = c["deviceList"]
        same(devices.list_text(address, shown), c["text"], "text")
        same(devices.list_hash(address, shown), c["hash"], "hash")
        devices.prove_list(address, shown, now)
        same(wallet.recover(c["text"], owner.sign(c["text"])), address, "a signature of ours")
    for c in v["badLists"]:
        refused(lambda c=c: devices.prove_list(address, c["deviceList"], now), c["why"])
    keys, certified = v["sealKeys"], v["chain"][0]["deviceList"]
    same(devices.seal_key_bytes(address, keys["sealKey"]).hex(), keys["signedBytes"], "seal key")
    signer = devices.Device(unhex(v["deviceSeeds"][0]))
    same(b64(signer.sign(unhex(keys["signedBytes"]))), keys["sealKey"]["signature"], "seal key")
    devices.prove_seal_key(address, certified, keys["sealKey"], now)
    for c in keys["negative"]:
        refused(lambda c=c: devices.prove_seal_key(address, certified, c["sealKey"], now), c["why"])
    renewal = v["sessionRenewal"]
    request = renewal["request"]
    signer = devices.Device(unhex(renewal["deviceSeed"]))
    issued = time_ms(request["issuedAt"])
    signed = devices.session_bytes(address, signer.id, issued, renewal["domain"])
    same(signed.hex(), renewal["signedBytes"], "session")
    same(b64(signer.sign(signed)), request["signature"], "session")


def check_sealkeys(v):
    now, address = time_ms(v["now"]), v["address"]
    certified = {"devices": [v["device"]]}
    statement = v["request"]["sealKey"]
    same(devices.seal_key_bytes(address, statement).hex(), v["signedBytes"], "statement")
    devices.prove_seal_key(address, certified, statement, now)
    for c in v["negative"]:
        refused(lambda c=c: devices.prove_seal_key(address, certified, c["sealKey"], now), c["why"])
    seen = trust.Known(address)
    for c in v["history"]["shown"]:
        seen.statements = {}
        seen.take_statement(v["history"]["seen"]["sealKey"])
        may = seen.take_statement(c["sealKey"])
        same(may, c["is"] in ("same", "newer"), c["why"])


def check_login(v):
    owner = wallet.Wallet(unhex(v["walletKey"]))
    same(devices.login_text(owner.address, v["challenge"]), v["text"], "text")
    same(wallet.recover(v["text"], v["request"]["signature"]), owner.address, "signature")
    same(wallet.recover(v["text"], owner.sign(v["text"])), owner.address, "a signature of ours")


def check_history(v):
    now, lists = time_ms(v["now"]), v["lists"]
    for c in v["cases"]:
        known = trust.Known(v["address"])
        for i, name in enumerate(c["seen"]):
            same(known.take_list(lists[name], [], now), "pin", f'{c["why"]}: seen {i}')
        between = [lists[name] for name in c["between"]]
        found = known.take_list(lists[c["shown"]], between, now)
        same(found, c["becomes"], c["why"])
    for c in v["sealKeys"]["cases"]:
        known = trust.Known(v["address"])
        for name in c["seen"]:
            known.take_statement(v["sealKeys"]["keys"][name])
        same(known.take_statement(v["sealKeys"]["keys"][c["shown"]]), c["counts"], c["why"])


def check_kinds(v):
    for c in v["text"]:
        same(holds(lambda c=c: forms.text(c["piece"] * c["times"], 16_384)), c["isText"], str(c)[:60])
    for c in v["contents"]:
        same(contents.judge(c["body"], c["channel"] == "group"), c["as"], c["why"])


def check_rights(v):
    for c in v["cases"]:
        found = judging.may_be_sent(c["proof"], c["channel"] == "group", c["kind"])
        same(found, c["mayBeSent"], c["why"])


def check_replay(v):
    same(judging.REMEMBER, v["rememberSeconds"] * 1000, "rememberSeconds")
    for c in v["times"]:
        kept = None if c["retentionSeconds"] is None else c["retentionSeconds"] * 1000
        times = time_ms(c["now"]), time_ms(c["sentAt"])
        same(judging.is_timely(*times, kept), c["counts"], c["why"])
    for c in v["repeats"]:
        taken = [name for name in ("signed", "unsigned") if c[name]]
        same(judging.was_taken(taken, c["isSigned"]), c["wasTaken"], c["why"])
    for c in v["received"]:
        earlier = [None if c[name] is None else time_ms(c[name]) for name in ("previous", "lastEnd")]
        same(time_text(judging.received(time_ms(c["now"]), time_ms(c["reported"]), *earlier)), c["counts"], c["why"])


def check_origins(v):
    for c in v["origins"]:
        same(holds(lambda c=c: contents.origin(c["origin"])), c["isOrigin"], str(c))


def check_rosters(v):
    lists = {(p["address"], shown["sequence"]): shown for p in v["people"].values() for shown in p["lists"]}
    names = {p["address"]: name for name, p in v["people"].items()}
    now = time_ms(v["now"])
    for (address, _), shown in lists.items():
        devices.prove_list(address, shown, now)

    def folded(entries, group=v["groupId"]):
        chain = Chain(group, lambda address, number: lists.get((address, number)))
        for entry in entries:
            chain.fold(entry, now)
        return chain

    def becomes(chain, entry, at):
        before = view_of(chain, names)
        try:
            chain.fold(entry, at)
            return {"becomes": "folded"}
        except Refused as error:
            outcome = {"becomes": "refused", "reason": error.reason}
        except Newer:
            outcome = {"becomes": "newer"}
        except Wait as wait:
            outcome = {"becomes": "wait", "for": "clock", "until": wait.until and time_text(wait.until)}
            if wait.until is None:
                outcome = {"becomes": "wait", "for": "list", "address": wait.address, "sequence": wait.sequence}
        same(view_of(chain, names), before, "the state after an entry that did not fold")
        return outcome

    check_proofs(v)
    for name, c in v["chains"].items():
        same(view_of(folded(c["entries"]), names), c["view"], name)
    outcome = ("becomes", "reason", "for", "until", "address", "sequence")
    for c in v["beginnings"]:
        published = {name: c[name] for name in outcome if name in c}
        same(becomes(folded([], c["groupId"]), c["entry"], now), published, c["why"])
    for kind, cases in v["cases"].items():
        for c in cases:
            published = {name: c[name] for name in outcome if name in c}
            chain = folded(v["chains"][c["after"]]["entries"])
            same(becomes(chain, c["entry"], time_ms(c["now"])), published, f'{kind}: {c["why"]}')
    for c in v["evidence"]:
        same(evidence(folded(v["chains"][c["shown"]]["entries"]), c["entry"], now), c["evidence"], c["why"])


def view_of(chain, names):
    if chain.epoch == 0:
        return None
    return {
        "name": chain.name,
        "members": sorted(names[address] for address in chain.members),
        "creator": names.get(chain.creator),
        "admins": sorted(names[address] for address in chain.admins),
        "join": chain.join,
        "bots": len(chain.bots),
        "links": len(chain.links),
        "unsignedBots": chain.unsigned_bots,
    }


def check_proofs(v):
    first, ticket, proofs, group = v["first"], v["ticket"], v["proofs"], v["groupId"]
    entry = roster.Entry(first["entry"])
    same(entry.body.decode(), first["body"], "first")
    same(entry.signed_bytes(group).hex(), first["signedBytes"], "first")
    same(roster.group_id(entry.body), group, "the id of the group")
    same(roster.ticket_bytes(group, ticket["ticket"]).hex(), ticket["signedBytes"], "ticket")
    link = devices.Device(unhex(proofs["seed"]))
    joined = roster.join_bytes(group, unb64(proofs["previous"], 32), proofs["address"])
    admitted = roster.admission_bytes(group, proofs["address"])
    for found, name in ((joined, "join"), (admitted, "admission")):
        same(found.hex(), proofs[f"{name}Bytes"], name)
        same({"key": b64(link.key), "signature": b64(link.sign(found))}, proofs[name], name)
    for c in v["passwords"]:
        password = roster.Password(group, c["password"])
        found = password.normal.hex(), password.salt.hex(), password.k.hex(), password.password_proof, b64(password.signer.key)
        same(found, (c["normal"], c["salt"], c["k"], c["passwordProof"], c["joinKey"]), c["password"])


CHECKS = {
    "sealing": check_sealing,
    "padding": check_padding,
    "payloads": check_payloads,
    "bots": check_bots,
    "devices": check_devices,
    "sealkeys-v2": check_sealkeys,
    "login": check_login,
    "history": check_history,
    "kinds": check_kinds,
    "rights": check_rights,
    "replay": check_replay,
    "home": check_origins,
    "rosters": check_rosters,
}


def main(folder):
    wrong = []
    for name, check in CHECKS.items():
        try:
            check(json.loads((pathlib.Path(folder) / f"{name}.json").read_text("utf-8")))
        except (Differs, Malformed) as error:
            wrong.append(f"{name}: {error}")
    print("\n".join(wrong) or f'{", ".join(CHECKS)}: as published.')
    return 1 if wrong else 0


if __name__ == "__main__":
    published = pathlib.Path(__file__).resolve().parents[2] / "docs" / "vectors"
    sys.exit(main(*sys.argv[1:2] or [published]))
