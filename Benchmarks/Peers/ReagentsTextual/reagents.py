"""Reagents of a laboratory, in grams and moles: the tool of Examples/Reagents with Click, sqlite3 and Textual."""
import contextlib
import csv
import json
import sqlite3
import subprocess
import sys
import tomllib

import click
from platformdirs import user_config_path, user_data_path
from rich.console import Console
from rich.table import Table

# Standard atomic weights in grams per mole (IUPAC, abridged, 2021).
WEIGHTS = {"H": 1.008, "C": 12.011, "N": 14.007, "O": 15.999, "Na": 22.990, "P": 30.974, "S": 32.06, "Cl": 35.45}
MIGRATIONS = ["CREATE TABLE reagent (name TEXT PRIMARY KEY, grams REAL NOT NULL) WITHOUT ROWID"]
# The title and the format of each column.
REAGENTS = {"name": ("Reagent", ""), "grams": ("Mass (gram)", ".2f")}
AMOUNTS = {"name": ("Reagent", ""), "molarMass": ("Molar mass (gram/mole)", ".2f"), "moles": ("Amount (mole)", ".4f")}
MASS = click.FloatRange(0, 1e9)


class ReagentError(click.ClickException):
    """Input that is not usable."""
    exit_code = 5


def store(statement, *values):
    """Runs a statement in the store, which is migrated first, and returns the rows."""
    path = user_data_path("reagents", ensure_exists=True) / "reagents.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        for number, migration in enumerate(MIGRATIONS[version:], start=version + 1):
            connection.execute(migration)
            connection.execute(f"PRAGMA user_version = {number}")
        return connection.execute(statement, values).fetchall()


def reagents(least=0.0):
    return store("SELECT name, grams FROM reagent WHERE grams >= ? ORDER BY name", least)


def add_reagent(name, grams):
    store("INSERT OR REPLACE INTO reagent VALUES (?, ?)", name, grams)


def count_atoms(name):
    """Returns the number of atoms of each element, which 'workbench molecules info' counts."""
    try:
        result = subprocess.run(["workbench", "--json", "molecules", "info", "--", name],
                                capture_output=True, text=True)
    except FileNotFoundError:
        raise ReagentError("'workbench' is not installed") from None
    if result.returncode:
        raise ReagentError(json.loads(result.stderr)["error"]["message"])
    return json.loads(result.stdout).get("elements") or {}


def amount(name, grams):
    """Returns the row of a reagent: its name, molar mass and moles."""
    elements = count_atoms(name)
    unknown = [element for element in elements if element not in WEIGHTS]
    if unknown or not elements:
        raise ReagentError(f"the molar mass of '{name}' is unknown")
    mass = sum(WEIGHTS[element] * count for element, count in elements.items())
    return name, mass, grams / mass


def decimals():
    """Returns the setting 'decimals' of config.toml."""
    path = user_config_path("reagents") / "config.toml"
    value = tomllib.loads(path.read_text()).get("decimals", 2) if path.exists() else 2
    if value not in range(7):
        raise ReagentError(f"'decimals' in '{path}' is '{value}'; expected is a number from 0 to 6")
    return value


def text(name, grams):
    return f"{name}: {grams:.{decimals()}f} g"


def format_option(command):
    """Adds --json and --csv to a command."""
    command = click.option("--json", "form", flag_value="json", help="Print JSON.")(command)
    return click.option("--csv", "form", flag_value="csv", help="Print CSV.")(command)


def print_table(columns, rows, form):
    """Prints rows as a table, as JSON or as CSV."""
    if form == "json":
        click.echo(json.dumps([dict(zip(columns, row)) for row in rows]))
    elif form == "csv":
        csv.writer(sys.stdout).writerows([columns, *rows])
    else:
        table = Table(box=None)
        for title, specification in columns.values():
            table.add_column(title, justify="right" if specification else "left")
        for row in rows:
            table.add_row(*(format(value, column[1]) for value, column in zip(row, columns.values())))
        Console().print(table)


def complete_name(context, parameter, incomplete):
    return [name for name, _ in reagents() if name.startswith(incomplete)]


@click.group()
def cli():
    """Reagents of a laboratory, in grams and moles."""


@cli.command("list")
@click.option("--least", type=MASS, default=0.0, help="Smallest mass in grams.")
@format_option
def list_reagents(least, form):
    """List the reagents."""
    print_table(REAGENTS, reagents(least), form)


@cli.command()
@click.argument("name", shell_complete=complete_name)
@click.argument("grams", type=MASS)
@format_option
def add(name, grams, form):
    """Add a reagent, by its name as for 'molecules info' and its mass in grams."""
    add_reagent(name, grams)
    if form:
        print_table(REAGENTS, [(name, grams)], form)
    else:
        click.echo(text(name, grams))


@cli.command()
@format_option
def moles(form):
    """List the amounts of the reagents."""
    with click.progressbar(reagents(), label="counting atoms", file=sys.stderr) as rows:
        amounts = [amount(name, grams) for name, grams in rows]
    print_table(AMOUNTS, amounts, form)


@cli.command()
@click.argument("file", type=click.File(encoding="utf-8"))
@format_option
def read(file, form):
    """Add the reagents of a file with a name and a mass on each line."""
    rows = []
    for line in file:
        with contextlib.suppress(ValueError):
            name, grams = line.split()
            rows.append((name, float(grams)))
    if not rows:
        raise ReagentError(f"'{file.name}' has no line with a name and a mass")
    for row in rows:
        add_reagent(*row)
    print_table(REAGENTS, rows, form)


@cli.command()
def run():
    """Show the reagents on a screen."""
    from reagents_app import ReagentsApp  # which takes longer to import than the other commands run
    ReagentsApp().run()


if __name__ == "__main__":
    cli()
