"""Compares --arrow with --csv and --json, cell by cell; called by check-arrow with the program and a folder."""
import base64
import csv
import datetime
import io
import json
import pathlib
import re
import subprocess
import sys
import unicodedata

import pyarrow as pa

# The values of required arguments, by plugin and name.
ARGUMENTS = {
    "molecules": {"molecule": ["2"], "selection": ["chain A and resi 2-4"]},
    "pathcase": {"network": ["w-tca"]},
    "plugin": {"id": ["pathcase"], "command": ["pathcase", "fba"]},
    "config": {"setting": ["color"]},
}
# Lines beside those of all commands that only read.
LINES = [
    ["molecules", "measure", "distance", "2", "A/1/CA", "A/2/CA"],
    ["molecules", "atoms", "1", "--select", "element P"],
    ["pathcase", "neighbors", "pyruvate"],
    ["pathcase", "path", "pyruvate", "citrate"],
    ["pathcase", "info", "w-glycolysis"],
    ["pathcase", "fba", "MODEL"], ["pathcase", "pfba", "MODEL"], ["pathcase", "fva", "MODEL"],
    ["pathcase", "blocked", "MODEL"], ["pathcase", "deletions", "MODEL"], ["pathcase", "modes", "MODEL"],
    ["help", "statuses"], ["help", "environment"], ["help", "schema", "pathcase", "fba"],
    ["hostile", "texts"], ["hostile", "numbers"], ["hostile", "others"], ["hostile", "mixed"], ["hostile", "none"],
    ["hostile", "long"], ["hostile", "parts"], ["hostile", "values"],
]
# Commands that must have rows in both forms.
NEEDED = [
    "molecules list", "molecules atoms", "molecules chains", "molecules bonds", "molecules sequence",
    "molecules secondary-structure", "pathcase list", "pathcase metabolites", "pathcase processes", "pathcase fba",
    "pathcase fva", "pathcase deletions", "plugin list", "config list", "store list", "hostile texts",
    "hostile numbers", "hostile others", "hostile mixed", "hostile long", "hostile parts", "hostile values",
]
# Commands whose values differ from run to run, that fail with --arrow on purpose, or that do not end.
EXCLUDED = ["plugin profile", "plugin bisect", "doctor", "wsabi interactions", "hostile changing", "hostile waiting"]
# Columns whose namespace is known, and the form of its ids.
NAMESPACES = {("pathcase processes", "enzyme"): "ec-code", ("molecules info", "code"): "pdb"}
FORMS = {
    "ec-code": r"\d+(\.(n?\d+|-)){3}", "pdb": r"[1-9][A-Z0-9]{3}", "uniprot": r"[A-Z]\d[A-Z0-9]{4}([A-Z0-9]{4})?",
}
# Columns of measured times, which differ from run to run: only their kinds are compared.
MEASURED = ["milliseconds"]
EPOCH = datetime.datetime(1970, 1, 1)


def run(*arguments):
    """Returns the status and the output of the program."""
    result = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, capture_output=True)
    return result.returncode, result.stdout, result.stderr.decode(errors="replace")


def ask(*arguments):
    return json.loads(run(*arguments, "--json")[1])


def is_shown(text, cell):
    """Returns true if a cell of CSV shows the text: there, control characters are marks, and CR is left out."""
    shown = "\n".join(line[:-1] if line.endswith("\r") else line for line in text.split("\n"))
    return len(shown) == len(cell) and all(
        left == right or right == "\ufffd" and unicodedata.category(left) in ("Cc", "Cf", "Zl", "Zp")
        for left, right in zip(shown, cell))


def plain(value, kind):
    """Returns an element of a list as JSON has it."""
    if value is None or pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
        return value
    if pa.types.is_binary(kind):
        return base64.b64encode(value).decode()
    if pa.types.is_timestamp(kind):
        return date(value)
    return value


def date(milliseconds):
    text = (EPOCH + datetime.timedelta(milliseconds=milliseconds)).isoformat(timespec="milliseconds") + "Z"
    return text.replace(".000Z", "Z")


