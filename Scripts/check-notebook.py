"""The cells of Scripts/check-notebook, run in a kernel: first with the server of the tests, then with the program."""
import os
import pathlib
import queue
import sys

from jupyter_client.manager import start_new_kernel

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 60


class Notebook:
    """A kernel in which the magics are loaded, with a program."""

    def __init__(self, program, home):
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "Sources/Client/Python"),
                       "WORKBENCH_PROGRAM": str(program), "WORKBENCH_HOME": str(home)}
        self.manager, self.client = start_new_kernel(kernel_name="python3", env=environment)
        self.run("%load_ext workbench_client")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.stop_channels()
        self.manager.shutdown_kernel()

    def outputs(self, cell, interrupts=False):
        """Runs a cell and returns its outputs: `(kind, content)`."""
        request, outputs = self.client.execute(cell), []
        while True:
            try:
                message = self.client.get_iopub_msg(timeout=SECONDS)
            except queue.Empty:
                sys.exit(f"notebook: no answer in {SECONDS} s to {cell!r}")
            if message["parent_header"].get("msg_id") != request:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content["execution_state"] == "idle":
                return outputs
            if kind in ("display_data", "update_display_data", "execute_result", "stream", "error"):
                outputs.append((kind, content))
            if interrupts and kind == "display_data":
                interrupts = False
                self.manager.interrupt_kernel()

    def run(self, cell):
        """Runs a cell without errors and returns the data of its last result or display, by type."""
        outputs = self.outputs(cell)
        for kind, content in outputs:
            if kind == "error":
                sys.exit(f"notebook: {cell!r}: " + "\n".join(content["traceback"]))
        shown = [content["data"] for kind, content in outputs if kind in ("execute_result", "display_data")]
        return shown[-1] if shown else {}


def expect(condition, what):
    if not condition:
        sys.exit(f"notebook: {what}")


def check_tests_server(home):
    with Notebook(ROOT / "Tests/PythonClient/fake_server.py", home) as notebook:
        table = notebook.run("%wb sample hostile-table")["text/html"]
        expect("<table>" in table and "&lt;img onerror=x&gt;" in table and "<script" not in table, f"table: {table}")
        expect("image/png" in notebook.run("%wb sample picture --size 4x3"), "a picture is not shown")
        expect(notebook.run("%wb rows << sample list") == {}, "an assignment shows its value")
        expect("code" in notebook.run("rows.to_pandas()")["text/html"], "a frame is not shown")
        cell = "%%wb\n# fluxes\nx << sample record\nversion\nsample record"
        expect("2.5" in notebook.run(cell)["text/html"], "a cell does not show its last result")
        expect("2.5" in notebook.run("x.fluxes.to_pandas()['B']")["text/plain"], "a value of a series")
        echo = notebook.run("word = 'B'\n%wb sample echo {word} $word")["text/html"]
        expect("B" in echo, "variables are not expanded")

        outputs = notebook.outputs("%wb sample fail")
        expect(outputs[-1][0] == "error" and outputs[-1][1]["ename"] == "WorkbenchError", f"an error: {outputs}")
        expect(outputs[-1][1]["traceback"] == ["WorkbenchError: 'x' is not there; list them (sample.missing)"],
               f"a traceback: {outputs[-1][1]['traceback']}")

        outputs = notebook.outputs("%wb sample wait", interrupts=True)
        shown = [content["data"].get("text/html", "") for kind, content in outputs if kind == "display_data"]
        expect(any("<progress" in text and "&lt;waiting&gt;" in text for text in shown), f"progress: {outputs}")
        expect(outputs[-1][0] == "error" and outputs[-1][1]["ename"] == "KeyboardInterrupt", f"interruption: {outputs}")
        expect("9" in notebook.run("%wb version")["text/html"], "the server is gone after an interruption")

        notebook.run("import workbench_client\nawb = workbench_client.AsyncWorkbench()\nawait awb.open()")
        expect("9" in notebook.run("await awb.version()")["text/html"], "await in a cell")
        notebook.run("await awb.close()\n%unload_ext workbench_client")


def check_program(program, home):
    with Notebook(program, home) as notebook:
        notebook.run("%wb rows << molecules list")
        expect("<table" in notebook.run("rows")["text/html"], "molecules list is not a table")
        expect("atoms" in notebook.run("%wb molecules info 1")["text/html"], "molecules info is not a record")
        expect("image/png" in notebook.run("%wb molecules render 1 --size 40x30"), "molecules render is not a picture")
        expect("atoms" in notebook.run("rows.to_pandas()")["text/html"], "molecules list is not a frame")
        outputs = notebook.outputs("%wb molecules info nope")
        expect("molecules.unknown-molecule" in outputs[-1][1]["traceback"][0], f"an error: {outputs}")


def main():
    program, folder = sys.argv[1:]
    check_tests_server(folder)
    if os.access(program, os.X_OK):
        check_program(program, pathlib.Path(folder, "home"))
    else:
        print(f"notebook: '{program}' is not there; the cells with it are skipped")
    print("notebook: passed")


main()
