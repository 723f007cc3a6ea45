"""Reagents of a laboratory, in grams and moles: the same tool as Reagents, in Python."""
import contextlib

from workbench_plugin import Error, File, Integer, Number, Plugin, list_view, run, split_view, text_view

plugin = Plugin("reagents-python", "Reagents", "1.0.0", "Reagents of a laboratory, in grams and moles")
plugin.setting("decimals", Integer(0, 6), "Decimals of masses", default=2)
plugin.file_type("List of reagents", ["reagents"], command="read")
plugin.topic("changed", "Addition of a reagent")
plugin.error("reagents-python.no-mass", "the molar mass of a reagent is unknown")
plugin.error("reagents-python.unusable-file", "a file has no reagents")

# Standard atomic weights in grams per mole (IUPAC, abridged, 2021).
WEIGHTS = {"H": 1.008, "C": 12.011, "N": 14.007, "O": 15.999, "Na": 22.990, "P": 30.974, "S": 32.06, "Cl": 35.45}
opened = plugin.store("reagents", "Reagents and their masses", [
    "CREATE TABLE reagent (name TEXT PRIMARY KEY, grams REAL NOT NULL) WITHOUT ROWID"])
REAGENTS = {"name": {"type": str, "title": "Reagent"},
            "grams": {"type": float, "title": "Mass", "unit": "gram", "decimals": 2}}
AMOUNTS = {"name": {"type": str, "title": "Reagent"},
           "molarMass": {"type": float, "title": "Molar mass", "unit": "gram/mole", "decimals": 2},
           "moles": {"type": float, "title": "Amount", "unit": "mole", "decimals": 4}}


def store(statement, *values):
    """Runs a statement in the store and returns the rows."""
    with contextlib.closing(opened()) as connection, connection:
        return connection.execute(statement, values).fetchall()


def add_all(reagents):
    for name, grams in reagents:
        store("INSERT OR REPLACE INTO reagent VALUES (?, ?)", name, grams)
    plugin.notify("changed")


def unusable(code, message):
    return Error(f"reagents-python.{code}", message, kind="unusableInput")


def amount(name, grams, info):
    """Returns the row of a reagent whose atoms the plugin 'molecules' counts."""
    elements = info.get("elements") or {}
    unknown = [element for element in elements if element not in WEIGHTS]
    if unknown or not elements:
        raise unusable("no-mass", f"the molar mass of '{name}' is unknown")
    mass = sum(WEIGHTS[element] * count for element, count in elements.items())
    return name, mass, grams / mass


@plugin.command("list", "List the reagents", table=REAGENTS, help={"least": "Smallest mass in grams"},
                examples=[("list --least 1", "Reagents of a gram or more")])
def list_reagents(call, least: Number(0, 1e9) = 0.0):
    return store("SELECT name, grams FROM reagent WHERE grams >= ? ORDER BY name", least)


@plugin.command("add", "Add a reagent", type="reagents-python.reagent", effects=("reads", "writes"),
                help={"name": "Name, as for 'molecules info'", "grams": "Mass in grams"},
                complete={"name": ("list", "name")}, examples=[("add caffeine 1.94", "Add 1.94 g of caffeine")])
def add(call, name: str, grams: Number(0, 1e9)):
    add_all([(name, grams)])
    return {"name": name, "grams": grams}


@plugin.command("moles", "List the amounts of the reagents", table=AMOUNTS, examples=[("moles", "All reagents")])
def moles(call):
    rows = list_reagents(call)
    for number, (name, _) in enumerate(rows):
        call.progress(f"counting atoms of {name}", number / len(rows))
    return [amount(name, grams, call.call("molecules.info", molecule=name)) for name, grams in rows]


@plugin.command("read", "Add the reagents of a file", table=REAGENTS, effects=("reads", "writes"),
                help={"file": "File with a name and a mass on each line"})
def read(call, file: File("reagents")):
    reagents = []
    try:
        for line in open(file, encoding="utf-8", errors="replace"):
            with contextlib.suppress(ValueError):  # of a line without a name and a number
                name, grams = line.split()
                reagents += [(name, float(grams))] if 0 <= float(grams) <= 1e9 else []
    except OSError as error:
        raise unusable("unusable-file", f"cannot read '{file}': {error.strerror}")
    if not reagents:
        raise unusable("unusable-file", f"'{file}' has no line with a name and a mass")
    add_all(reagents)
    return reagents


@plugin.renderer("reagents-python.reagent")
def text(reagent, width):
    return f"{reagent['name']}: {reagent['grams']:.{plugin.get('decimals')}f} g"


@plugin.screen("reagents", "Reagents", "Reagents and their amounts", topics=["reagents-python.changed"])
class Reagents:
    note = "Enter shows the amount"

    def chosen(self, id):
        return [run(id, "molecules.info", molecule=id)]

    def message(self, message):
        try:
            if message["is"] == "emitted":
                name, grams = message["id"], dict(list_reagents(None))[message["id"]]
                self.note = f"{name}: {amount(name, grams, message['value'])[2]:.4f} mol"
        except Error as error:
            self.note = str(error)

    def view(self):
        rows = [{"id": name, "title": name, "detail": f"{grams} g"} for name, grams in list_reagents(None)]
        return split_view(list_view("Reagents", rows, "No reagents"), text_view("Amount", self.note))


if __name__ == "__main__":
    plugin.run()
