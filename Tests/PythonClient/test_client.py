"""The Python client against a server that can misbehave: values, errors, streams, cancellation, the end."""
import asyncio
import contextlib
import datetime
import decimal
import gc
import inspect
import io
import math
import os
import pathlib
import pickle
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import types
import unittest
import warnings
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Sources/Client/Python"))

from workbench_client import (  # noqa: E402
    Array, AsyncWorkbench, Canceled, Picture, Quantity, Record, Records, ServerEnded, Table, Workbench, WorkbenchError,
    WorkbenchWarning)
from workbench_client import _connection, _magics, _values  # noqa: E402

FAKE = pathlib.Path(__file__).with_name("fake_server.py")


class ClientTest(unittest.TestCase):
    """Tests with a server of their own."""

    def open(self, environment=None, **options):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = pathlib.Path(folder.name) / "log"
        environment = {**os.environ, "FAKE_LOG": str(self.log), **(environment or {})}
        workbench = Workbench(FAKE, environment=environment, **options)
        self.addCleanup(workbench.close, 5)
        return workbench

    def logged(self):
        return self.log.read_text() if self.log.exists() else ""

    def assertNoProcess(self, workbench):
        self.assertIsNotNone(workbench._connection._process.returncode)


class ValueTests(ClientTest):
    def test_a_table_has_rows_columns_and_units(self):
        table = self.open().sample.table()
        self.assertIsInstance(table, Table)
        self.assertEqual(table.columns, ["name", "length", "count", "rank"])
        self.assertEqual((len(table), table["count"], table[1].name), (2, [1, 2], "<b>"))
        self.assertEqual([row["count"] for row in table], [1, 2])
        self.assertEqual((table.units, table.type_name), ({"length": "Å"}, "sample.table"))
        self.assertTrue(math.isnan(table["length"][1]))
        self.assertEqual(table[:1].to_dict(), {"name": ["a"], "length": [1.25], "count": [1], "rank": [3]})
        self.assertIn("name  length  count  rank\na     1.2", repr(table))

    def test_html_of_values_is_escaped_and_limited(self):
        text = self.open().sample.hostile_table()._repr_html_()
        self.assertNotIn("<script>", text)
        self.assertNotIn("<img", text)
        self.assertNotIn("<u>", text)
        self.assertEqual(text.count("&lt;img onerror=x&gt;"), _values.SHOWN_ROWS)
        self.assertIn("100 rows", text)
        self.assertIn("<th>&lt;a&gt;</th><td>&lt;b&gt;</td>", Record({"<a>": "<b>"})._repr_html_())
        self.assertIn("&lt;i&gt;", Records([Record({"<i>": 1})])._repr_html_())

    def test_a_record_has_attributes_and_items(self):
        record = self.open().sample.record()
        self.assertEqual((record.status, record["objective"], record.fluxes.B), ("optimal", 1.5, 2.5))
        with self.assertRaisesRegex(AttributeError, "no field 'flux'; it has status, objective, fluxes"):
            record.flux
        self.assertEqual(pickle.loads(pickle.dumps(record)), record)
        self.assertIn("objective", dir(record))

    def test_a_list_of_records_has_the_columns_of_all(self):
        records = self.open().sample.list()
        self.assertIsInstance(records, Records)
        self.assertEqual(records.columns, ["id", "code", "title"])
        self.assertEqual(records[1].title, "y")

    def test_values_keep_their_kinds(self):
        kinds = self.open().sample.kinds()
        utc = datetime.timezone.utc
        self.assertEqual(kinds.date, datetime.datetime(2026, 11, 20, 6, 30, tzinfo=utc))
        self.assertEqual(kinds.exact, datetime.datetime(2026, 11, 20, 6, 30, 0, 125000, utc))
        self.assertEqual((kinds.bytes, kinds.decimal, kinds.record), (b"\1\2", decimal.Decimal("1.50"), {"$a": 1}))
        self.assertTrue(math.isnan(kinds.nan))
        self.assertEqual((kinds.quantity, kinds.quantity.unit), (1.8, "angstrom"))
        self.assertEqual((kinds.array.tolist(), kinds.array.shape), ([[1, 2], [3, 4]], (2, 2)))
        self.assertEqual(kinds.far, "+12026")
        self.assertEqual(pickle.loads(pickle.dumps(kinds.quantity)).unit, "angstrom")

    def test_a_picture_is_a_png(self):
        picture = self.open().sample.picture(size=(3, 2))
        png = picture._repr_png_()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", png[16:24]), (3, 2))
        length = struct.unpack(">I", png[33:37])[0]
        self.assertEqual(zlib.decompress(png[41:41 + length]), (b"\0" + b"\xff\0\0\xff" * 3) * 2)
        with tempfile.TemporaryDirectory() as folder:
            picture.save(folder + "/a.png")
            self.assertEqual(pathlib.Path(folder, "a.png").read_bytes(), png)
            with self.assertRaisesRegex(ValueError, ".png"):
                picture.save(folder + "/a.jpg")
        self.assertEqual(self.open().sample.picture(size="4x1").width, 4)
        with self.assertRaises(ValueError):
            Picture(2, 2, b"1234")

    def test_arguments_of_all_kinds_reach_the_server(self):
        day = datetime.datetime(2026, 1, 2, 3, tzinfo=datetime.timezone.utc)
        sent = self.open().sample.echo(
            pathlib.Path("x"), b"\1", day, from_=math.inf, least_count=3, deep=True, mode=None,
            chain=["A", decimal.Decimal("2.5"), Quantity(1, "nm")])
        self.assertEqual(sent.arguments, [os.path.abspath("x"), b"\1", day])
        self.assertEqual(sent.options, {"from": math.inf, "least-count": 3, "deep": True,
                                        "chain": ["A", decimal.Decimal("2.5"), 1.0]})
        self.assertEqual((sent.command, sent.form), ("sample.echo", "wire"))

    def test_values_survive_both_ways(self):
        table = self.open().sample.table()
        again = _values.from_wire(_values.to_wire(table))
        self.assertEqual((again.columns, again.units, again["name"]), (table.columns, table.units, table["name"]))
        picture, numbers = Picture(1, 1, b"\1\2\3\4"), Array("int8", (2,), b"\1\xff")
        self.assertEqual(_values.from_wire(_values.to_wire(picture)), picture)
        self.assertEqual(_values.from_wire(_values.to_wire(numbers)).tolist(), [1, -1])
        self.assertEqual(_values.from_wire(_values.to_wire({"$x": 1})), {"$x": 1})


