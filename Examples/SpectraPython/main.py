"""Absorption spectra: a file type, a table of peaks and a plot; with numpy where it is installed."""
import bisect

from workbench_plugin import Error, File, Number, Plugin, picture_view

try:
    import numpy
except ImportError:
    numpy = None

plugin = Plugin("spectra-python", "Spectra", "1.0.0", "Peaks and plots of absorption spectra")
plugin.file_type("Absorption spectrum", ["spectrum"], command="peaks")
plugin.error("spectra-python.unusable-file", "a file has no spectrum")

PEAKS = {"wavelength": {"type": float, "title": "Wavelength", "unit": "nanometer", "decimals": 1},
         "absorbance": {"type": float, "title": "Absorbance", "decimals": 3}}
WINDOW = 5  # points of the moving average
SIZE = (320, 160)  # of a plot in pixels, unless the terminal asks for another
WHITE, BLUE = bytes((255, 255, 255, 255)), bytes((0, 90, 181, 255))


def read(path):
    """Returns wavelengths in ascending order and their absorbances, from lines of two numbers."""
    points = []
    try:
        for line in open(path, encoding="utf-8", errors="replace"):
            try:
                wavelength, absorbance = map(float, line.replace(",", " ").split())
            except ValueError:
                continue  # such as a heading
            if abs(wavelength) < 1e9 and abs(absorbance) < 1e9:
                points.append((wavelength, absorbance))
    except OSError as error:
        raise unusable(f"cannot read '{path}': {error.strerror}")
    if len(points) < WINDOW:
        raise unusable(f"'{path}' has fewer than {WINDOW} lines with a wavelength and an absorbance")
    return tuple(zip(*sorted(points)))


def unusable(message):
    return Error("spectra-python.unusable-file", message, kind="unusableInput")


def smooth(values):
    """Returns the moving averages of values, with zeros beyond both ends."""
    if numpy:
        return numpy.convolve(values, numpy.full(WINDOW, 1 / WINDOW), "same").tolist()
    half = WINDOW // 2
    return [sum(values[max(0, index - half):index + half + 1]) / WINDOW for index in range(len(values))]


def resample(xs, ys, count):
    """Returns the values at evenly spaced places between the first and the last one, by linear interpolation."""
    places = [xs[0] + (xs[-1] - xs[0]) * index / (count - 1) for index in range(count)]
    if numpy:
        return numpy.interp(places, xs, ys).tolist()
    values = []
    for place in places:
        right = min(max(bisect.bisect_right(xs, place), 1), len(xs) - 1)
        width = xs[right] - xs[right - 1]
        share = (place - xs[right - 1]) / width if width else 1.0
        values.append(ys[right - 1] + (ys[right] - ys[right - 1]) * min(share, 1.0))
    return values


@plugin.command("peaks", "List the peaks of a spectrum", table=PEAKS,
                help={"file": "File with a wavelength and an absorbance on each line", "least": "Smallest absorbance"},
                examples=[("peaks dye.spectrum --least 0.2", "Peaks of an absorbance of 0.2 or more")])
def peaks(call, file: File("spectrum"), least: Number(0, 100) = 0.1):
    wavelengths, absorbances = read(file)
    values = smooth(absorbances)
    return [(wavelengths[index], absorbances[index]) for index in range(1, len(values) - 1)
            if values[index - 1] < values[index] >= values[index + 1] and values[index] >= least]


@plugin.command("plot", "Draw a spectrum", picture=True,
                help={"file": "File with a wavelength and an absorbance on each line"},
                examples=[("plot dye.spectrum", "Draw the spectrum on the terminal")])
def plot(call, file: File("spectrum")):
    width, height = call.picture_size or SIZE
    values = resample(*read(file), width)
    low, high = min(values), max(values)
    rows = [round((high - value) / ((high - low) or 1) * (height - 1)) for value in values]
    pixels = bytearray(WHITE * (width * height))
    for column, (row, following) in enumerate(zip(rows, rows[1:] + rows[-1:])):
        for filled in range(min(row, following), max(row, following) + 1):
            start = 4 * (filled * width + column)
            pixels[start:start + 4] = BLUE
    return picture_view(width, height, pixels)["picture"]


if __name__ == "__main__":
    plugin.run()
