#!/usr/bin/env python3
"""A server that speaks the protocol of `workbench serve`, with commands that misbehave.

`FAKE_HELLO` is the protocol it speaks; `FAKE_LOG` names a file that gets each line it reads.
"""
import base64
import json
import os
import sys
import threading
import time

LOG = os.environ.get("FAKE_LOG")
running, writing = {}, threading.Lock()


def parameter(name, kind="text", summary="", **fields):
    return {"name": name, "kind": {"is": kind}, "summary": summary, "unit": None, "required": False,
            "repeatable": False, "default": None, **fields}


def command(method, summary="", arguments=(), options=(), **fields):
    return {"method": method, "command": method.replace(".", " ").replace("-", " "), "summary": summary,
            "effects": ["reads"], "arguments": list(arguments), "options": list(options), "stream": False,
            "picture": False, "type": None, **fields}


COMMANDS = [
    command("version", "Print the versions"),
    command("sample.echo", "Return the parameters", [
        parameter("first", required=True, summary="First text"), parameter("others", repeatable=True)],
        [parameter("least-count", "integer", "Smallest count", unit="nm"), parameter("from"), parameter("deep", "flag"),
         parameter("mode", summary="Mode", default="fast"), parameter("chain", repeatable=True)]),
    command("sample.import", "Import something"),
    command("sample.measure-distance", "Measure a distance", [parameter("selection", repeatable=True)]),
    command("sample.table", effects=["reads", "writes"]), command("sample.record"), command("sample.list"),
    command("sample.hostile-table"), command("sample.kinds"), command("sample.picture", picture=True),
    command("sample.fail"), command("sample.wait"), command("sample.ask"), command("sample.progress"),
    command("sample.count", stream=True), command("sample.parts", stream=True), command("sample.flood", stream=True),
    command("sample.lists", stream=True), command("sample.notify"),
    *(command("sample." + name) for name in ("die", "not-json", "not-utf8", "other-version", "array", "half-line",
                                             "unknown-id", "no-result", "bad-error", "deep", "silent-end", "null-id")),
]


def send(message):
    write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


def write(line):
    with writing:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()


def column(name, kind, values, **fields):
    return {"name": name, "title": fields.get("title", name), "unit": fields.get("unit"), "kind": kind,
            "decimals": fields.get("decimals"), "values": values}


TABLE = {"$table": [
    column("name", "texts", ["a", "<b>"], title="The name"),
    column("length", "numbers", [1.25, None], unit="Å", decimals=1),
    column("count", "integers", [1, 2]), column("rank", "values", [3, None])]}
BAD = {
    "not-json": b"this is not JSON\n", "not-utf8": b'{"jsonrpc":"2.0","id":1,"result":"\xff"}\n',
    "other-version": b'{"jsonrpc":"1.0","id":1,"result":1}\n', "array": b"[1]\n", "half-line": b'{"jsonrpc":"2.0",',
    "unknown-id": b'{"jsonrpc":"2.0","id":"never","result":1}\n', "deep": b"[" * 100_000 + b"\n",
    "null-id": b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"what"}}\n',
}


class Failure(Exception):
    def __init__(self, error):
        self.error = error


def wait(canceled):
    canceled.wait()
    raise Failure({"code": -32800, "message": "the call was canceled", "data": {"code": "host.serve-canceled"}})