class PandasTests(ClientTest):
    """Tests that need pandas and numpy."""

    def setUp(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("there is no pandas")
        self.pandas = pandas

    def test_a_table_becomes_a_frame_with_units(self):
        frame = self.open().sample.table().to_pandas()
        self.assertEqual(list(frame.columns), ["name", "length", "count", "rank"])
        self.assertEqual(frame.attrs["units"], {"length": "Å"})
        self.assertEqual((str(frame["count"].dtype), str(frame["length"].dtype)), ("int64", "float64"))
        self.assertEqual(str(frame["rank"].dtype), "Int64")
        self.assertTrue(self.pandas.isna(frame["rank"][1]))
        self.assertEqual(Table([]).to_pandas().shape, (0, 0))

    def test_records_become_frames_and_series(self):
        workbench = self.open()
        series = workbench.sample.record().to_pandas()
        self.assertEqual((series["B"], series.name, series.attrs["objective"]), (2.5, "fluxes", 1.5))
        self.assertEqual(Record(a=1, b=2).to_pandas()["b"], 2)
        frame = workbench.sample.list().to_pandas()
        self.assertEqual((list(frame.columns), frame["code"][0]), (["id", "code", "title"], "x"))

    def test_pictures_and_arrays_become_arrays(self):
        workbench = self.open()
        self.assertEqual(workbench.sample.picture(size=(3, 2)).to_numpy().shape, (2, 3, 4))
        self.assertEqual(workbench.sample.kinds().array.to_numpy().sum(), 10)

    def test_arrays_and_frames_are_arguments(self):
        import numpy
        sent = self.open().sample.echo(numpy.array([1.5, 2]), numpy.int64(3), self.pandas.Series(["a"]))
        self.assertEqual(sent.arguments, [[1.5, 2], 3, ["a"]])


class CommandTests(ClientTest):
    def test_commands_are_attributes(self):
        workbench = self.open()
        self.assertEqual(workbench.version().version, "9")
        self.assertEqual(workbench.sample.import_().command, "sample.import")
        self.assertEqual(workbench.sample.measure_distance("A", "B").command, "sample.measure-distance")
        self.assertEqual(workbench.call("sample.measure_distance", "A").arguments, ["A"])
        self.assertIn("sample", dir(workbench))
        self.assertIn("measure_distance", dir(workbench.sample))
        self.assertIn("sample.import", workbench.commands("sample"))

    def test_unknown_names_are_attribute_errors_that_name_the_known_ones(self):
        workbench = self.open()
        with self.assertRaisesRegex(AttributeError, "'molecule' is not a plugin or command; there are version, sample"):
            workbench.molecule
        with self.assertRaisesRegex(AttributeError, "'sample.ech' is not a command; did you mean echo?"):
            workbench.sample.ech
        with self.assertRaises(WorkbenchError) as caught:
            workbench.call("sample.ech")
        self.assertEqual(caught.exception.code, "host.unknown-command")

    def test_functions_have_signatures_and_help(self):
        echo = self.open().sample.echo
        self.assertEqual(
            str(inspect.signature(echo)),
            "(first: str, *others, least_count: int = None, from_: str = None, deep: bool = None, mode: str = 'fast', "
            "chain: str = None, on_progress=None)")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            help(echo)
        for text in ("Return the parameters.", "first: First text", "least_count: Smallest count in nm"):
            self.assertIn(text, output.getvalue())

    def test_options_of_the_server_are_its_arguments(self):
        workbench = self.open(home="relative", offline=True, read_only=True, options=["--timeout", "9"])
        self.assertIn(
            f"arguments serve --stdio --home {os.path.abspath('relative')} --offline --read-only --timeout 9\n",
            self.logged())
        self.assertEqual(workbench.schema("sample.echo").get("result"), {"type": "object"})


class ErrorTests(ClientTest):
    def test_the_program_of_the_own_installation_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            package = pathlib.Path(folder, "share/workbench/python/workbench_client")
            program = pathlib.Path(folder, "bin/workbench")
            shutil.copytree(ROOT / "Sources/Client/Python/workbench_client", package)
            program.parent.mkdir()
            shutil.copy(FAKE, program)
            environment = {name: value for name, value in os.environ.items() if name != "WORKBENCH_PROGRAM"}
            run = subprocess.run(
                [sys.executable, "-c", "from workbench_client import *\nwith Workbench() as wb: print(wb.version())"],
                capture_output=True, text=True, timeout=60, env={**environment, "PYTHONPATH": str(package.parent)})
            self.assertEqual(run.stdout, "{'version': '9'}\n", run.stderr)

    def test_an_error_has_code_message_advice_and_details(self):
        with self.assertRaises(WorkbenchError) as caught:
            self.open().sample.fail()
        error = caught.exception
        self.assertEqual((error.code, error.message, error.advice), ("sample.missing", "'x' is not there", "list them"))
        self.assertEqual((error.details, error.retryable, error.status), ({"id": "x"}, True, 3))
        self.assertEqual(str(error), "'x' is not there; list them (sample.missing)")
        self.assertEqual(pickle.loads(pickle.dumps(error)).code, "sample.missing")

    def test_a_program_that_is_not_there_and_another_protocol_are_errors(self):
        with self.assertRaises(ServerEnded) as caught:
            Workbench("/nowhere/workbench")
        self.assertEqual(caught.exception.code, "client.not-started")
        with self.assertRaises(WorkbenchError) as caught:
            self.open({"FAKE_HELLO": "2"})
        self.assertEqual(caught.exception.code, "host.serve-protocol")
        with self.assertRaisesRegex(ServerEnded, "ended with status"):
            Workbench("/bin/false")

    def test_a_server_that_ends_fails_all_calls_with_its_last_words(self):
        workbench = self.open()
        waiting = workbench.sample.wait.start()
        with self.assertRaises(ServerEnded) as caught:
            workbench.sample.die()
        self.assertEqual(caught.exception.code, "client.ended")
        self.assertIn("ended with status 7: out of luck", caught.exception.message)
        with self.assertRaises(ServerEnded):
            waiting.result()
        with self.assertRaises(ServerEnded):
            workbench.version()
        self.assertTrue(workbench.is_closed)

    def test_a_server_that_is_killed_is_an_error(self):
        workbench = self.open()
        call = workbench.sample.wait.start()
        os.kill(workbench._connection.process_id, signal.SIGKILL)
        with self.assertRaisesRegex(ServerEnded, "signal 9"):
            call.result()

    def test_garbage_ends_the_connection_with_an_error(self):
        for name in ("not-json", "not-utf8", "other-version", "array", "half-line", "unknown-id", "no-result",
                     "bad-error", "deep", "silent-end", "null-id"):
            with self.subTest(name):
                workbench = self.open()
                with self.assertRaises(ServerEnded) as caught:
                    workbench.call("sample." + name)
                self.assertIn(caught.exception.code, ("client.bad-message", "client.ended"))
                workbench.close(5)
                self.assertNoProcess(workbench)

    def test_a_line_too_long_is_garbage(self):
        longest, _connection.LONGEST_LINE = _connection.LONGEST_LINE, 50_000
        self.addCleanup(setattr, _connection, "LONGEST_LINE", longest)
        with self.assertRaisesRegex(ServerEnded, "a line that does not end"):
            list(self.open().sample.flood.stream(1))

    def test_progress_and_warnings_reach_the_caller(self):
        heard = []
        with self.assertWarnsRegex(WorkbenchWarning, r"it is odd; look \(sample.odd\)"):
            result = self.open().sample.progress(on_progress=lambda label, fraction: heard.append((label, fraction)))
        self.assertEqual(result, 1)
        self.assertIn(("late", None), heard)

    def test_an_error_in_the_function_for_progress_cancels_the_call(self):
        workbench = self.open()
        with self.assertRaises(ZeroDivisionError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            workbench.sample.progress(on_progress=lambda label, fraction: 1 / 0)
        self.assertEqual(workbench.version().version, "9")

    def test_questions_are_answered_or_dismissed(self):
        asked = []
        workbench = self.open(ask=lambda *question: asked.append(question) or "secret")
        self.assertEqual(workbench.server["client"]["features"], ["ask"])
        self.assertEqual(workbench.sample.ask().answer, "secret")
        self.assertEqual(asked, [("Password", "", True)])
        workbench = self.open(ask=lambda *question: 1 / 0)
        self.assertIsNone(workbench.sample.ask().answer)


class CancelTests(ClientTest):
    def test_a_handle_cancels_its_call(self):
        workbench = self.open()
        call = workbench.sample.wait.start()
        self.assertFalse(call.is_done)
        call.cancel()
        with self.assertRaises(Canceled):
            call.result()
        with self.assertRaises(Canceled):
            call.result()
        call.cancel()
        self.assertTrue(call.is_done)

    def test_ctrl_c_cancels_the_call_and_leaves_the_server_usable(self):
        script = f"""
import os, signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job has it ignored, a test may have it blocked
signal.pthread_sigmask(signal.SIG_UNBLOCK, {{signal.SIGINT}})
sys.path.insert(0, {str(ROOT / "Sources/Client/Python")!r})
from workbench_client import Workbench
with Workbench({str(FAKE)!r}) as wb:
    call = wb.sample.wait.start()
    changed = call._call.connection.changed
    def interrupt():
        with changed:
            changed.wait_for(lambda: call._call.connection._waiting > 0)
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        call.result()
    except KeyboardInterrupt:
        print("interrupted", wb.version().version, call.is_done)
"""
        run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.stdout, "interrupted 9 True\n", run.stderr)

    def assertNoCalls(self, workbench):
        connection = workbench._connection
        with connection.changed, connection.waiter():
            self.assertTrue(connection.changed.wait_for(lambda: not connection._calls, 30))

    def test_an_interrupt_after_a_request_was_written_cancels_the_call(self):
        workbench = self.open()
        workbench.version()
        writer = workbench._connection._writer
        write = writer.write

        def interrupted(line):
            del writer.write
            write(line)
            raise KeyboardInterrupt

        writer.write = interrupted
        with self.assertRaises(KeyboardInterrupt):
            workbench.sample.wait()
        self.assertEqual(workbench.version().version, "9")
        self.assertNoCalls(workbench)
        self.assertIn('"method":"cancel"', self.logged())

    def test_an_interrupt_before_a_request_is_written_drops_it(self):
        workbench = self.open()
        workbench.version()
        writer = workbench._connection._writer

        def interrupted(line):
            del writer.write
            raise KeyboardInterrupt

        writer.write = interrupted
        with self.assertRaises(KeyboardInterrupt):
            workbench.sample.wait()
        self.assertEqual(workbench._connection._calls, {})
        self.assertEqual(workbench.version().version, "9")
        self.assertNotIn("sample.wait", self.logged())

    def test_ctrl_c_while_a_request_is_written_leaves_no_half_line(self):
        script = f"""
import os, signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job has it ignored, a test may have it blocked
signal.pthread_sigmask(signal.SIG_UNBLOCK, {{signal.SIGINT}})
sys.path.insert(0, {str(ROOT / "Sources/Client/Python")!r})
from workbench_client import Workbench
with Workbench({str(FAKE)!r}) as wb:
    wb.version()
    connection, write = wb._connection, wb._connection._writer._write
    os.kill(connection.process_id, signal.SIGSTOP)  # it reads no further: the pipe takes only a part of the line
    def interrupting(content):
        del connection._writer._write
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        return write(content)
    connection._writer._write = interrupting
    try:
        wb.sample.echo("x" * 1_000_000)
    except KeyboardInterrupt:
        os.kill(connection.process_id, signal.SIGCONT)
        print("interrupted", wb.version().version)
"""
        run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.stdout, "interrupted 9\n", run.stderr)

    def test_a_thousand_canceled_calls_leave_nothing(self):
        workbench = self.open()
        threads = threading.active_count()
        for _ in range(100):
            calls = [workbench.sample.wait.start() for _ in range(10)]
            for call in calls:
                call.cancel()
            for call in calls:
                with self.assertRaises(Canceled):
                    call.result()
        self.assertEqual(workbench._connection._calls, {})
        self.assertEqual(workbench._connection.held, 0)
        self.assertEqual(threading.active_count(), threads)
        self.assertEqual(workbench.version().version, "9")

    def test_calls_of_several_threads_do_not_wait_for_each_other(self):
        workbench = self.open()
        waiting = workbench.sample.wait.start()
        results = []

        def work():
            for index in range(50):
                results.append(workbench.sample.echo(str(index)).arguments == [str(index)])

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [True] * 200)
        waiting.cancel()

    def test_close_cancels_calls_and_ends_the_process(self):
        workbench = self.open()
        call = workbench.sample.wait.start()
        workbench.close()
        workbench.close()
        self.assertNoProcess(workbench)
        self.assertIn("input ended", self.logged())
        with self.assertRaises(ServerEnded) as caught:
            call.result()
        self.assertEqual(caught.exception.code, "client.closed")
        with self.assertRaises(ServerEnded):
            workbench.version()
        self.assertIn("closed", repr(workbench))

    def test_close_kills_a_server_that_does_not_end(self):
        workbench = self.open({"FAKE_STUBBORN": "1"})
        workbench.close(0.1)
        self.assertEqual(workbench._connection._process.returncode, -signal.SIGKILL)

    def test_a_with_closes_after_an_error(self):
        with self.assertRaises(ZeroDivisionError):
            with self.open() as workbench:
                1 / 0
        self.assertNoProcess(workbench)

    def test_a_command_keeps_its_workbench(self):
        environment = {**os.environ, "FAKE_LOG": os.devnull}
        echo = Workbench(FAKE, environment=environment).sample.echo
        gc.collect()
        self.assertEqual(echo("x").arguments, ["x"])
        call = echo.start("y")
        process = call._call.connection._process
        del echo
        gc.collect()
        self.assertEqual(call.result().arguments, ["y"])
        del call
        gc.collect()
        self.assertEqual(process.wait(30), 0)
        process.stdout.close()
        process.stderr.close()

    def test_a_workbench_that_is_forgotten_ends(self):
        workbench = self.open()
        connection = workbench._connection
        self._cleanups.pop()  # which refers to it
        del workbench
        self.assertEqual(connection._process.wait(30), 0)
        connection.close()