def is_same(value, cell, kind, metadata):
    """Returns true if a cell of CSV has a value of Arrow."""
    if value is None:
        return cell == "" or cell.startswith('{"value":null,')
    if metadata.get("encoding") == "json":
        document = json.loads(value)
        return is_shown(document, cell) if isinstance(document, str) else value == cell
    if pa.types.is_integer(kind):
        return str(value) == cell
    if pa.types.is_floating(kind):
        if cell.startswith("{"):
            return json.loads(cell) == {"value": value, "unit": metadata.get("unit")}
        return cell != "" and float(cell) == value
    if pa.types.is_boolean(kind):
        return cell == ("true" if value else "false")
    if pa.types.is_timestamp(kind):
        return cell == date(value)
    if pa.types.is_binary(kind):
        return cell == base64.b64encode(value).decode()
    if pa.types.is_list(kind):
        return json.loads(cell) == [plain(element, kind.value_type) for element in value]
    return is_shown(value, cell)


def cells(column):
    """Returns the values of a column; dates as milliseconds since 1970."""
    kind = column.type
    if pa.types.is_timestamp(kind):
        column = column.cast(pa.int64())
    elif pa.types.is_list(kind) and pa.types.is_timestamp(kind.value_type):
        column = column.cast(pa.list_(pa.int64()))
    return column.to_pylist()


def declared_kind(schema):
    """Returns the Arrow type of a declared shape; None if values decide it."""
    if schema["is"] == "optional":
        return declared_kind(schema["of"])
    return {
        "integer": pa.int64(), "number": pa.float64(), "text": pa.string(), "choice": pa.string(), "bool": pa.bool_(),
        "date": pa.timestamp("ms", "UTC"), "bytes": pa.binary(),
    }.get(schema["is"])


def fields(schema):
    """Returns the declared columns of a table or a list of records."""
    if schema["is"] == "optional":
        return fields(schema["of"])
    if schema["is"] == "table":
        return schema["fields"]
    return schema["of"]["fields"] if schema["is"] == "list" and schema["of"]["is"] == "record" else []


def fail(name, row, field, value, other, form):
    sys.exit(f"arrow: {name}: row {row + 1}, column {field.name}: {value!r:.200}, in {form} {other!r:.200}")


def check_namespace(name, field, namespace, values):
    """Checks that ids have their namespace, and that a column with a namespace has nothing but ids."""
    wanted = NAMESPACES.get((name, field.name))
    ids = [value for value in values if value]
    if wanted and ids and all(re.fullmatch(FORMS[wanted], id) for id in ids):
        if namespace != wanted:
            sys.exit(f"arrow: {name}: column {field.name} has the namespace {namespace}, not {wanted}")
        namespaces.add(wanted)
    if namespace and namespace not in FORMS:
        sys.exit(f"arrow: {name}: column {field.name} has the namespace {namespace}, whose ids are not checked")
    for id in ids if namespace else []:
        if not re.fullmatch(FORMS[namespace], id.upper() if namespace == "pdb" else id):
            sys.exit(f"arrow: {name}: column {field.name}: {id!r} is not an id of {namespace}")


