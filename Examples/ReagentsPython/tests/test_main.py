import pathlib
import sys
import tempfile
import unittest

for folder in ("..", "../../../Sources/PluginSDK/Python", "../../../PluginSDK/Python"):
    sys.path.insert(0, str(pathlib.Path(__file__).parent / folder))
import main  # noqa: E402


class Tests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        main.plugin.folders = {"data": self.folder.name}
        main.plugin.notify = lambda topic: None
        main.plugin.get = lambda setting: 0

    def test_reagents_are_added_and_listed(self):
        self.assertEqual(main.text(main.add(None, "water", 36.03), 80), "water: 36 g")
        self.assertEqual(main.list_reagents(None, 40), [])
        self.assertEqual(main.list_reagents(None), [("water", 36.03)])

    def test_a_file_of_reagents_is_added(self):
        path = pathlib.Path(self.folder.name) / "shelf.reagents"
        path.write_text("water 18\nno mass\nwater 1x\nice nan\nsteam -1\n", encoding="utf-8")
        self.assertEqual(main.read(None, str(path)), [("water", 18.0)])
        self.assertRaises(main.Error, main.read, None, str(path) + "x")

    def test_amounts_are_computed_from_atoms(self):
        self.assertAlmostEqual(main.amount("water", 36.03, {"elements": {"H": 2, "O": 1}})[2], 2)
        self.assertRaises(main.Error, main.amount, "x", 1, {"elements": {}})

    def test_the_amount_of_a_chosen_reagent_is_shown(self):
        main.add(None, "water", 36.03)
        screen = main.Reagents()
        self.assertEqual(screen.chosen("water")[0]["command"], "molecules.info")
        screen.message({"id": "water", "is": "emitted", "value": {"elements": {"H": 2, "O": 1}}})
        self.assertEqual(screen.note, "water: 2.0000 mol")


if __name__ == "__main__":
    unittest.main()