class StreamTests(ClientTest):
    def test_a_stream_gives_values_as_they_are_made(self):
        workbench = self.open()
        self.assertEqual([value.index for value in workbench.sample.count.stream(5)], [0, 1, 2, 3, 4])
        self.assertEqual([row.index for row in workbench.sample.parts.stream(2)], [0, 1, 2, 3])
        self.assertEqual(list(workbench.sample.lists.stream(2)), [0, 0, 1, 1])

    def test_the_result_of_a_stream_is_joined(self):
        workbench = self.open()
        parts = workbench.sample.parts(3)
        self.assertIsInstance(parts, Table)
        self.assertEqual(parts["index"], [0, 1, 2, 3, 4, 5])
        self.assertIsInstance(workbench.sample.count(2), Records)
        self.assertEqual(workbench.sample.lists(2), [0, 0, 1, 1])
        self.assertEqual(workbench.sample.parts(0), [])

    def test_a_stream_that_is_left_is_canceled(self):
        workbench = self.open()
        with workbench.sample.count.stream() as stream:
            self.assertEqual(next(stream).index, 0)
        self.assertEqual(list(stream), [])
        self.assertEqual(workbench.version().version, "9")
        self.assertIn('"method":"cancel"', self.logged())

    def test_a_loop_that_is_left_cancels_its_stream(self):
        workbench = self.open()
        for value in workbench.sample.count.stream():
            self.assertEqual(value.index, 0)
            break
        connection = workbench._connection
        with connection.changed, connection.waiter():
            self.assertTrue(connection.changed.wait_for(lambda: not connection._calls, 30))

    def test_values_that_are_not_taken_stop_the_server_and_nothing_else(self):
        workbench = self.open()
        stream = workbench.sample.flood.stream(400)
        next(stream)
        for _ in range(5):
            self.assertEqual(workbench.version().version, "9")
        connection = workbench._connection
        # The reader pauses with more than HELD_BYTES: nothing changes until somebody waits.
        with connection.changed:
            self.assertTrue(connection.changed.wait_for(lambda: connection.held > _connection.HELD_BYTES, 30))
        self.assertEqual(len(list(stream)), 399)
        self.assertEqual(connection.held, 0)

    def test_two_streams_are_taken_in_turn(self):
        workbench = self.open()
        pairs = zip(workbench.sample.flood.stream(150), workbench.sample.flood.stream(150))
        self.assertEqual(sum(1 for _ in pairs), 150)

    def test_a_full_stream_does_not_hold_up_the_end(self):
        workbench = self.open()
        stream = workbench.sample.flood.stream()
        next(stream)
        connection = workbench._connection
        with connection.changed:
            connection.changed.wait_for(lambda: connection.held > _connection.HELD_BYTES, 30)
        workbench.close(20)
        self.assertNoProcess(workbench)

    def test_notifications_reach_subscribers(self):
        workbench = self.open()
        with workbench.subscribe("sample.changed") as first, workbench.subscribe("sample.changed") as second:
            workbench.sample.notify(3)
            self.assertEqual([next(first).payload for _ in range(3)], [0, 1, 2])
            self.assertEqual(next(second).topic, "sample.changed")
        self.assertEqual(list(first), [])
        self.assertEqual(self.logged().count('"method":"unsubscribe"'), 1)

    def test_a_subscriber_that_is_slow_misses_the_oldest(self):
        workbench = self.open()
        with workbench.subscribe("sample.changed") as subscription:
            workbench.sample.notify(_connection.KEPT_NOTIFICATIONS + 5)
            first = next(subscription)
            self.assertEqual((first.payload, first.missed, next(subscription).missed), (5, 5, 0))

    def test_a_handler_gets_notifications_on_its_thread(self):
        workbench, heard, done = self.open(), [], threading.Event()

        def handler(notification):
            heard.append(workbench.sample.echo("x").arguments + [notification.payload])
            done.set()

        subscription = workbench.subscribe("sample.changed", handler)
        workbench.sample.notify(1)
        self.assertTrue(done.wait(30))
        self.assertEqual(heard, [["x", 0]])
        subscription.close()


