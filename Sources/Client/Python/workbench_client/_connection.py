"""The connection with a server of Workbench: a child process that speaks JSON-RPC over its standard streams.

`Documentation/Serving.md` describes the protocol. One thread reads messages, and one writes them. They never call code
of users: events are kept for the thread or task that waits for them.
"""
import collections
import json
import subprocess
import threading

from ._errors import ServerEnded, WorkbenchError
from ._writer import Line, Writer

PROTOCOL = 1
#: The longest line of the server in bytes: a result may have 256 MB.
LONGEST_LINE = 300 * 1024 * 1024
#: Bytes of values that nobody has taken yet, beyond which nothing more is read while nobody waits.
HELD_BYTES = 8 * 1024 * 1024
#: Seconds in which a server ends once its input is closed; commands that change something have 40 to finish.
ENDING_SECONDS = 45
#: Notifications kept for a subscriber; beyond it the oldest are dropped.
KEPT_NOTIFICATIONS = 1000


class Call:
    """A request and what the server has sent about it: events `(kind, content, bytes)`.

    The kinds are `emit`, `progress`, `warn`, and last `result` or `error`.
    """

    def __init__(self, connection, id):
        self.connection, self.id = connection, id
        self.events = collections.deque()
        self.wake = None  # called after each event, on the thread that reads
        self.is_done = False  # the response has arrived
        self.is_abandoned = False  # nobody will take the values

    def take(self):
        """Returns the next event, or None if there is none yet; the connection's lock is held."""
        if self.events:
            event = self.events.popleft()
            self.connection.held -= event[2]
            return event
        if not self.is_done and self.connection.failure:
            return "error", self.connection.failure, 0
        return None

    def wait(self):
        """Waits for the next event."""
        connection = self.connection
        with connection.changed:
            event = self.take()
            while event is None:
                with connection.waiter():
                    connection.changed.wait()
                event = self.take()
            connection.changed.notify_all()
            return event

    def cancel(self):
        """Asks the server to cancel the call; its response follows."""
        if not self.is_done:
            self.connection.notify("cancel", {"id": self.id})

    def abandon(self):
        """Cancels the call and drops its values."""
        with self.connection.changed:
            self.is_abandoned = True
            while self.events:
                self.connection.held -= self.events.popleft()[2]
            self.connection.changed.notify_all()
        self.cancel()


class Topic:
    """A subscription's notifications that have arrived."""

    def __init__(self):
        self.events = collections.deque()  # pairs of parameters and the number of those missed before
        self.wake = None
        self.is_closed = False

    def add(self, parameters):
        """Adds a notification; the one after a dropped one counts it."""
        missed = parameters.get("missed") or 0
        if len(self.events) == KEPT_NOTIFICATIONS:
            dropped = 1 + self.events.popleft()[1]
            if self.events:
                self.events[0][1] += dropped
            else:
                missed += dropped
        self.events.append([parameters, missed])


