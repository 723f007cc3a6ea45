"""Parameters and effects of plugins in Python, in the form of the protocol."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Sources/PluginSDK/Python"))

from workbench_plugin import Integer, Number, Plugin, run  # noqa: E402


class PartsTests(unittest.TestCase):
    def test_the_manifest_has_the_bounds_of_numbers(self):
        plugin = Plugin("sample", "Sample", "1.0.0", "Sample")
        plugin.setting("decimals", Integer(0, 6), "Decimals", default=2)

        @plugin.command("add", "Add a mass")
        def add(call, mass: Number(0, 100)):
            return mass

        manifest = plugin.manifest()
        self.assertEqual(manifest["settings"][0]["kind"], {"is": "integer", "minimum": 0, "maximum": 6})
        kind = manifest["commands"][0]["arguments"][0]["kind"]
        self.assertEqual(kind, {"is": "number", "minimum": 0.0, "maximum": 100.0})
        self.assertIsInstance(kind["minimum"], float)

    def test_an_effect_runs_a_command_whose_arguments_may_have_any_name(self):
        self.assertEqual(run("row", "sample.add", id=1, command=b"x"), {
            "is": "run", "id": "row", "command": "sample.add", "arguments": {"id": 1, "command": {"$bytes": "eA=="}}})


if __name__ == "__main__":
    unittest.main()
