"""The client for asyncio, on the same connection: its thread wakes the tasks that wait."""
import asyncio
import threading
from typing import TYPE_CHECKING, Any, List, Optional

from . import _commands
from ._client import Notification, Workbench, add_topic, remove_topic, warn
from ._connection import ENDING_SECONDS, Topic
from ._errors import ServerEnded
from ._values import from_wire, joined

if TYPE_CHECKING:
    from ._stubs import AsyncCommands
else:
    AsyncCommands = object


class _Waker:
    """Wakes a task whenever the connection has something for it."""

    def __init__(self, source):
        self._loop, self._event = asyncio.get_running_loop(), asyncio.Event()
        source.wake = self._wake

    def _wake(self):
        try:
            self._loop.call_soon_threadsafe(self._event.set)
        except RuntimeError:  # the loop is closed
            pass

    async def next(self, connection, take):
        """Waits until `take` returns something."""
        while True:
            with connection.changed:
                taken = take()
                if taken is not None:
                    connection.changed.notify_all()
                    return taken
                connection.add_waiting(1)
            try:
                await self._event.wait()
            finally:
                with connection.changed:
                    connection.add_waiting(-1)
            self._event.clear()


class _AsyncCall:
    """Sends a request from a task; writing may wait for the server, so it happens on another thread."""

    def __init__(self, connection, method, parameters, on_progress=None):
        self._connection, self._method, self._parameters = connection, method, parameters
        self._on_progress = on_progress
        self._call = self._waker = None

    async def next(self):
        """Returns the next event that is a value, a result, or an error."""
        if self._call is None:
            self._call = await self._start()
            self._waker = _Waker(self._call)
        while True:
            kind, content, _ = await self._waker.next(self._connection, self._call.take)
            if kind == "warn":
                warn(content)
            elif kind == "progress":
                if self._on_progress:
                    self._on_progress(content.get("label", ""), content.get("fraction"))
            elif kind == "error":
                raise content
            else:
                return kind, content

    async def _start(self):
        starting = asyncio.get_running_loop().run_in_executor(
            None, self._connection.start, self._method, self._parameters)
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            starting.add_done_callback(lambda done: None if done.exception() else done.result().abandon())
            raise

    def cancel(self):
        """Cancels the call without waiting for its end, and drops its values."""
        if self._call is not None:
            self._call.abandon()


async def _result(connection, method, parameters, is_stream=False, is_wire=True, on_progress=None):
    call = _AsyncCall(connection, method, parameters, on_progress)
    try:
        _, content = await call.next()
    except BaseException:
        call.cancel()
        raise
    if not is_wire:
        return content
    value = from_wire(content)
    return joined(value) if is_stream and isinstance(value, list) else value


class AsyncStream:
    """The values of a command as they are made, for `async for`; `await close()` cancels the command."""

    def __init__(self, workbench, request, on_progress=None):
        self._workbench = workbench  # which ends when nothing refers to it
        self._call = _AsyncCall(workbench._connection, "call", {**request.parameters, "stream": True}, on_progress)
        self._part, self._is_done = iter(()), False

    def __aiter__(self):
        return self

    async def __anext__(self):
        while True:
            for value in self._part:
                return value
            if self._is_done:
                raise StopAsyncIteration
            try:
                kind, content = await self._call.next()
            except BaseException:
                await self.close()
                raise
            if kind == "result":
                self._is_done = True
                continue
            value = from_wire(content)
            self._part = iter(value if hasattr(value, "__iter__") and not isinstance(value, (dict, str, bytes))
                              else [value])

    async def close(self):
        """Cancels the command if it has not ended."""
        self._part, self._is_done = iter(()), True
        self._call.cancel()

    aclose = close

    def __del__(self):
        # A loop that is left does not close its stream.
        if not self._is_done:
            # On a thread of its own: this one may hold the connection's lock just now.
            try:
                threading.Thread(target=self._call.cancel, daemon=True).start()
            except RuntimeError:  # the interpreter ends
                pass

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.close()


