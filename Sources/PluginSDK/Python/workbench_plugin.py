"""Write plugins for Workbench in Python: one file, standard library only, Python 3.9 or newer.

    from workbench_plugin import File, Plugin

    plugin = Plugin("words", "Words", "1.0.0", "Counts words of text files")

    @plugin.command("count", "Count the words of a file", table={"word": str, "count": int})
    def count(call, file: File("txt"), least: int = 1):
        ...
        return rows  # dictionaries, or tuples in the order of the columns

    plugin.run()

`python3 main.py --manifest > plugin.json` writes the manifest, from which Workbench knows the plugin without starting
it. A parameter without a default is an argument, one with a default an option. `Documentation/Plugins.md` describes the
protocol.
"""
import base64
import contextlib
import datetime
import decimal
import inspect
import itertools
import json
import os
import queue
import sys
import threading
import time
import traceback

PROTOCOL = 1
FEATURES = ("ask", "call", "checks", "emit", "notify", "progress", "render", "setting", "stores", "subscribe", "warn")
ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


class Error(Exception):
    """An error as users and scripts see it: a code such as `words.no-text`, a sentence, and advice.

    `kind` is failure, usage, notFound, pluginFailed, unusableInput, network, refused or timedOut.
    """

    def __init__(self, code, message, advice=None, kind="failure", details=None, retryable=False):
        super().__init__(message)
        self.report = {"code": code, "kind": kind, "message": message, "advice": advice, "details": details or {},
                       "isRetryable": retryable}


class Canceled(Exception):
    """Raised inside a command that the user canceled, by `emit`, `progress` and requests."""


class File:
    """The type of a parameter that is the path of a file to read, with the extensions that completion offers."""

    def __init__(self, *extensions):
        self.kind = {"is": "inputFile", "words": list(extensions)}


class OutputFile:
    """The type of a parameter that is the path of a file to write."""

    kind = {"is": "outputFile"}


class Choice:
    """The type of a parameter that is one of several words."""

    def __init__(self, *words):
        self.kind = {"is": "choice", "words": list(words)}


class Integer:
    """The type of a parameter that is a whole number between two bounds."""

    def __init__(self, minimum, maximum):
        self.kind = {"is": "integer", "minimum": minimum, "maximum": maximum}


class Number:
    """The type of a parameter that is a number between two bounds."""

    def __init__(self, minimum, maximum):
        self.kind = {"is": "number", "minimum": float(minimum), "maximum": float(maximum)}


class Typed:
    """A value with the name of its type, which chooses the text renderer."""

    def __init__(self, name, value):
        self.name, self.value = name, value


class Wire:
    """JSON of the protocol that is passed on as it is."""

    def __init__(self, json):
        self.json = json


KINDS = {str: "text", int: "integer", float: "number", bool: "flag", datetime.datetime: "date"}
SCHEMAS = {str: "text", int: "integer", float: "number", bool: "bool", datetime.datetime: "date", bytes: "bytes"}
COLUMNS = {int: "integers", float: "numbers", str: "texts"}


def to_wire(value):
    """Returns a value as JSON of the protocol."""
    if isinstance(value, Wire):
        return value.json
    if isinstance(value, Typed):
        return {"$type": value.name, "$value": to_wire(value.value)}
    if isinstance(value, float) and not -float("inf") < value < float("inf"):
        return {"$number": "nan" if value != value else "inf" if value > 0 else "-inf"}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, dict):
        fields = {str(name): to_wire(field) for name, field in value.items()}
        return {"$record": list(map(list, fields.items()))} if next(iter(fields), "").startswith("$") else fields
    if isinstance(value, (bytes, bytearray)):
        return {"$bytes": base64.b64encode(value).decode()}
    if isinstance(value, datetime.datetime):
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return {"$date": value.isoformat(timespec="milliseconds") + "Z"}
    if isinstance(value, decimal.Decimal):
        return {"$decimal": format(value, "f")}
    if hasattr(value, "tolist"):  # arrays and numbers of numpy
        return to_wire(value.tolist())
    return [to_wire(element) for element in value]


