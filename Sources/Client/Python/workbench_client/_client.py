"""The client for threads: calls wait, handles do not, streams are iterators."""
import os
import pathlib
import shutil
import threading
import warnings
import weakref
from typing import TYPE_CHECKING, Any, Callable, List, Optional

from . import _commands
from ._connection import ENDING_SECONDS, PROTOCOL, Connection, Topic
from ._errors import Canceled, ServerEnded, WorkbenchWarning
from ._values import from_wire, joined

if TYPE_CHECKING:
    from ._stubs import Commands
else:
    Commands = object

#: Seconds in which an interrupted call waits for the server to confirm its end.
_CANCEL_SECONDS = 10


def find_program():
    """Returns `$WORKBENCH_PROGRAM`, the program of the installation that this file belongs to, or the one in `PATH`."""
    if os.environ.get("WORKBENCH_PROGRAM"):
        return os.environ["WORKBENCH_PROGRAM"]
    folders = list(pathlib.Path(__file__).resolve().parents)
    # PREFIX/share/workbench/python/workbench_client
    if [folder.name for folder in folders[1:4]] == ["python", "workbench", "share"]:
        own = folders[4] / "bin/workbench"
        if os.access(own, os.X_OK):
            return str(own)
    return shutil.which("workbench") or "workbench"


def server_command(program, home=None, offline=False, safe_mode=False, read_only=False, yes=False, plugin_folders=(),
                   options=()):
    """Returns the command line of a server."""
    command = [find_program() if program is None else os.fspath(program), "serve", "--stdio"]
    if home is not None:
        command += ["--home", os.path.abspath(os.fspath(home))]
    for folder in plugin_folders:
        command += ["--plugin-dir", os.path.abspath(os.fspath(folder))]
    for is_set, option in ((offline, "--offline"), (safe_mode, "--safe-mode"), (read_only, "--read-only"),
                           (yes, "--yes")):
        if is_set:
            command.append(option)
    return [*command, *options]


def say_hello(connection, ask):
    """Returns what the server says about itself."""
    features = ["ask"] if ask else []
    return connection.request("hello", protocol=PROTOCOL, features=features, client="workbench_client")


def warn(content):
    """Shows a warning of a command."""
    advice = f"; {content['advice']}" if content.get("advice") else ""
    text = f"{content.get('message', '')}{advice} ({content.get('code', 'host.warning')})"
    warnings.warn(text, WorkbenchWarning, stacklevel=2)


class Handle:
    """A call that runs: `result()` waits for it, `cancel()` ends it."""

    def __init__(self, workbench, request, on_progress=None):
        self._workbench = workbench  # which ends when nothing refers to it
        self._is_stream = request.is_stream
        self._on_progress = on_progress
        self._call = workbench._connection.start("call", request.parameters)
        self._outcome = None
        self._taking = threading.Lock()

    @property
    def is_done(self) -> bool:
        """True if the server has responded."""
        return self._call.is_done or self._outcome is not None

    def cancel(self) -> None:
        """Asks the server to cancel the call, whose `result()` then raises Canceled."""
        self._call.cancel()

    def result(self) -> Any:
        """Waits for the result; Ctrl-C cancels the call.

        Progress is reported, and warnings are shown, on the thread that waits.
        """
        with self._taking:
            while self._outcome is None:
                try:
                    self._take(self._call.wait())
                except BaseException:
                    if self._outcome is None:
                        self._interrupt()
                    raise
        result, error = self._outcome
        if error is not None:
            raise error
        return result

    def _take(self, event):
        kind, content, _ = event
        if kind == "error":
            self._outcome = None, content
        elif kind == "result":
            value = from_wire(content)
            self._outcome = (joined(value) if self._is_stream and isinstance(value, list) else value), None
        elif kind == "warn":
            warn(content)
        elif kind == "progress" and self._on_progress:
            self._on_progress(content.get("label", ""), content.get("fraction"))

    def _interrupt(self):
        """Cancels the call and waits until it has ended, so that it holds no lock when the exception is handled."""
        self._call.abandon()
        connection = self._call.connection
        with connection.changed, connection.waiter():
            connection.changed.wait_for(lambda: self._call.is_done or connection.failure, _CANCEL_SECONDS)
        self._outcome = None, Canceled("host.serve-canceled", "the call was canceled", status=130)


