"""A plugin with every part that a program can have."""
import datetime
import decimal
import os
import sys
import time

from workbench_plugin import Choice, Error, File, Plugin, list_view, picture_view, run, split_view, text_view

plugin = Plugin("parts", "Parts", "1.0.0", "Has all parts of a program")
plugin.setting("unit", str, "Unit", default="metre")
plugin.topic("changed", "Something changed")
plugin.error("parts.unusable", "the part cannot be used")
plugin.file_type("Parts", ["parts"], command="read")


@plugin.command("fail", "Fail", effects=())
def fail(call, how: Choice("declared", "unexpected", "exit")):
    if how == "declared":
        raise Error("parts.unusable", "the part is broken", advice="choose another", kind="unusableInput")
    if how == "exit":
        os._exit(3)
    return 1 / 0


@plugin.command("show", "Show", type="parts.view")
def show(call):
    return {"unit": plugin.get("unit")}


@plugin.renderer("parts.view")
def view(value, width):
    return f"<parts in {value['unit']}>"


@plugin.command("ask-words", "Call another plugin")
def ask_words(call, file: File("txt")):
    rows = call.call("words.count", file=file)
    plugin.notify("changed", {"words": len(rows)})
    return {"words": len(rows), "first": rows[0]["word"]}


@plugin.command("kinds", "Return values of all kinds")
def kinds(call):
    return {"date": datetime.datetime(2026, 11, 20, 6, 30, tzinfo=datetime.timezone.utc), "bytes": b"\x01\x02",
            "decimal": decimal.Decimal("1.50"), "nan": float("nan"), "list": [1, 2.5, "x", True, None]}


@plugin.command("chatter", "Print text")
def chatter(call):
    print("printed text", flush=True)
    print("logged text", file=sys.stderr, flush=True)
    return 1


@plugin.command("sketch", "Draw a part", picture=True)
def sketch(call):
    width, height = call.picture_size or (4, 2)
    return picture_view(width, height, b"\x00\x00\xff\xff" * (width * height))["picture"]


@plugin.command("hang", "Never end")
def hang(call):
    with open(plugin.folders["state"] + "/process", "w", encoding="ascii") as file:
        file.write(str(os.getpid()))
    while True:
        time.sleep(1)


@plugin.command("read", "Read a file of parts")
def read(call, file: File("parts")):
    call.progress("reading", 0.5)
    call.warn("parts.short", "the file is short", line=1)
    return {"file": file}


@plugin.command("list", "List parts", table={"name": {"type": str, "title": "Name"}, "mass": {"type": float}})
def list_parts(call):
    return [("bolt", 1.5), ("nut", None)]


@plugin.command("pick", "Pick a part", complete={"part": ("list", "name")})
def pick(call, part: str):
    return part


shelf = plugin.store("shelf", "Parts on the shelf", [
    "CREATE TABLE part (name TEXT); CREATE TRIGGER long AFTER INSERT ON part BEGIN SELECT 1; END",
    "ALTER TABLE part ADD COLUMN number INTEGER DEFAULT 1"])


@plugin.command("keep", "Keep a part", effects=("reads", "writes"))
def keep(call, part: str):
    with shelf() as connection:
        connection.execute("INSERT INTO part (name) VALUES (?)", (part,))
        return connection.execute("SELECT count(*) FROM part").fetchone()[0]


@plugin.check("loose", "Looks for loose parts")
def loose():
    return ["the part is loose"]


@plugin.screen("inventory", "Inventory", actions=[("add", "Add a part", "a"), ("unit", "Show the unit", "u")])
class Inventory:
    def __init__(self):
        self.parts, self.note = ["bolt", "nut"], "nothing chosen"

    def chosen(self, id):
        self.note = f"chose {id}"

    def action(self, name, arguments, selected):
        if name == "unit":
            return [run("unit", "parts.show")]
        self.parts.append(f"part {len(self.parts)}")

    def message(self, message):
        if message["is"] == "emitted":
            self.note = f"{message['id']} is {message['value']['unit']}"

    def view(self):
        rows = [{"id": part, "title": part} for part in self.parts]
        return split_view(list_view("Inventory", rows), text_view("Note", self.note))


plugin.run()