class AsyncSubscription:
    """The notifications of a topic, for `async for`."""

    def __init__(self, workbench, name):
        self._workbench, self._connection = workbench, workbench._connection
        self._name, self._topic = name, Topic()
        self._waker = _Waker(self._topic)

    def __aiter__(self):
        return self

    def _take(self):
        if self._topic.events:
            return self._topic.events.popleft()
        return () if self._topic.is_closed or self._connection.failure else None

    async def __anext__(self):
        taken = await self._waker.next(self._connection, self._take)
        if not taken:
            raise StopAsyncIteration
        return Notification(*taken)

    async def close(self):
        """Ends the subscription."""
        if remove_topic(self._connection, self._name, self._topic):
            try:
                await _result(self._connection, "unsubscribe", {"topic": self._name}, is_wire=False)
            except ServerEnded:
                pass
        self._topic.wake()

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.close()


class AsyncWorkbench(AsyncCommands):
    """A Workbench for asyncio, with the parameters of `Workbench`.

        async with AsyncWorkbench() as wb:
            result = await wb.pathcase.fba("model.xml")
            async for row in wb.molecules.search.stream("kinase"):
                ...

    Canceling a task cancels its call.
    """

    def __init__(self, *arguments, **options):
        self._arguments, self._options = arguments, options
        self._workbench = None

    async def __aenter__(self) -> "AsyncWorkbench":
        await self.open()
        return self

    async def __aexit__(self, *_):
        await self.close()

    async def open(self) -> None:
        """Starts the server."""
        loop = asyncio.get_running_loop()

        def make():
            workbench = Workbench(*self._arguments, **self._options)
            try:
                workbench.command_table
            except BaseException:
                workbench.close()
                raise
            return workbench

        self._workbench = await loop.run_in_executor(None, make)
        self.server = self._workbench.server

    async def close(self, seconds=ENDING_SECONDS):
        """Ends the server; see `Workbench.close`."""
        if self._workbench is not None:
            await asyncio.get_running_loop().run_in_executor(None, self._workbench.close, seconds)

    def _opened(self):
        if self._workbench is None:
            raise RuntimeError("the AsyncWorkbench is not open; use 'async with' or 'await wb.open()'")
        return self._workbench

    @property
    def is_closed(self):
        """True before `open`, after `close`, or if the server has ended."""
        return self._workbench is None or self._workbench.is_closed

    def __getattr__(self, name):
        if name.startswith("_") or name == "server":
            raise AttributeError(name)
        table = self._opened().command_table
        group = name.rstrip("_").replace("_", "-")
        if table.names(group):
            return _commands.Namespace(group, table, self._function)
        if group in table.all:
            return self._function(table[group])
        raise table.unknown(group)

    def __dir__(self):
        names = self._workbench.command_table.groups() if self._workbench else []
        return [*super().__dir__(), *map(_commands.python_name, names)]

    def _function(self, description):
        workbench = self._opened()

        async def run(request, on_progress):
            return await _result(
                workbench._connection, "call", request.parameters, request.is_stream, True, on_progress)

        return _commands.function(
            description, run=run,
            start=lambda request, on_progress: asyncio.ensure_future(run(request, on_progress)),
            stream=lambda request, on_progress: AsyncStream(workbench, request, on_progress))

    async def refresh(self):
        """Asks for the commands again."""
        workbench = self._opened()
        workbench.refresh()
        descriptions = await _result(workbench._connection, "commands", {}, is_wire=False)
        workbench._table = _commands.Table(descriptions, workbench.server.get("readOnly"))

    def commands(self, group: Optional[str] = None) -> List[str]:
        """Returns the names of all commands, or of those of a plugin."""
        return self._opened().commands(group)

    async def call(self, method: str, *arguments: Any, on_progress: Any = None, **options: Any) -> Any:
        """Runs a command by its method, such as `molecules.measure-distance`."""
        return await self._function(self._opened().command_table[method])(
            *arguments, on_progress=on_progress, **options)

    def stream(self, method: str, *arguments: Any, on_progress: Any = None, **options: Any) -> AsyncStream:
        """Starts a command and returns an `AsyncStream` of its values."""
        return self._function(self._opened().command_table[method]).stream(
            *arguments, on_progress=on_progress, **options)

    async def subscribe(self, topic: str) -> AsyncSubscription:
        """Subscribes to a topic and returns the `AsyncSubscription`."""
        workbench = self._opened()
        connection = workbench._connection
        subscription = AsyncSubscription(workbench, topic)
        add_topic(connection, topic, subscription._topic)
        try:
            await _result(connection, "subscribe", {"topic": topic}, is_wire=False)
        except BaseException:
            remove_topic(connection, topic, subscription._topic)
            raise
        return subscription