class Stream:
    """An iterator over the values of a command as they are made; rows, for a command that makes a table.

    `close()`, or the end of a `with`, cancels the command; so does a loop that is left, once nothing refers to the
    stream. While the values are not taken, Workbench waits.
    """

    def __init__(self, workbench, request, on_progress=None):
        self._workbench = workbench
        self._on_progress = on_progress
        self._part = iter(())
        self._is_done = True
        self._call = workbench._connection.start("call", {**request.parameters, "stream": True})
        self._is_done = False

    def __iter__(self) -> "Stream":
        return self

    def __next__(self) -> Any:
        while True:
            for value in self._part:
                return value
            if self._is_done:
                raise StopIteration
            try:
                self._take(self._call.wait())
            except BaseException:
                self.close()
                raise

    def _take(self, event):
        kind, content, _ = event
        if kind == "emit":
            value = from_wire(content)
            self._part = iter(value if hasattr(value, "__iter__") and not isinstance(value, (dict, str, bytes))
                              else [value])
        elif kind == "error":
            self._is_done = True
            raise content
        elif kind == "result":
            self._is_done = True
        elif kind == "warn":
            warn(content)
        elif kind == "progress" and self._on_progress:
            self._on_progress(content.get("label", ""), content.get("fraction"))

    def close(self) -> None:
        """Cancels the command if it has not ended."""
        if not self._is_done:
            self._is_done = True
            self._part = iter(())
            self._call.abandon()

    def __del__(self):
        if not self._is_done:
            # On a thread of its own: this one may be sending something just now.
            try:
                threading.Thread(target=self._call.abandon, daemon=True).start()
            except RuntimeError:  # the interpreter ends
                pass

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_):
        self.close()


class Notification:
    """A notification of a subscribed topic: `topic`, `plugin`, `payload`, and how many were `missed` before it."""

    def __init__(self, parameters, missed):
        self.topic, self.plugin = parameters.get("topic"), parameters.get("plugin")
        self.payload, self.missed = from_wire(parameters.get("payload")), missed

    def __repr__(self):
        return f"<Notification {self.topic}: {self.payload!r}>"


class Subscription:
    """The notifications of a topic: a loop over it waits for the next one; `close()` ends the loop."""

    def __init__(self, workbench, name):
        self._workbench = workbench
        connection = self._connection = workbench._connection
        self._name, self._topic = name, Topic()
        add_topic(connection, name, self._topic)
        try:
            connection.request("subscribe", topic=name)
        except BaseException:
            remove_topic(connection, name, self._topic)
            raise

    def __iter__(self) -> "Subscription":
        return self

    def __next__(self) -> Notification:
        connection = self._connection
        with connection.changed:
            while not self._topic.events:
                if self._topic.is_closed or connection.failure:
                    raise StopIteration
                with connection.waiter():
                    connection.changed.wait()
            return Notification(*self._topic.events.popleft())

    def close(self) -> None:
        """Ends the subscription."""
        if remove_topic(self._connection, self._name, self._topic):
            try:
                self._connection.request("unsubscribe", topic=self._name)
            except ServerEnded:
                pass

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, *_):
        self.close()


def add_topic(connection, name, topic):
    """Adds a subscriber."""
    with connection.changed:
        connection.topics.setdefault(name, []).append(topic)


def remove_topic(connection, name, topic):
    """Removes a subscriber and returns true if it was the last one of its topic."""
    with connection.changed:
        topic.is_closed = True
        connection.changed.notify_all()
        topics = connection.topics.get(name, [])
        if topic not in topics:
            return False
        topics.remove(topic)
        if not topics:
            del connection.topics[name]
        return not topics and not connection.failure


