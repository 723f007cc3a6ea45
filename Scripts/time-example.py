"""Measures the tool of count-example from an empty folder to its first run, and its start; tests it on the way.

Usage: time-example.py [--without-peer] PROGRAM
A person's time to write the tool is not measured. Times to set up include downloads from PyPI, without a cache.
"""
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SWIFT, PYTHON = ROOT / "Examples/Reagents", ROOT / "Examples/ReagentsPython"
PEER = ROOT / "Benchmarks/Peers/ReagentsTextual"
STARTS, FRAMES = 40, 20
SECONDS_TO_FRAME = 30
#: The answers of xterm to what programs ask a terminal: without them, some wait until a time limit.
ANSWERS = {b"5n": b"0n", b"6n": b"1;1R", b">c": b">41;370;0c", b"c": b"?62;22c"}


class Tool:
    """One version of the tool, in a folder of its own."""

    def __init__(self, folder, environment):
        self.folder, self.environment = folder, environment
        folder.mkdir()

    def run(self, *command):
        """Runs a command in the tool's folder and returns what it prints; ends the measurement if it fails."""
        result = subprocess.run([str(word) for word in command], cwd=self.folder, env=self.environment,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"example: '{' '.join(map(str, command))}' failed\n{result.stdout[-3000:]}{result.stderr[-3000:]}")
        return result.stdout

    def timed(self, *commands):
        """Returns the seconds that commands take, one after the other."""
        start = time.monotonic()
        for command in commands:
            self.run(*command)
        return time.monotonic() - start

    @staticmethod
    def _read(terminal):
        """Returns what a program has written; nothing if it has ended or writes nothing for long."""
        if not select.select([terminal], [], [], SECONDS_TO_FRAME)[0]:
            return b""
        try:
            return os.read(terminal, 1 << 16)
        except OSError:  # The program has closed the terminal.
            return b""

    def first_frame(self, text):
        """Returns the seconds until the screen shows a text, on a terminal of 100 columns and 30 rows."""
        start = time.monotonic()
        process, terminal = pty.fork()
        if process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
            os.chdir(self.folder)
            command = [str(word) for word in self.screen]
            os.execvpe(command[0], command, {**self.environment, "TERM": "xterm-256color"})
        output, read = b"", b"begun"
        while text not in output and read:
            read = self._read(terminal)
            output += read
            for question in re.findall(rb"\x1b\[(5n|6n|>c|c)", read):
                os.write(terminal, b"\x1b[" + ANSWERS[question])
        seconds = time.monotonic() - start
        if text not in output:
            os.kill(process, signal.SIGKILL)
            sys.exit(f"example: '{' '.join(map(str, self.screen))}' shows no '{text.decode()}', but {output[-500:]}")
        os.kill(process, signal.SIGTERM)
        while self._read(terminal):
            pass
        os.waitpid(process, 0)
        os.close(terminal)
        return seconds


class Swift(Tool):
    """The package that `plugin new` writes, with the sources of the example."""
    tool, name = ["workbench", "reagents"], "Swift"
    screen = ["workbench", "run", "reagents"]

    def prepare(self):
        steps = {"set-up": self.timed(["workbench", "plugin", "new", "reagents", "--folder", self.folder / "package"])}
        package = self.folder / "package"
        for part in ("Sources", "Tests"):
            shutil.rmtree(package / part)
            shutil.copytree(SWIFT / part, package / part)
        manifest = package / "Package.swift"
        text = manifest.read_text(encoding="utf-8")
        old = 'linking("PluginAPI", flags: ["-soname"'
        changed = text.replace(old, old.replace('", ', '", "PluginStore", ', 1))
        if changed == text:
            sys.exit("example: the template of Package.swift has changed; adapt Scripts/time-example.py")
        manifest.write_text(changed, encoding="utf-8")
        steps["build"] = self.timed(["swift", "build", "-c", "release", "--package-path", package])
        library = package / ".build/release/libReagents.so"
        steps["install"] = self.timed(["workbench", "plugin", "install", library, "--allow-unsigned"])
        return steps

    def test(self):
        return self.timed(["swift", "test", "--package-path", self.folder / "package"])


