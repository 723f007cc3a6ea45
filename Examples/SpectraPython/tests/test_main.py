import base64
import pathlib
import sys
import tempfile
import types
import unittest

for folder in ("..", "../../../Sources/PluginSDK/Python", "../../../PluginSDK/Python"):
    sys.path.insert(0, str(pathlib.Path(__file__).parent / folder))
import main  # noqa: E402

# Absorbances at 400, 410, … 520 nm, with peaks at 430 and 490 nm.
ABSORBANCES = (0.0, 0.2, 0.6, 0.9, 0.6, 0.2, 0.0, 0.1, 0.3, 0.4, 0.3, 0.1, 0.0)


class Tests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        lines = [f"{400 + 10 * index},{absorbance}" for index, absorbance in enumerate(ABSORBANCES)]
        self.path = self.write("wavelength,absorbance", *reversed(lines))
        self.numpy = main.numpy

    def tearDown(self):
        main.numpy = self.numpy
        self.folder.cleanup()

    def write(self, *lines):
        path = pathlib.Path(self.folder.name) / "dye.spectrum"
        path.write_text("\n".join(lines), encoding="utf-8")
        return str(path)

    def call(self, size=None):
        return types.SimpleNamespace(picture_size=size)

    def test_peaks_are_found_with_and_without_numpy(self):
        for main.numpy in (self.numpy, None):
            self.assertEqual(main.peaks(None, self.path), [(430.0, 0.9), (490.0, 0.4)])
            self.assertEqual(main.peaks(None, self.path, 0.3), [(430.0, 0.9)])

    def test_a_plot_has_the_size_of_the_terminal_and_a_point_in_each_column(self):
        for main.numpy in (self.numpy, None):
            picture = main.plot(self.call([40, 20]), self.path).json["$picture"]
            self.assertEqual((picture["width"], picture["height"]), (40, 20))
            pixels = base64.b64decode(picture["pixels"])
            for column in range(40):
                self.assertIn(main.BLUE, [pixels[4 * (row * 40 + column):][:4] for row in range(20)])
        self.assertEqual(main.plot(self.call(), self.path).json["$picture"]["width"], main.SIZE[0])

    def test_values_between_points_are_interpolated_with_and_without_numpy(self):
        for main.numpy in (self.numpy, None):
            self.assertEqual(main.resample((0.0, 1.0, 1.0, 3.0), (0.0, 2.0, 4.0, 0.0), 4), [0.0, 4.0, 2.0, 0.0])

    def test_files_without_a_spectrum_are_refused(self):
        for path in (self.write("400 nan", "no", "1 2 3", "410 1e300"), self.path + "x"):
            with self.assertRaises(main.Error) as caught:
                main.read(path)
            self.assertEqual(caught.exception.report["code"], "spectra-python.unusable-file")


if __name__ == "__main__":
    unittest.main()