def from_wire(value):
    """Returns the value that JSON of the protocol stands for; tables are lists of dictionaries."""
    if isinstance(value, list):
        return [from_wire(element) for element in value]
    if not isinstance(value, dict):
        return value
    kind = next(iter(value), "")
    content = value.get(kind)
    if kind in ("$type", "$value"):
        return from_wire(value["$value"])
    if kind == "$number":
        return float(content)
    if kind == "$bytes":
        return base64.b64decode(content)
    if kind == "$date":
        return datetime.datetime.fromisoformat(content.replace("Z", "+00:00"))
    if kind == "$decimal":
        return decimal.Decimal(content)
    if kind == "$quantity":
        return from_wire(content[0]), content[1]
    if kind == "$record":
        return {name: from_wire(field) for name, field in content}
    if kind == "$table":
        names = [column["name"] for column in content]
        return [dict(zip(names, row)) for row in zip(*(from_wire(column["values"]) for column in content))]
    if kind.startswith("$"):
        return content
    return {name: from_wire(field) for name, field in value.items()}


def table(columns, rows):
    """Returns rows, as dictionaries or tuples, as a table.

    `columns` has a type for each name, or a dictionary with `type`, `title`, `unit` and `decimals`.
    """
    rows = [row if isinstance(row, dict) else dict(zip(columns, row)) for row in rows]
    result = []
    for name, column in columns.items():
        column = column if isinstance(column, dict) else {"type": column}
        values = [to_wire(row.get(name)) for row in rows]
        kind = COLUMNS.get(column.get("type"), "values")
        if kind == "integers" and any(type(value) is not int for value in values):
            kind = "values"
        if kind == "texts" and any(type(value) is not str for value in values):
            kind = "values"
        result.append({"name": name, "title": column.get("title", name), "unit": column.get("unit"), "kind": kind,
                       "decimals": column.get("decimals"), "values": values})
    return Wire({"$table": result})


def list_view(title, rows, empty=""):
    """Returns a list; rows are dictionaries with `id`, `title` and, if wanted, `detail` and `badge`."""
    return {"is": "list", "title": title, "rows": rows, "empty": empty}


def tree_view(title, rows, empty=""):
    """Returns a list of rows that may have `children`."""
    return {"is": "tree", "title": title, "rows": rows, "empty": empty}


def table_view(title, columns, rows, empty=""):
    """Returns a table, with the columns and rows of `table`; a chosen row is given by its index, as text."""
    return {"is": "table", "title": title, "table": table(columns, rows), "empty": empty}


def form_view(title, **sections):
    """Returns named values; each section is a dictionary, whose names are the labels and ids."""
    def form_fields(fields):
        return [{"id": label, "label": label, "value": value} for label, value in fields.items()]
    return {"is": "form", "title": title, "sections": [
        {"heading": heading, "fields": form_fields(fields)} for heading, fields in sections.items()]}


def text_view(title, text):
    """Returns a text that can be scrolled and searched."""
    return {"is": "text", "title": title, "text": text}


def picture_view(width, height, pixels, description=""):
    """Returns a picture of RGBA pixels, row by row from the top left."""
    picture = {"width": width, "height": height, "pixels": base64.b64encode(bytes(pixels)).decode()}
    return {"is": "picture", "picture": Wire({"$picture": picture}), "description": description}


def progress_view(label, fraction=None):
    """Returns a progress; `fraction` is between 0 and 1."""
    return {"is": "progress", "label": label, "fraction": fraction}


def split_view(first, second, fraction=0.4):
    """Returns two views, of which the first gets the keys."""
    return {"is": "split", "first": first, "second": second, "fraction": fraction}


def push(screen, **arguments):
    """Returns the effect that shows a screen over this one."""
    return {"is": "push", "request": {"screen": screen, "plugin": None, "arguments": arguments}}


def run(id, command, /, **arguments):
    """Returns the effect that runs a command of any plugin, such as `molecules.info`, while the screen stays usable.

    The screen's `message(message)` then gets a dictionary with `id` and `is`: `emitted` with `value`, `failed` with
    `error`, and `finished`. A second effect with the same id replaces the first.
    """
    return {"is": "run", "id": id, "command": command, "arguments": to_wire(arguments)}


