"""Messages between the host and a plugin in Python: faults of handlers, and the end of the input."""
import json
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

PLUGIN = """
import sys, time
from workbench_plugin import Plugin
plugin = Plugin("sample", "Sample", "1.0.0", "Sample")

@plugin.command("next", "The next number")
def following(call, number: int):
    return number + 1

@plugin.command("slow", "A number that another call decides")
def slow(call):
    return plugin.get("number")

@plugin.command("leave", "Leaves")
def leave(call):
    sys.exit(3)

@plugin.renderer("sample.set")
def rendered(value, width):
    return {1, 2}

plugin.run()
"""


class MessageTests(unittest.TestCase):
    def setUp(self):
        self.program = subprocess.Popen(
            [sys.executable, "-B", "-c", PLUGIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={"PYTHONPATH": str(ROOT / "Sources/PluginSDK/Python")})
        self.addCleanup(self.end)

    def end(self):
        self.program.kill()
        self.program.communicate()

    def send(self, **message):
        self.program.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.program.stdin.flush()

    def received(self):
        return json.loads(self.program.stdout.readline())

    def call(self, id, command, **arguments):
        self.send(id=id, method="call", params={"command": command, "arguments": arguments, "presentation": {}})

    def test_a_result_that_is_no_json_is_an_error_and_the_program_continues(self):
        self.send(id=1, method="render", params={"type": "sample.set", "value": None, "width": 80})
        self.assertIn("TypeError", self.received()["error"]["message"])
        self.call(2, "next", number=4)
        self.assertEqual(self.received()["params"], {"id": 2, "value": 5})
        self.assertIsNone(self.received()["result"])

    def test_a_command_that_leaves_is_an_error_and_the_program_continues(self):
        self.call(1, "leave")
        self.assertIn("SystemExit", self.received()["error"]["message"])
        self.call(2, "next", number=4)
        self.assertEqual(self.received()["params"]["value"], 5)

    def test_other_calls_run_while_one_waits_for_the_host(self):
        self.call(1, "slow")
        request = self.received()
        self.assertEqual((request["method"], request["params"]), ("setting", {"name": "number"}))
        for number in range(2, 6):
            self.call(number, "next", number=number)
            self.assertEqual(self.received()["params"], {"id": number, "value": number + 1})
            self.assertEqual(self.received()["id"], number)
        self.send(id=request["id"], result=7)
        self.assertEqual(self.received()["params"], {"id": 1, "value": 7})

    def test_the_end_of_the_input_ends_the_program(self):
        self.call(1, "next", number=1)
        self.received()
        self.received()
        output, errors = self.program.communicate(timeout=60)
        self.assertEqual((self.program.returncode, output, errors), (0, b"", b""))

    def test_a_line_that_is_no_json_ends_the_program_with_its_reason(self):
        self.program.stdin.write(b"no json\n")
        _, errors = self.program.communicate(timeout=60)
        self.assertEqual(self.program.returncode, 1)
        self.assertIn(b"JSONDecodeError", errors)


if __name__ == "__main__":
    unittest.main()
