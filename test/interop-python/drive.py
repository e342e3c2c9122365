"""Runs the client for a test: one call as JSON a line on standard input, [name, arguments], and its answer as JSON a line.

Called with the URL of a relay and the file of the state. An answer is {ok} or {error, code?, reason?}.
"""

import json
import sys

from waxwing.forms import js_json, unb64
from waxwing.groups import Member
from waxwing.state import State


def calls_of(client):
    """What a test may ask for, by name."""

    def group(group_id):
        chain = client.view(group_id)[1]
        seen = {"name": chain.name, "members": sorted(chain.members), "creator": chain.creator, "join": chain.join}
        return seen | {"admins": sorted(chain.admins), "epoch": chain.epoch}

    def join(group_id, password=None, link=None, ticket=None):
        client.join_group(group_id, password, link and unb64(link, 32), ticket)
        return group(group_id)

    return {
        "address": lambda: client.address,
        "logInWithWallet": client.log_in_with_wallet,
        "logInWithDevice": client.log_in_with_device,
        "me": client.me,
        "publish": client.publish,
        "rotate": client.rotate,
        "setHandle": client.set_handle,
        "keys": lambda name: client.keys(client.resolve(name)),
        "known": lambda address: client.state["known"].get(address),
        "send": lambda name, text: client.send(name, text=text),
        "resend": client.resend,
        "receive": client.receive,
        "createGroup": client.create_group,
        "changeGroup": lambda group_id, fields: client.change_group(group_id, **fields).newest(),
        "group": group,
        "join": join,
        "invite": client.invite,
        "leave": client.leave_group,
        "post": lambda group_id, text: client.post(group_id, text=text),
        "oneForm": lambda texts: [js_json(json.loads(text)) for text in texts],
    }


def main(url, path):
    calls = calls_of(Member(url, State(path)))
    for asked in sys.stdin:
        name, arguments = json.loads(asked)
        try:
            answer = {"ok": calls[name](*arguments)}
        except Exception as error:  # a test says which error it expects
            answer = {"error": f"{type(error).__name__}: {error}"}
            answer |= {field: getattr(error, field) for field in ("code", "reason") if hasattr(error, field)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