class Call:
    """A call of a command: its caller receives what is emitted."""

    def __init__(self, plugin, id, presentation):
        self._plugin, self._id = plugin, id
        self.is_interactive = presentation.get("interactive", False)
        self.picture_size = presentation.get("pictureSize")
        self.canceled = threading.Event()

    def _check(self):
        if self.canceled.is_set():
            raise Canceled()

    def emit(self, value):
        """Emits a value to the caller."""
        self._check()
        self._plugin._notify("emit", id=self._id, value=to_wire(value))

    def progress(self, label, fraction=None):
        """Reports the progress; `fraction` is between 0 and 1."""
        self._check()
        self._plugin._notify("progress", id=self._id, progress={"label": label, "fraction": fraction})

    def warn(self, code, message, advice=None, line=None):
        """Reports something noticed while the command runs."""
        self._plugin._notify("warn", id=self._id, diagnostic={
            "severity": "warning", "code": code, "message": message, "advice": advice, "line": line})

    def call(self, command, **arguments):
        """Runs a command of any plugin, such as `molecules.info`, and returns what it emitted."""
        self._check()
        return self._plugin._request("call", id=self._id, command=command, arguments=to_wire(arguments))

    def ask(self, title, text="", secret=False):
        """Asks the user for a line of text; None if there is no answer."""
        self._check()
        prompt = {"title": title, "text": text, "isSecret": secret}
        return self._plugin._request("ask", id=self._id, request={"is": "prompt", "prompt": prompt})


class Store:
    """A store of a plugin; see `Plugin.store`."""

    #: Seconds to wait for the locks of other processes.
    seconds = 10

    def __init__(self, plugin, name, migrations):
        global sqlite3, urllib  # loaded only for plugins with stores
        import sqlite3
        import urllib.parse
        self._plugin, self._name, self._migrations = plugin, name, migrations

    def open(self):
        """Returns a new connection to the store, which is migrated to its newest version."""
        folder = self._plugin.folders["data"]
        os.makedirs(folder, mode=0o700, exist_ok=True)
        connection = sqlite3.connect(f"{folder}/{self._name}.sqlite", timeout=self.seconds)
        try:
            self._migrate(connection)
        except BaseException as error:
            connection.close()  # which rolls back a migration that failed
            if _is_locked(error):
                raise self._locked() from None
            raise
        return connection

    def _migrate(self, connection):
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > len(self._migrations):
            raise Error("store.too-new", f"the store '{self._name}' was written by a newer version of the plugin",
                        kind="refused")
        for number in range(version, len(self._migrations)):
            # Another process may have been faster: the version is read again inside the transaction.
            connection.execute("BEGIN IMMEDIATE")
            if connection.execute("PRAGMA user_version").fetchone()[0] == number:
                for statement in _statements(self._migrations[number]):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number + 1}")
            connection.commit()

    def _locked(self):
        return Error("store.locked", f"store '{self._name}' is in use by another process", "try again later",
                     kind="refused", retryable=True)

    def _check(self, path):
        with contextlib.closing(self.open()) as connection:
            rows = [row[0] for row in connection.execute("PRAGMA integrity_check")]
        return [{"severity": "error", "code": "store.damaged", "message": f"the store '{self._name}' is damaged: {row}"}
                for row in rows if row != "ok"]

    def _backup(self, path):
        with contextlib.closing(self.open()) as source, contextlib.closing(sqlite3.connect(path)) as target:
            source.backup(target)

    def _restore(self, path):
        try:
            with contextlib.closing(sqlite3.connect(f"file:{urllib.parse.quote(path)}?mode=ro", uri=True)) as source:
                version = source.execute("PRAGMA user_version").fetchone()[0]
                if not 1 <= version <= len(self._migrations):
                    raise sqlite3.DatabaseError(f"its version is {version}")
                if source.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                    raise sqlite3.DatabaseError("it is damaged")
                with contextlib.closing(self.open()) as target:
                    self._copy(source, target)
        except sqlite3.DatabaseError as error:
            if _is_locked(error):
                raise self._locked() from None
            raise Error("store.bad-backup", f"'{path}' is not a backup of the store '{self._name}': {error}",
                        kind="unusableInput")
        with contextlib.closing(self.open()):  # an older backup is migrated
            pass

    def _copy(self, source, target):
        end = time.monotonic() + self.seconds

        def progress(status, *_):
            # By itself, it waits for a lock without end.
            if status not in (_OK, _DONE) and time.monotonic() > end:
                raise sqlite3.OperationalError("database is locked")
        source.backup(target, progress=progress, sleep=0.05)

    def _export(self, path):
        with contextlib.closing(self.open()) as connection:
            names = [row[0] for row in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")]
            result = {}
            for name in names:
                quoted = name.replace('"', '""')
                rows = connection.execute(f'SELECT * FROM "{quoted}"')
                result[name] = table({column[0]: {} for column in rows.description}, rows.fetchall())
        return to_wire(result)


#: Codes of SQLite, which Python names since 3.11 only.
_OK, _DONE = 0, 101


def _is_locked(error):
    """Returns true for an error of SQLite that comes from a lock of another process."""
    return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)