class Python(Tool):
    """The program of the example, as its README says."""
    tool, name = ["workbench", "reagents-python"], "Python"
    screen = ["workbench", "run", "reagents-python"]

    def prepare(self):
        shutil.copytree(PYTHON, self.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        start = time.monotonic()
        shutil.copy(json.loads(self.run("workbench", "sdk", "path", "--json"))["python"], self.folder)
        manifest = self.run("python3", "main.py", "--manifest")
        (self.folder / "plugin.json").write_text(manifest, encoding="utf-8")
        return {"set-up": time.monotonic() - start, "build": None,
                "install": self.timed(["workbench", "plugin", "install", ".", "--allow-unsigned"])}

    def test(self):
        return self.timed(["python3", "-m", "unittest", "discover", "tests"])


class Textual(Tool):
    """The peer in a virtual environment."""
    tool, name = ["venv/bin/python", "reagents.py"], "Textual"
    screen = [*tool, "run"]

    def prepare(self):
        shutil.copytree(PEER, self.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        packages = (PEER / "requirements.txt").read_text(encoding="utf-8").split()
        self.tools = [package for package in packages if package.startswith("pytest")]
        used = [package for package in packages if package not in self.tools]
        self.pip = ["venv/bin/pip", "install", "--quiet", "--no-cache-dir", "--disable-pip-version-check"]
        return {"set-up": self.timed(["python3", "-m", "venv", "venv"], [*self.pip, *used]), "build": None,
                "install": None}

    def test(self):
        self.run(*self.pip, *self.tools)
        return self.timed(["venv/bin/python", "-m", "pytest", "-q"])


def measure(tool):
    """Returns the measurements of a tool, by title, and what it computes."""
    result = tool.prepare()
    result["first run"] = tool.timed([*tool.tool, "add", "caffeine", "1.94"])
    result = {title: seconds and f"{seconds:.1f} s" for title, seconds in result.items()} | {
        "all until the first run": f"{sum(seconds for seconds in result.values() if seconds):.1f} s"}
    result["tests"] = f"{tool.test():.1f} s"
    starts = min(tool.timed([*tool.tool, "list"]) for _ in range(STARTS))
    result["'list', from start to end"] = f"{1000 * starts:.0f} ms"
    frames = min(tool.first_frame(b"caffeine") for _ in range(FRAMES))
    result["screen, from start to its first frame"] = f"{1000 * frames:.0f} ms"
    return result, json.loads(tool.run(*tool.tool, "moles", "--json"))


def main():
    program = pathlib.Path(sys.argv[-1])
    kinds = [Swift, Python] if "--without-peer" in sys.argv else [Swift, Python, Textual]
    with tempfile.TemporaryDirectory(prefix="workbench-example-") as name:
        folder = pathlib.Path(name)
        # The folders are made here, so that nothing of the user's is read or written.
        environment = {**os.environ, "HOME": name, "WORKBENCH_HOME": f"{name}/home", "XDG_DATA_HOME": f"{name}/data",
                       "XDG_CONFIG_HOME": f"{name}/config"}
        # Python starts with nothing of this machine: not with its packages, nor with other settings.
        for variable in [variable for variable in environment if variable.startswith("PYTHON")]:
            del environment[variable]
        subprocess.run(["python3", "-m", "venv", "--without-pip", folder / "python"], check=True)
        environment["PATH"] = f"{folder}/python/bin:{program.parent}:{environment['PATH']}"
        results, amounts = zip(*[measure(kind(folder / kind.name, environment)) for kind in kinds])
    if any(amount != amounts[0] for amount in amounts):
        sys.exit(f"example: the tools compute different amounts: {amounts}")
    print(f"\nThe fastest of {STARTS} starts and of {FRAMES} screens; all else once, with a load average of "
          f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")
    print("\n| | " + " | ".join(kind.name for kind in kinds) + " |\n| --- |" + " ---: |" * len(kinds))
    for title in results[0]:
        print(f"| {title} | " + " | ".join(result[title] or "–" for result in results) + " |")


if __name__ == "__main__":
    main()