def check(line, output):
    """Compares the forms of a command's result; returns the number of rows, or the reason why there are none."""
    name = " ".join(line)
    status, text, errors = run(*line, "--csv")
    other, data, problems = run(*line, "--arrow")
    if other == 2 and "has no rows" in problems:
        return "no rows"
    if status != other:
        sys.exit(f"arrow: {name}: status {status} with --csv, {other} with --arrow: {problems or errors}")
    if status != 0 and not data:
        return f"status {status}"
    table = pa.ipc.open_stream(io.BytesIO(data)).read_all()
    table.validate(full=True)
    rows = list(csv.reader(io.StringIO(text.decode(), newline="")))
    if rows and rows[0] != table.column_names:
        sys.exit(f"arrow: {name}: columns {table.column_names}, in CSV {rows[0]}")
    if len(rows[1:]) != table.num_rows:
        sys.exit(f"arrow: {name}: {table.num_rows} rows, in CSV {len(rows[1:])}")
    shapes = {field["name"]: field for field in fields(output["schema"])}
    documents = json.loads(run(*line, "--json")[1]) if shapes and status == 0 else []
    for index, column in enumerate(table.columns):
        field = table.schema.field(index)
        metadata = {key.decode(): text.decode() for key, text in (field.metadata or {}).items()}
        shape = shapes.get(field.name)
        kind = declared_kind(shape["schema"]) if shape else None
        # Hostile values break the declaration on purpose.
        if kind is not None and field.type != kind and line[0] != "hostile":
            sys.exit(f"arrow: {name}: column {field.name} is {field.type}, declared {kind}")
        if shape and shape.get("unit") and metadata.get("unit") != shape["unit"] and line[0] != "hostile":
            sys.exit(f"arrow: {name}: column {field.name} has the unit {metadata.get('unit')}, not {shape['unit']}")
        if field.name in MEASURED:
            continue
        values = cells(column)
        check_namespace(name, field, metadata.get("namespace"), values)
        for row, value in enumerate(values):
            if not is_same(value, rows[row + 1][index], field.type, metadata):
                fail(name, row, field, value, rows[row + 1][index], "CSV")
            if row < len(documents) and (value is None) != (documents[row].get(field.name) is None):
                fail(name, row, field, value, documents[row], "JSON")
    return table.num_rows


def commands():
    """Yields the lines of all commands that only read and of those above, with their outputs."""
    groups = [ask("help")] + [ask("help", plugin["id"]) for plugin in ask("plugin", "list")]
    for command in (command for group in groups for command in group["commands"]):
        words = command["name"].split()
        help = ask("help", *words)
        if set(help["effects"]) <= {"reads"} and words[0] not in ("run", "open", "script", "exec") \
                and command["name"] not in EXCLUDED:
            values = ARGUMENTS.get(words[0], {})
            required = [argument["name"] for argument in help["arguments"] if argument["required"]]
            if all(name in values for name in required):
                yield words + [word for name in required for word in values[name]], help["output"]
    for line in LINES:
        words = line[:3] if line[:2] == ["molecules", "measure"] else line[:1] if line[0] == "help" else line[:2]
        yield [str(model) if word == "MODEL" else word for word in line], ask("help", *words)["output"]


def write_model():
    """Writes a model whose optimum is known: of 7.5 'a', three for each 'out'."""
    reactions = [("in", {"a_c": 1}, 0, 7.5, 0), ("out", {"a_c": -3}, 0, 9, 1), ("lone", {"b_c": -1}, 0, 1, 0)]
    model.write_text(json.dumps({
        "id": "m", "compartments": {"c": ""}, "genes": [{"id": "g", "name": "g"}],
        "metabolites": [{"id": id, "name": "", "compartment": "c"} for id in ("a_c", "b_c")],
        "reactions": [
            {"id": id, "name": "", "metabolites": parts, "lower_bound": lower, "upper_bound": upper,
             "gene_reaction_rule": "g", "objective_coefficient": objective}
            for id, parts, lower, upper, objective in reactions],
    }))


csv.field_size_limit(sys.maxsize)
program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
model = folder / "m.json"
write_model()
compared, done, namespaces = {}, set(), set()
for line, output in commands():
    if tuple(line) in done:
        continue
    done.add(tuple(line))
    result = check(line, output)
    if isinstance(result, int):
        name = " ".join(line)
        compared[name] = result
        print(f"arrow: {name}: {result} rows")
    else:
        print(f"arrow: {' '.join(line)}: not compared, {result}")
for name in NEEDED:
    if not any(line == name or line.startswith(name + " ") for line, rows in compared.items() if rows > 0):
        sys.exit(f"arrow: '{name}' has no rows to compare")
if "ec-code" not in namespaces:
    sys.exit("arrow: the enzymes of 'pathcase processes' have no namespace")
print(f"arrow: {len(compared)} results are the same, cell by cell")