class AsyncTests(ClientTest):
    def run_async(self, body):
        async def run():
            async with AsyncWorkbench(FAKE) as workbench:
                result = await body(workbench)
            self.assertTrue(workbench.is_closed)
            self.assertEqual(workbench._workbench._connection._calls, {})
            return result
        return asyncio.run(asyncio.wait_for(run(), 60))

    def test_calls_are_awaited_and_run_together(self):
        async def body(workbench):
            results = await asyncio.gather(*(workbench.sample.echo(str(index)) for index in range(20)))
            self.assertEqual((await workbench.version()).version, "9")
            self.assertEqual((await workbench.call("sample.parts", 2))["index"], [0, 1, 2, 3])
            with self.assertRaises(WorkbenchError) as caught:
                await workbench.sample.fail()
            self.assertEqual(caught.exception.code, "sample.missing")
            return [result.arguments[0] for result in results]
        self.assertEqual(self.run_async(body), [str(index) for index in range(20)])

    def test_streams_and_subscriptions_are_loops(self):
        async def body(workbench):
            rows = [row.index async for row in workbench.sample.parts.stream(2)]
            async with workbench.sample.flood.stream() as flood:
                async for text in flood:
                    self.assertEqual(len(text), 100_000)
                    break
            async with await workbench.subscribe("sample.changed") as changes:
                await workbench.sample.notify(1)
                async for change in changes:
                    self.assertEqual(change.payload, 0)
                    break
            return rows
        self.assertEqual(self.run_async(body), [0, 1, 2, 3])

    def test_a_loop_that_is_left_cancels_its_stream(self):
        async def body(workbench):
            async for value in workbench.sample.count.stream():
                self.assertEqual(value.index, 0)
                break
            gc.collect()
            connection = workbench._workbench._connection

            def has_no_calls():
                with connection.changed, connection.waiter():
                    return connection.changed.wait_for(lambda: not connection._calls, 30)
            return await asyncio.get_running_loop().run_in_executor(None, has_no_calls)
        self.assertTrue(self.run_async(body))

    def test_a_stream_that_is_closed_after_its_end_gives_up_its_values(self):
        async def body(workbench):
            stream = workbench.sample.flood.stream(3)
            await stream.__anext__()
            await workbench.version()
            connection, call = workbench._workbench._connection, stream._call._call

            def is_done():
                with connection.changed, connection.waiter():
                    return connection.changed.wait_for(lambda: call.is_done, 30)
            self.assertTrue(await asyncio.get_running_loop().run_in_executor(None, is_done))
            self.assertGreater(connection.held, 0)
            await stream.aclose()
            return connection.held
        self.assertEqual(self.run_async(body), 0)

    def test_canceling_a_task_cancels_its_call(self):
        async def body(workbench):
            for _ in range(20):
                task = workbench.sample.wait.start()
                await asyncio.sleep(0)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(workbench.sample.wait(), 0.05)
            return (await workbench.version()).version
        self.assertEqual(self.run_async(body), "9")

    def test_the_end_of_the_server_is_an_error_for_all_tasks(self):
        async def body(workbench):
            waiting = workbench.sample.wait.start()
            with self.assertRaises(ServerEnded):
                await workbench.sample.die()
            with self.assertRaises(ServerEnded):
                await waiting
        self.run_async(body)

    def test_a_workbench_that_is_not_open_says_so(self):
        with self.assertRaisesRegex(RuntimeError, "not open"):
            AsyncWorkbench(FAKE).sample