def _statements(script):
    """Returns the statements of a script of SQL."""
    statements, text = [], ""
    for part in script.split(";"):
        text += part + ";"
        if sqlite3.complete_statement(text):
            if text.strip(" \n\t;"):
                statements.append(text)
            text = ""
    return statements + ([text] if text.strip(" \n\t;") else [])


class Plugin:
    """A plugin and its parts."""

    def __init__(self, id, name, version, summary):
        self.id = id
        self.folders = {}
        self._identity = {"id": id, "name": name, "version": version, "summary": summary}
        self._manifest = {"commands": [], "textRenderers": [], "fileTypes": [], "settings": [], "checks": [],
                          "screens": [], "stores": [], "topics": [], "errorCodes": []}
        self._commands, self._renderers, self._checks, self._screens, self._handlers = {}, {}, {}, {}, {}
        self._stores = {}
        self._open = {}
        self._calls, self._answers, self._ids = {}, {}, itertools.count(1)
        self._idle, self._ended, self._failure = 0, threading.Event(), None
        self._counting, self._reading, self._writing = threading.Lock(), threading.Lock(), threading.Lock()
        self._output = None

    # Declarations

    def command(self, name, summary, *, help={}, table=None, picture=False, type=None, stream=False,
                effects=("reads",), examples=(), discussion="", complete={}):
        """Declares a command: the function gets the call and the parameters, and returns its result or None.

        `help` has a summary for each parameter, `table` the columns of the result, `type` the name of its type,
        `complete` for a parameter the command and column that list its values. `picture` is true if the result is a
        picture: the command then has the options of pictures, and `call.picture_size` is what `--size` asks for.
        """
        if picture and table:
            raise ValueError(f"the result of command '{name}' is a table or a picture, not both")

        def decorate(function):
            parameters = list(inspect.signature(function).parameters.values())[1:]
            arguments, options = [], []
            for parameter in parameters:
                (arguments if parameter.default is inspect.Parameter.empty else options).append(
                    _parameter(parameter, help.get(parameter.name, ""), complete.get(parameter.name)))
            schema = {"is": "table", "fields": _columns(table)} if table else {"is": "picture" if picture else "any"}
            self._manifest["commands"].append({
                "name": name, "summary": summary, "discussion": discussion, "arguments": arguments, "options": options,
                "examples": [{"line": line, "summary": text} for line, text in examples], "effects": list(effects),
                "output": {"schema": schema, "type": type, "stream": stream}})
            self._commands[name] = (function, table, type, {_dashed(p.name): p.name for p in parameters})
            return function
        return decorate

    def renderer(self, type):
        """Declares a text renderer: the function gets the value and the width, and returns text."""
        def decorate(function):
            self._manifest["textRenderers"].append(type)
            self._renderers[type] = function
            return function
        return decorate

    def check(self, name, summary):
        """Declares a check of `workbench doctor`: the function returns problems, as texts."""
        def decorate(function):
            self._manifest["checks"].append({"name": name, "summary": summary})
            self._checks[name] = function
            return function
        return decorate

    def file_type(self, name, extensions, command, magic=b""):
        """Declares a file type that a command opens, with the path as its first argument."""
        self._manifest["fileTypes"].append(
            {"name": name, "extensions": list(extensions), "command": command, "magic": to_wire(magic)})

    def setting(self, name, type, summary, default=None):
        """Declares a setting; `get` reads it."""
        self._manifest["settings"].append(
            {"name": name, "kind": _kind(type), "summary": summary, "default": to_wire(default)})

    def topic(self, name, summary):
        """Declares a topic of notifications; `notify` sends one."""
        self._manifest["topics"].append({"name": name, "summary": summary, "payload": {"is": "any"}})

    def error(self, code, summary):
        """Declares the code of an error, for the catalog of errors."""
        self._manifest["errorCodes"].append({"code": code, "summary": summary})

    def screen(self, name, title, summary="", actions=(), topics=()):
        """Declares a screen, by a class whose `view()` returns a view: see `list_view` and the functions after it.

        `open(**arguments)` is called first, then `chosen(id)`, `action(name, arguments, selected)` and
        `message(message)`, as far as the class has them. They return a list of effects, such as `push` and `run`, or
        None. Actions are tuples of id, title and keys; topics are those of other plugins, `plugin.topic`.
        """
        def decorate(screen):
            self._manifest["screens"].append({
                "name": name, "title": title, "summary": summary, "topics": list(topics),
                "actions": [{"id": id, "title": text, "keys": list(keys)} for id, text, *keys in actions]})
            self._screens[name] = screen
            return screen
        return decorate

    def store(self, name, summary, migrations):
        """Declares a store, an SQLite file in the data folder, and returns a function that opens a connection to it.

        `migrations` are scripts of SQL, of which the missing ones run when the store is opened; never edit one that was
        released, add another. `workbench store` checks, backs up, restores and exports the file.
        """
        self._manifest["stores"].append({"name": name, "summary": summary})
        self._stores[name] = Store(self, name, migrations)
        return self._stores[name].open

    # Requests

    def get(self, setting):
        """Returns the value of a setting."""
        return self._request("setting", name=setting)

    def notify(self, topic, payload=None):
        """Sends a notification to all subscribers."""
        self._request("notify", topic=topic, payload=to_wire(payload))

    def subscribe(self, topic, handler):
        """Calls a function with the payload of each notification of a topic, such as `molecules.library-changed`."""
        self._handlers.setdefault(topic, []).append(handler)
        self._request("subscribe", topic=topic)

    # The protocol

    def manifest(self):
        """Returns the content of `plugin.json`."""
        return {"protocol": PROTOCOL, "features": [], "run": ["python3", "-u", os.path.basename(sys.argv[0])],
                "plugin": self._identity, **self._manifest}

    def run(self):
        """Serves the host until it closes standard input; with `--manifest`, prints the manifest."""
        if sys.argv[1:] == ["--manifest"]:
            print(json.dumps(self.manifest(), indent=2))
            return
        # What the plugin prints goes to the log: standard output carries messages only.
        self._output = os.dup(1)
        os.dup2(2, 1)
        threading.Thread(target=self._serve, daemon=True).start()
        self._ended.wait()
        if self._failure:
            traceback.print_exception(type(self._failure), self._failure, self._failure.__traceback__)
            # Without the end of the interpreter, which another thread's wait for input would abort.
            os._exit(1)

    def _serve(self):
        """Reads messages and handles them, until the end of standard input.

        Another thread reads in the meantime, as a command may wait for an answer. Passing a message on to another
        thread would take longer than many a command.
        """
        try:
            while message := self._receive():
                self._handle(message)
        except BaseException as error:
            self._failure = error
        self._ended.set()

    def _receive(self):
        """Returns the next message to handle, None at the end; makes sure that a thread is left to read."""
        with self._counting:
            self._idle += 1
        with self._reading:
            message = None if self._ended.is_set() else self._next()
            with self._counting:
                self._idle -= 1
                is_last = self._idle == 0
            if message is None:
                self._ended.set()
            elif is_last:
                threading.Thread(target=self._serve, daemon=True).start()
        return message

    def _next(self):
        """Returns the next message that needs handling, or None at the end; passes on answers and cancellations."""
        for line in sys.stdin.buffer:
            message = json.loads(line)
            if "method" not in message:
                self._answers.pop(message["id"]).put(message)
            elif message["method"] == "$/cancel":
                call = self._calls.get(message["params"]["id"])
                if call:
                    call.canceled.set()
            else:
                return message
        return None

    def _handle(self, message):
        method, parameters = message["method"], message.get("params") or {}
        if method == "notified":
            for handler in self._handlers.get(parameters["topic"], []):
                try:
                    handler(from_wire(parameters["payload"]))
                except Exception:
                    traceback.print_exc()
            return
        if method == "close":
            self._open.pop(parameters["screen"], None)
        if "id" not in message:
            return
        answer = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            # A result that is no JSON is an error, too.
            return self._send({**answer, "result": self._result(method, parameters, message["id"])})
        except Canceled:
            answer["error"] = {"code": -32800, "message": "canceled"}
        except Error as error:
            answer["error"] = {"code": -32000, "message": str(error), "data": to_wire(error.report)}
        except NotImplementedError:
            answer["error"] = {"code": -32601, "message": f"there is no method '{method}'"}
        except (Exception, SystemExit) as error:
            traceback.print_exc()
            answer["error"] = {"code": -32000, "message": f"{type(error).__name__}: {error}"}
        self._send(answer)

    def _result(self, method, parameters, id):
        if method == "hello":
            self.folders = parameters["folders"]
            return {"protocol": PROTOCOL, "features": list(FEATURES)}
        if method == "call":
            function, columns, name, names = self._commands[parameters["command"]]
            arguments = {names[key]: from_wire(value) for key, value in parameters["arguments"].items()
                         if key in names and value is not None}
            call = self._calls[id] = Call(self, id, parameters["presentation"])
            try:
                result = function(call, **arguments)
            finally:
                del self._calls[id]
            if result is not None:
                result = table(columns, result) if columns else result
                call.emit(Typed(name, result) if name else result)
            return None
        if method == "render":
            return self._renderers[parameters["type"]](from_wire(parameters["value"]), parameters["width"])
        if method == "check":
            problems = self._checks[parameters["name"]]() or []
            return [{"severity": "error", "code": f"{self.id}.{parameters['name']}", "message": problem}
                    for problem in problems]
        if method == "store":
            return getattr(self._stores[parameters["name"]], "_" + parameters["action"])(parameters.get("path"))
        if method == "open":
            screen = self._open[parameters["screen"]] = self._screens[parameters["name"]]()
            return self._shown(screen, "open", **from_wire(parameters["arguments"]))
        if method == "event":
            screen, event = self._open[parameters["screen"]], from_wire(parameters["event"])
            kind = event.pop("is")
            if kind == "action":
                return self._shown(screen, kind, event["action"], event["arguments"], event["selected"])
            return self._shown(screen, kind, *event.values())
        raise NotImplementedError

    def _shown(self, screen, handler, *values, **arguments):
        handler = getattr(screen, handler, None)
        effects = handler(*values, **arguments) if handler else None
        answer = {"view": to_wire(screen.view()), "effects": to_wire(effects or [])}
        for name in ("title", "status"):
            if hasattr(screen, name):
                answer[name] = getattr(screen, name)
        return answer

    def _request(self, method, **parameters):
        id, answer = next(self._ids), queue.SimpleQueue()
        self._answers[id] = answer
        self._send({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters})
        message = answer.get()
        if "error" not in message:
            return from_wire(message["result"])
        error = message["error"]
        if error["code"] == -32800:
            raise Canceled()
        report = from_wire(error.get("data") or {})
        raise Error(report.get("code", "host.failure"), error["message"], report.get("advice"),
                    report.get("kind", "failure"), report.get("details"))

    def _notify(self, method, **parameters):
        self._send({"jsonrpc": "2.0", "method": method, "params": parameters})

    def _send(self, message):
        line = memoryview(ENCODER.encode(message).encode("utf-8", "replace") + b"\n")
        with self._writing:
            while line:
                line = line[os.write(self._output, line):]


def _dashed(name):
    return name.strip("_").replace("_", "-")


def _kind(annotation):
    kind = getattr(annotation, "kind", None)
    return kind or {"is": KINDS.get(annotation, "text")}


def _parameter(parameter, summary, completion):
    annotation, default = parameter.annotation, parameter.default
    is_list = getattr(annotation, "__origin__", None) is list
    kind = _kind(annotation.__args__[0] if is_list else annotation)
    is_required = default is inspect.Parameter.empty
    result = {"name": _dashed(parameter.name), "kind": kind, "summary": summary, "required": is_required,
              "repeatable": is_list, "default": None if is_required else to_wire(default)}
    if completion:
        result["completion"] = {"command": completion[0], "column": completion[1]}
    return result


def _columns(columns):
    fields = []
    for name, column in columns.items():
        column = column if isinstance(column, dict) else {"type": column}
        schema = {"is": SCHEMAS.get(column.get("type"), "any")}
        field = {"name": name, "schema": schema, "summary": column.get("summary", "")}
        for key, wire in (("title", "heading"), ("unit", "unit"), ("decimals", "decimals")):
            if key in column:
                field[wire] = column[key]
        fields.append(field)
    return fields