def answer(id, name, parameters, canceled):
    arguments = parameters.get("arguments", [])
    if name == "version":
        return {"version": "9"}
    if name in ("sample.echo", "sample.import", "sample.measure-distance"):
        return parameters
    if name == "sample.table":
        return {"$type": "sample.table", "$value": TABLE}
    if name == "sample.hostile-table":
        return {"$table": [column("<script>", "texts", ["<img onerror=x>"] * 100, unit="<u>")]}
    if name == "sample.record":
        return {"status": "optimal", "objective": 1.5, "fluxes": {"A": 1, "B": 2.5}}
    if name == "sample.list":
        return [{"id": 1, "code": "x"}, {"id": 2, "title": "y"}]
    if name == "sample.kinds":
        return {"date": {"$date": "2026-11-20T06:30:00Z"}, "exact": {"$date": "2026-11-20T06:30:00.125Z"},
                "bytes": {"$bytes": "AQI="}, "nan": {"$number": "nan"}, "decimal": {"$decimal": "1.50"},
                "quantity": {"$quantity": [1.8, "angstrom"]}, "record": {"$record": [["$a", 1]]},
                "array": {"$array": {"type": "int16", "shape": [2, 2], "data": "AQACAAMABAA="}},
                "far": {"$date": "+12026"}}
    if name == "sample.picture":
        width, height = map(int, parameters.get("size", "2x1").split("x"))
        pixels = base64.b64encode(bytes([255, 0, 0, 255]) * width * height).decode()
        return {"$picture": {"width": width, "height": height, "pixels": pixels}}
    if name == "sample.fail":
        raise Failure({"code": -32000, "message": "'x' is not there", "data": {
            "code": "sample.missing", "message": "'x' is not there", "advice": "list them", "details": {"id": "x"},
            "retryable": True, "status": 3}})
    if name == "sample.wait":
        send({"method": "progress", "params": {"id": id, "label": "<waiting>", "fraction": 0}})
        wait(canceled)
    if name == "sample.ask":
        question = {"id": id, "title": "Password", "text": "", "secret": True}
        send({"id": f"ask-{id}", "method": "ask", "params": question})
        canceled.answered.wait()
        return {"answer": canceled.answer}
    if name == "sample.progress":
        send({"method": "progress", "params": {"id": id, "label": "half", "fraction": 0.5}})
        send({"method": "warn", "params": {
            "id": id, "severity": "warning", "code": "sample.odd", "message": "it is odd", "advice": "look",
            "line": None, "column": None}})
        send({"method": "progress", "params": {"id": id, "label": "late", "fraction": None}})
        return 1
    if name in ("sample.count", "sample.parts", "sample.flood", "sample.lists"):
        count = int(arguments[0]) if arguments else 1 << 40
        values = []
        for index in range(count):
            if canceled.is_set():
                wait(canceled)
            value = {"index": index}
            if name == "sample.parts":
                value = {"$table": [column("index", "integers", [2 * index, 2 * index + 1])]}
            elif name == "sample.lists":
                value = [index, index]
            elif name == "sample.flood":
                value = "x" * 100_000
            if parameters.get("stream"):
                send({"method": "emit", "params": {"id": id, "value": value}})
                if LOG and name == "sample.flood":
                    note(f"flood {index}")
            else:
                values.append(value)
        return {"emitted": count} if parameters.get("stream") else values
    if name == "sample.notify":
        for index in range(int(arguments[0])):
            send({"method": "notified", "params": {"topic": "sample.changed", "plugin": "sample", "payload": index,
                                                   "missed": 0}})
        return None
    if name == "sample.die":
        print("out of luck", file=sys.stderr, flush=True)
        os._exit(7)
    if name == "sample.silent-end":
        os._exit(0)
    if name == "sample.no-result":
        write(json.dumps({"jsonrpc": "2.0", "id": id}).encode() + b"\n")
        wait(canceled)
    if name == "sample.bad-error":
        write(json.dumps({"jsonrpc": "2.0", "id": id, "error": 5}).encode() + b"\n")
        wait(canceled)
    if name.partition(".")[2] in BAD:
        write(BAD[name.partition(".")[2]])
        if name == "sample.half-line":
            os._exit(0)
        wait(canceled)
    raise Failure({"code": -32601, "message": f"'{name}' is not a method"})


def respond(message, canceled):
    id, method, parameters = message["id"], message["method"], message["params"]
    try:
        if method == "hello":
            version = int(os.environ.get("FAKE_HELLO", "1"))
            if parameters["protocol"] != version:
                raise Failure({"code": -32602, "message": "another protocol", "data": {"code": "host.serve-protocol"}})
            result = {"protocol": version, "version": "9", "features": [], "client": parameters}
        elif method == "commands":
            result = COMMANDS
        elif method in ("subscribe", "unsubscribe"):
            result = None
        elif method == "schema":
            result = {"parameters": {}, "result": {"type": "object"}}
        elif method == "call":
            result = answer(id, parameters["command"], parameters, canceled)
        else:
            raise Failure({"code": -32601, "message": f"'{method}' is not a method"})
        response = {"id": id, "result": result}
    except Failure as failure:
        response = {"id": id, "error": failure.error}
    running.pop(id, None)
    send(response)


def note(text):
    with open(LOG, "a") as file:
        file.write(text + "\n")


def main():
    if LOG:
        note("arguments " + " ".join(sys.argv[1:]))
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if LOG:
            note(line.decode().rstrip())
        if "method" not in message:
            canceled = running.get(int(message["id"][4:]))
            if canceled:
                canceled.answer = message.get("result", "none")
                canceled.answered.set()
        elif message["method"] == "cancel":
            canceled = running.get(message["params"]["id"])
            if canceled:
                canceled.set()
        else:
            canceled = running[message["id"]] = threading.Event()
            canceled.answered = threading.Event()
            threading.Thread(target=respond, args=(message, canceled), daemon=True).start()
    if LOG:
        note("input ended")
    while os.environ.get("FAKE_STUBBORN"):
        time.sleep(60)
    os._exit(0)


main()
