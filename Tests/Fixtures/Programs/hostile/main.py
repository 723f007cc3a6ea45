"""A plugin whose results have cells that break careless writers of tables."""
import datetime
import decimal

from workbench_plugin import Plugin, Wire, table

plugin = Plugin("hostile", "Hostile", "1.0.0", "Results that are hard to write as a table")
TEXTS = [
    "", None, '"', '""', "a,b", "a;b", "tab\there", "line\nbreak", "end\r\n", "\r", "\n", " spaces ", "null", "NaN",
    "-0", "=1+1", "\u00e9 e\u0301", "\U0001f9ec\U0001f468\u200d\U0001f469", "\u202ereversed", "\x1b[2J\x07\x00",
    "\ufeffmark",
    "x" * 100_000,
]
NUMBERS = [0.0, -0.0, 1e-300, 5e-324, 1.7976931348623157e308, 0.1, 1e15, 1e16, 1e22, None]
DATE = datetime.datetime(2026, 11, 20, 6, 30, 0, 250_000, tzinfo=datetime.timezone.utc)
COUNT = 70_000


@plugin.command("texts", "Texts", table={"text": str, "any, \"text\"": {"type": object}})
def texts(call):
    return list(zip(TEXTS, reversed(TEXTS)))


@plugin.command("numbers", "Numbers", table={
    "number": {"type": float, "unit": "\u00e5ngstr\u00f6m", "title": "A number", "decimals": 2},
    "whole": int, "widened": int, "large": {"type": object}, "endless": {"type": object}})
def numbers(call):
    wholes = [0, -1, 2**63 - 1, -2**63, 2**53 + 1, None, 1, 2, 3, 4, 5, 6]
    widened = [1, 2.5] + [None] * 10
    large = [2**53 + 1, 0.5, 10**30, -10**30] + [1] * 8
    endless = [float("nan"), float("inf"), -float("inf"), 1.5] + [None] * 8
    numbers = NUMBERS + [float("nan"), float("inf")]
    return list(zip(numbers, wholes, widened, large, endless))


@plugin.command("others", "Values of other kinds", table={
    "date": datetime.datetime, "bytes": bytes, "flag": bool, "quantity": {"type": object},
    "quantities": {"type": object}, "decimal": {"type": object}, "list": {"type": object}, "texts": {"type": object},
    "nested": {"type": object}, "record": {"type": object}, "nothing": {"type": object}})
def others(call):
    def quantity(number, unit):
        return Wire({"$quantity": [number, unit]})
    early = datetime.datetime(1969, 12, 31, 23, 59, 59, 999_000, tzinfo=datetime.timezone.utc)
    return [
        (DATE, b"\x00\xff", True, quantity(1.8, "angstrom"), quantity(1, "kg"), decimal.Decimal("1.50"), [1, 2],
         ["a", "\"", None], [[1], [2]], {"a": 1}, None),
        (early, b"", False, quantity(-0.5, "angstrom"), quantity(1, "g"), None, [], [], [], {"b": "\n"}, None),
        (None, None, None, None, None, decimal.Decimal(10) ** 30, [0.5, None], None, None, {}, None),
    ]


@plugin.command("mixed", "Columns of several kinds", table={"mixed": {"type": object}, "declared": str})
def mixed(call):
    return [(1, "a"), ("1", 2), (None, None), (True, True), ({"a": [1]}, 1.5), ([1, "x"], {})]


@plugin.command("none", "A table without rows", table={"text": str, "number": float, "any": {"type": object}})
def none(call):
    return []


@plugin.command("long", "More rows than a batch", table={"number": int, "text": str})
def long(call):
    return [(number, f"row {number}") for number in range(COUNT)]


@plugin.command("parts", "A table in parts", table={"number": int, "text": str}, stream=True)
def parts(call):
    columns = {"number": int, "text": str}
    for part in ([], [(1, "a")], [(2, None), (3, "c")], []):
        call.emit(table(columns, part))


@plugin.command("values", "Single values", stream=True)
def values(call):
    for number in range(3000):
        call.emit({"number": number, "half": number / 2, "text": f"{number}\n"})


@plugin.command("changing", "Values of a kind that changes", stream=True)
def changing(call):
    call.emit({"n": 1})
    call.emit({"n": "one"})


@plugin.command("waiting", "A value, and a pause without an end", stream=True)
def waiting(call):
    call.emit({"n": 1})
    call.canceled.wait()


plugin.run()