class Workbench(Commands):
    """A Workbench of one's own: a child process that keeps its plugins loaded between calls.

        with Workbench() as wb:
            wb.pathcase.fba("model.xml", maximize="R_X").to_pandas()

    `program` is the path of workbench, by default that of `find_program`; `home` the folder of its stores and settings.
    `ask` is a function of a title, a text and a Boolean value indicating whether the answer is
    secret; it returns a text, or None. Without it, commands that ask end with an error. Relative paths in texts start
    from `folder`, by default the folder in which the program is started; those of `pathlib` from the current one.

    The commands are attributes: `wb.molecules.info("4hhb")`. Each has `start`, which returns a `Handle` without
    waiting, and `stream`, which returns a `Stream`. Several threads may use one Workbench.
    """

    def __init__(self, program=None, home=None, *, offline=False, safe_mode=False, read_only=False, yes=False,
                 plugin_folders=(), options=(), environment=None, folder=None, ask=None):
        command = server_command(program, home, offline, safe_mode, read_only, yes, plugin_folders, options)
        self._connection = Connection(command, environment, folder, ask)
        self._finalizer = weakref.finalize(self, self._connection.abandon)
        self._table = None
        self._made = {}
        try:
            self.server = say_hello(self._connection, ask)
        except BaseException:
            self.close()
            raise

    # Life

    def close(self, seconds: float = ENDING_SECONDS) -> None:
        """Ends the server. Running calls are canceled; those that change something may finish within this time."""
        if self._finalizer.detach():
            self._connection.close(seconds)

    @property
    def is_closed(self) -> bool:
        """True after `close`, or if the server has ended."""
        return not self._finalizer.alive or self._connection.failure is not None

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __repr__(self):
        state = "closed" if self.is_closed else f"process {self._connection.process_id}"
        return f"<Workbench {self.server.get('version', '')}, {state}>"

    # Commands

    def refresh(self):
        """Asks for the commands again, such as after a plugin was installed."""
        self._table = None
        for name in self._made:
            self.__dict__.pop(name, None)
        self._made = {}

    @property
    def command_table(self):
        """The descriptions of all commands."""
        if self._table is None:
            self._table = _commands.Table(self._connection.request("commands"), self.server.get("readOnly"))
        return self._table

    def commands(self, group: Optional[str] = None) -> List[str]:
        """Returns the names of all commands, or of those of a plugin."""
        return list(self.command_table.all) if group is None else self.command_table.names(group)

    def __getattr__(self, name):
        if name.startswith("_") or name == "server":
            raise AttributeError(name)
        table = self.command_table
        group = name.rstrip("_").replace("_", "-")
        if table.names(group):
            made = _commands.Namespace(group, table, self._function)
        elif group in table.all:
            made = self._function(table[group])
        else:
            raise table.unknown(group)
        self._made[name] = self.__dict__[name] = made
        return made

    def __dir__(self):
        return [*super().__dir__(), *map(_commands.python_name, self.command_table.groups())]

    def _function(self, description):
        return _commands.function(
            description,
            run=lambda request, on_progress: Handle(self, request, on_progress).result(),
            start=lambda request, on_progress: Handle(self, request, on_progress),
            stream=lambda request, on_progress: Stream(self, request, on_progress))

    def call(self, method: str, *arguments: Any, on_progress: Any = None, **options: Any) -> Any:
        """Runs a command by its method, such as `molecules.measure-distance`, and returns its result."""
        return self.start(method, *arguments, on_progress=on_progress, **options).result()

    def start(self, method: str, *arguments: Any, on_progress: Any = None, **options: Any) -> Handle:
        """Starts a command and returns its `Handle`."""
        request = _commands.Request(self.command_table[method], arguments, options)
        return Handle(self, request, on_progress)

    def stream(self, method: str, *arguments: Any, on_progress: Any = None, **options: Any) -> Stream:
        """Starts a command and returns a `Stream` of its values."""
        request = _commands.Request(self.command_table[method], arguments, options)
        return Stream(self, request, on_progress)

    def schema(self, method: str) -> Any:
        """Returns the JSON Schemas of a command's parameters and result."""
        return self._connection.request("schema", command=self.command_table[method]["method"])

    def subscribe(
        self, topic: str, handler: Optional[Callable[[Notification], Any]] = None
    ) -> Subscription:
        """Subscribes to a topic, such as `molecules.library-changed`, and returns the `Subscription`.

        A handler gets each notification on a thread of its own.
        """
        subscription = Subscription(self, topic)
        if handler is not None:
            def handle():
                for notification in subscription:
                    handler(notification)
            threading.Thread(target=handle, name=f"workbench {topic}", daemon=True).start()
        return subscription