class Connection:
    """A running server."""

    def __init__(self, command, environment=None, folder=None, ask=None):
        self.changed = threading.Condition()
        self.failure = None
        self.held = 0
        self.topics = {}
        self._ask = ask
        self._calls = {}
        self._last_id = 0
        self._waiting = 0
        self._is_closing = False
        self._notes = collections.deque(maxlen=20)
        try:
            # In a session of its own, so that Ctrl-C reaches this process only, which cancels its calls.
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                cwd=folder, start_new_session=True)
        except OSError as error:
            raise ServerEnded("client.not-started", f"cannot start '{command[0]}': {error.strerror}",
                              "give its path, as in Workbench(program='/usr/bin/workbench')") from None
        self._writer = Writer(self._process.stdin, self._count_waiting)
        self._notes_reader = threading.Thread(target=self._read_notes, name="workbench-notes", daemon=True)
        self._reader = threading.Thread(target=self._read, name="workbench-reader", daemon=True)
        self._notes_reader.start()
        self._reader.start()

    @property
    def process_id(self):
        return self._process.pid

    # Requests

    def start(self, method, parameters=None):
        """Sends a request and returns its call."""
        with self.changed:
            if self.failure:
                raise self.failure
            self._last_id += 1
            call = Call(self, self._last_id)
            self._calls[call.id] = call
        line = None
        try:
            line = _line({"id": call.id, "method": method, "params": parameters or {}})
            self._send(line)
        except BaseException as error:
            if line is None or isinstance(error, ServerEnded) or self._writer.drop(line):
                with self.changed:
                    self._calls.pop(call.id, None)
            else:  # an interrupt: the server has the request or gets the rest of it
                call.abandon()
            raise
        return call

    def request(self, method, **parameters):
        """Sends a request and returns its result."""
        call = self.start(method, parameters)
        while True:
            try:
                kind, content, _ = call.wait()
            except BaseException:
                call.abandon()
                raise
            if kind == "result":
                return content
            if kind == "error":
                raise content

    def notify(self, method, parameters):
        """Sends a notification without waiting until it is written; a server that has ended gets none."""
        self._writer.post(_line({"method": method, "params": parameters}))

    def waiter(self):
        """Counts the caller among those who wait for the server, during a `with`; the lock is held."""
        return _Waiter(self)

    def add_waiting(self, change):
        """Changes the number of those who wait; the lock is held."""
        self._waiting += change
        if change > 0:
            self.changed.notify_all()

    def _count_waiting(self, change):
        with self.changed:
            self.add_waiting(change)

    def _send(self, line):
        if not self._writer.write(line):
            self._reader.join(ENDING_SECONDS)
            raise self.failure or ServerEnded("client.ended", "the connection with Workbench is closed")

    # What the server sends

    def _read(self):
        failure = None
        try:
            while True:
                line = self._process.stdout.readline(LONGEST_LINE)
                if not line:
                    break
                wake = self._receive(line)
                if wake:
                    wake()
                with self.changed:
                    while self.held > HELD_BYTES and self._waiting == 0 and not self._is_closing:
                        self.changed.wait()
        except _BadMessage as error:
            self._process.kill()
            failure = ServerEnded("client.bad-message", f"the server sent something that is not a message: {error}",
                                  "check that the program is workbench")
        except Exception as error:  # such as a lack of memory; nobody may wait forever
            self._process.kill()
            failure = ServerEnded("client.ended", f"cannot read from the server: {error}")
        self._end(failure or self._ended())

    def _receive(self, line):
        """Adds a message to the events of its call; returns the function to call then."""
        message = _message(line)
        if "method" not in message:
            return self._respond(message, len(line))
        method, parameters = message["method"], message.get("params")
        if not isinstance(parameters, dict):
            raise _BadMessage(f"'{method}' without parameters")
        if "id" in message:
            threading.Thread(target=self._answer, args=(message["id"], method, parameters), daemon=True).start()
            return None
        if method == "notified":
            with self.changed:
                topics = list(self.topics.get(parameters.get("topic"), ()))
                for topic in topics:
                    topic.add(parameters)
                self.changed.notify_all()
            return lambda: [topic.wake() for topic in topics if topic.wake]
        if method not in ("emit", "progress", "warn"):
            return None
        with self.changed:
            call = self._calls.get(_id(parameters.get("id")))
            if call is None or call.is_abandoned:
                return None
            if method == "progress" and call.events and call.events[-1][0] == "progress":
                call.events.pop()  # the newest one counts
            content = parameters.get("value") if method == "emit" else parameters
            size = len(line) if method == "emit" else 0
            call.events.append((method, content, size))
            self.held += size
            self.changed.notify_all()
            return call.wake

    def _respond(self, message, size):
        with self.changed:
            call = self._calls.pop(_id(message.get("id")), None)
            if call is None:
                if 1 <= (_id(message.get("id")) or 0) <= self._last_id:
                    return None  # of a call that was interrupted while it was sent
                if message.get("id") is None and isinstance(message.get("error"), dict):
                    raise _BadMessage("it could not read a request: " + str(message["error"].get("message"))[:200])
                raise _BadMessage("a response to no request")
            if "error" in message:
                if not isinstance(message["error"], dict):
                    raise _BadMessage("an error that is not an object")
                event = "error", WorkbenchError._of(message["error"]), 0
            elif "result" in message:
                event = "result", message["result"], size
            else:
                raise _BadMessage("a response without result and error")
            self.held += event[2]
            call.events.append(event)
            call.is_done = True
            if call.is_abandoned:
                call.take()
            self.changed.notify_all()
            return call.wake

    def _answer(self, id, method, parameters):
        if method != "ask" or self._ask is None:
            error = {"code": -32601, "message": f"there is no method '{method}'"}
            self._reply({"id": id, "error": error})
            return
        try:
            text = self._ask(parameters.get("title", ""), parameters.get("text", ""), bool(parameters.get("secret")))
        except Exception:
            text = None
        self._reply({"id": id, "result": None if text is None else str(text)})

    def _reply(self, message):
        try:
            self._send(_line(message))
        except ServerEnded:
            pass

    def _read_notes(self):
        for line in iter(lambda: self._process.stderr.readline(4096), b""):
            self._notes.append(line.decode("utf-8", "replace").rstrip())

    # The end

    def _ended(self):
        if self._is_closing:
            return ServerEnded("client.closed", "the connection with Workbench is closed")
        try:
            status = self._process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            return ServerEnded("client.ended", "the server closed its output")
        self._notes_reader.join(2)
        note = f": {self._notes[-1]}" if self._notes else ""
        how = f"signal {-status}" if status < 0 else f"status {status}"
        return ServerEnded("client.ended", f"the server ended with {how}{note}", "start another one with Workbench()")

    def _end(self, failure):
        with self.changed:
            self.failure = failure
            wakes = [call.wake for call in self._calls.values() if call.wake]
            wakes += [topic.wake for topics in self.topics.values() for topic in topics if topic.wake]
            self._calls.clear()
            self.changed.notify_all()
        self._writer.end()
        for wake in wakes:
            wake()

    def close(self, seconds=ENDING_SECONDS):
        """Ends the server: its calls are canceled, and it is killed if it has not ended in this time."""
        self.abandon()
        try:
            self._process.wait(seconds)
        except BaseException as error:
            self._process.kill()
            self._process.wait()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
        finally:
            self._writer.join(2)
            if threading.current_thread() is not self._reader:
                self._reader.join(2)
                self._notes_reader.join(2)
            for thread, stream in ((self._reader, self._process.stdout), (self._notes_reader, self._process.stderr)):
                if not thread.is_alive():
                    stream.close()

    def abandon(self):
        """Lets the server end without waiting for it."""
        with self.changed:
            self._is_closing = True
            self.changed.notify_all()
        self._writer.end()


class _Waiter:
    def __init__(self, connection):
        self._connection = connection

    def __enter__(self):
        self._connection.add_waiting(1)

    def __exit__(self, *_):
        self._connection.add_waiting(-1)


class _BadMessage(Exception):
    """What the server sent is not a message."""


def _id(id):
    """An id that may be looked up; a list, for example, cannot be."""
    return id if isinstance(id, int) and not isinstance(id, bool) else None


def _line(message):
    return Line(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, separators=(",", ":"),
                           allow_nan=False).encode("utf-8", "replace") + b"\n")


def _message(line):
    if not line.endswith(b"\n"):
        raise _BadMessage("a line that does not end")
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise _BadMessage(repr(line[:60])) from None
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise _BadMessage(repr(line[:60]))
    if "method" in message and not isinstance(message["method"], str):
        raise _BadMessage("a method that is not a text")
    return message