class MagicTests(ClientTest):
    def shell(self):
        return types.SimpleNamespace(user_ns={"wb": self.open()})

    def test_a_line_runs_a_command(self):
        shell = self.shell()
        result = _magics.run(shell, "sample echo 'a b' c --least-count 3 --deep --from=-1 --chain A --chain B -- --x")
        self.assertEqual(result.arguments, ["a b", "c", "--x"])
        self.assertEqual(result.options, {"least-count": "3", "deep": True, "from": "-1", "chain": ["A", "B"]})
        self.assertEqual(_magics.run(shell, "workbench sample measure distance -3.5 B").arguments, ["-3.5", "B"])
        self.assertEqual(_magics.run(shell, "sample picture --size 3x2").height, 2)
        self.assertIsNone(_magics.run(shell, ""))

    def test_a_result_is_assigned(self):
        shell = self.shell()
        self.assertIsNone(_magics.run(shell, "x << sample list"))
        self.assertEqual(shell.user_ns["x"][0].code, "x")

    def test_a_cell_runs_its_lines(self):
        shell = self.shell()
        cell = "# a note\nfirst << version\n\nsample echo \\\n  a b\n"
        self.assertEqual(_magics.run(shell, "", cell).arguments, ["a", "b"])
        self.assertEqual(shell.user_ns["first"].version, "9")

    def test_mistakes_are_errors_of_one_line(self):
        shell = self.shell()
        for line, code in (("nothing", "host.unknown-command"), ("sample echo --nope", "host.unknown-option"),
                           ("sample echo --mode", "host.missing-value"), ("sample fail", "sample.missing")):
            with self.subTest(line), self.assertRaises(WorkbenchError) as caught:
                _magics.run(shell, line)
            self.assertEqual(caught.exception.code, code)
            self.assertEqual(caught.exception._render_traceback_(), [f"WorkbenchError: {caught.exception}"])


if __name__ == "__main__":
    unittest.main()
