"""Uses the tools of `workbench serve --mcp` with the client of the package 'mcp' (see Scripts/check-mcp).

Usage: check-mcp.py PROGRAM FOLDER; the folder has 'home' for the program's files and 'root' for those of the agent.
"""
import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters

PROGRAM, FOLDER = sys.argv[1:3]
ROOT = os.path.join(FOLDER, "root")
XYZ = "3\nwater\nO 0 0 0\nH 0 0 0.96\nH 0.93 0 -0.24\n"
checks = 0


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        sys.exit(f"mcp: {what}")


def server(*options):
    environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "WORKBENCH_HOME": os.path.join(FOLDER, "home")}
    return StdioServerParameters(
        command=PROGRAM, args=["serve", "--mcp", "--root", ROOT, "--offline", *options], env=environment)


def text(result):
    return result.content[0].text


def code(result):
    return json.loads(text(result))["code"] if result.is_error else None


async def use(mode, revision):
    async with Client(server(), mode=mode) as client:
        check(client.protocol_version == revision, f"'{mode}' agreed on {client.protocol_version}, not {revision}")
        tools = (await client.list_tools()).tools
        names = [tool.name for tool in tools]
        check(names == ["find", "describe", "read", "links", "table", "picture", "next"], f"the tools are {names}")
        size = len(json.dumps([tool.model_dump(by_alias=True, exclude_none=True) for tool in tools]))
        check(size / 3.5 < 6000, f"the tools take some {size / 3.5:.0f} tokens")
        check(all(tool.annotations.read_only_hint for tool in tools), "a tool that reads does not say so")

        found = await client.call_tool("find", {"text": "list molecules in the library", "plugin": "molecules"})
        check("molecules.list" in text(found), f"'find' returned {text(found)}")
        described = json.loads(text(await client.call_tool("describe", {"command": "molecules.render"})))
        check("mode" in described["arguments"]["properties"], "'describe' has no option of the command")
        molecules = json.loads(text(await client.call_tool("read", {"command": "molecules.list"})).split("\n")[0])
        check(molecules, "there are no molecules")
        molecule = str(molecules[0]["id"])
        table = text(await client.call_tool("table", {"command": "molecules.list", "columns": ["id", "code"]}))
        check(table.startswith("id\tcode\n"), f"the table begins with {table[:40]!r}")
        arguments = {next(iter(described["positional"])): molecule}
        picture = await client.call_tool(
            "picture", {"command": "molecules.render", "arguments": arguments, "width": 200, "height": 150})
        check(not picture.is_error and picture.content[0].type == "image", "there is no picture")
        check(picture.content[0].mime_type == "image/png", "the picture is not a PNG")

        linked = json.loads(text(await client.call_tool("links", {"id": molecule})))
        lists = {entry["list"]: entry for entry in linked["found"]}
        check(lists["molecules.list"]["rows"][0]["id"] == molecules[0]["id"], f"'links' returned {linked}")
        check("molecules.render" in lists["molecules.list"]["commands"], "no link leads to 'molecules.render'")
        linked = json.loads(text(await client.call_tool("links", {"id": "ec:2.7.1.11"})))
        check(linked["references"] == ["ec-code:2.7.1.11"], f"the references are {linked['references']}")
        lists = {entry["list"]: entry for entry in linked["found"]}
        check(lists["pathcase.processes"]["rows"][0]["field"] == "enzyme", f"'links' returned {linked}")
        check(lists["pathcase.processes"]["commands"], "no link leads from a process to a command")
        check("wsabi" not in json.dumps(linked), "people are linked")
        check("services" not in linked, "there are services without a network")
        linked = json.loads(text(await client.call_tool("links", {"id": "nothing at all"})))
        check(linked["found"] == [] and "note" in linked, f"'links' returned {linked}")

        page = text(await client.call_tool("table", {"command": "molecules.atoms", "arguments": arguments}))
        pages = 1
        while "cursor '" in page and pages < 50:
            cursor = page.rsplit("cursor '", 1)[1].split("'")[0]
            page = text(await client.call_tool("next", {"cursor": cursor}))
            pages += 1
        check(pages < 50, "the pages have no end")

        inside = os.path.join(ROOT, "water.xyz")
        with open(inside, "w", encoding="utf-8") as file:
            file.write(XYZ)
        outside = os.path.join(FOLDER, "water.xyz")
        with open(outside, "w", encoding="utf-8") as file:
            file.write(XYZ)
        described = json.loads(text(await client.call_tool("describe", {"command": "molecules.info"})))
        name = described["positional"][0]
        for path, expected in [(inside, None), ("water.xyz", None), (outside, "host.agent-outside-roots")]:
            result = await client.call_tool("read", {"command": "molecules.info", "arguments": {name: path}})
            check(code(result) == expected, f"'{path}' gave {text(result)[:200]}")

        for command, expected in [
            ("molecules.import", "host.agent-changes"), ("wsabi.person-list", "host.agent-not-allowed"),
            ("script", "host.agent-withheld"), ("molecules.nonsense", "host.unknown-command"),
        ]:
            result = await client.call_tool("read", {"command": command})
            check(code(result) == expected, f"'{command}' gave {text(result)[:200]}")


async def write():
    async with Client(server("--allow-writes")) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        check(len(tools) <= 8 and tools["write"].annotations.destructive_hint, "there is no tool that writes")
        described = json.loads(text(await client.call_tool("describe", {"command": "molecules.import"})))
        check(described["readOnlyHint"] is False, "'molecules.import' does not say that it writes")
        arguments = {described["positional"][0]: ["water.xyz"]}
        result = await client.call_tool("write", {"command": "molecules.import", "arguments": arguments})
        check(not result.is_error, f"'molecules.import' gave {text(result)[:200]}")


async def main():
    for mode, revision in [("2026-07-28", "2026-07-28"), ("auto", "2026-07-28"), ("legacy", "2025-11-25")]:
        await use(mode, revision)
    await write()
    print(f"mcp: {checks} checks passed")


asyncio.run(main())
