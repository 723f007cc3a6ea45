"""The thread that writes to the server."""
import collections
import os
import threading


class Line:
    """A line for the server. Its writer's lock protects its state."""

    def __init__(self, content):
        self.content = content
        self.is_begun = self.is_done = self.is_dropped = self.is_written = False


class Writer:
    """Writes whole lines on a thread that signals do not reach: an interrupt cannot leave half of one.

    `add_waiting` is called with 1 before and -1 after a line is written, as the server may read no further until its
    output is read. The writer closes the stream when it ends.
    """

    def __init__(self, stream, add_waiting):
        self._stream, self._add_waiting = stream, add_waiting
        self._changed = threading.Condition()
        self._lines = collections.deque()
        self._is_ended = False
        self._thread = threading.Thread(target=self._run, name="workbench-writer", daemon=True)
        self._thread.start()

    def post(self, line):
        """Writes a line some time later; returns False if the writer has ended."""
        with self._changed:
            if self._is_ended or line.is_dropped:
                return False
            self._lines.append(line)
            self._changed.notify_all()
            return True

    def write(self, line):
        """Waits until a line is written; returns False if it cannot be."""
        if not self.post(line):
            return False
        with self._changed:
            while not line.is_done:
                # A signal that arrives just before the wait is handled after it.
                self._changed.wait(0.2)
            return line.is_written

    def drop(self, line):
        """Leaves out a line of an interrupted `write`; returns False if its writing has begun."""
        with self._changed:
            line.is_dropped = not line.is_begun
            return line.is_dropped

    def end(self):
        """Closes the stream after the lines before."""
        with self._changed:
            self._is_ended = True
            self._changed.notify_all()

    def join(self, seconds):
        """Waits for the end of the thread."""
        self._thread.join(seconds)

    def _run(self):
        try:
            while True:
                with self._changed:
                    while not self._lines and not self._is_ended:
                        self._changed.wait()
                    if not self._lines:
                        return
                    line = self._lines.popleft()
                    line.is_begun = not line.is_dropped
                is_written = line.is_begun and self._write(line.content)
                with self._changed:
                    line.is_written, line.is_done = is_written, True
                    self._changed.notify_all()
        finally:
            self._stream.close()

    def _write(self, content):
        self._add_waiting(1)
        try:
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(self._stream.fileno(), rest):]
            return True
        except (OSError, ValueError):
            return False
        finally:
            self._add_waiting(-1)
