"""One task over four domains, over MCP, as an agent does it. Argument: the address of a sensor."""
import json
import subprocess
import sys

server = subprocess.Popen(
    ["workbench", "serve", "--mcp", "--allow-writes", "--allow", "wsabi"],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


def call(tool, command, **arguments):
    parameters = {"name": tool, "arguments": {"command": command, "arguments": arguments}, "_meta": META}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}
    print(json.dumps(request), file=server.stdin, flush=True)
    result = json.loads(server.stdout.readline())["result"]
    text = result["content"][0]["text"]
    return sys.exit(text) if result.get("isError") else json.loads(text)


for m in call("read", "molecules.list"):
    if m["atoms"] > 400:
        print(f"{m['title']}: {m['atoms']} atoms")
structure = call("read", "molecules.secondary-structure", molecule=2)
print(f"strand A: {structure['chains']['A']}")

scenarios = call("read", "pathcase.smda", network="w-glycolysis", page_size=0)
print(f"{scenarios['network']}: {scenarios['processes']} processes, {scenarios['count']} scenarios")

lab = call("write", "openbis.sync")
hits = call("write", "openbis.search", text="kinase")
print(f"lab: {lab['entities']} entities, {len(hits)} with 'kinase', first {hits[0]['summaryHeader']}")

person = call("write", "wsabi.person-add", first_name="Ada", last_name="Lovelace")
item = call("write", "wsabi.item-add", person=person["id"], submodality="RightIndexFlat", sensor=sys.argv[1])
capture = call("write", "wsabi.capture", item=item["id"])
print(f"{person['name']}: {item['title']} {capture['items'][0]['outcome']}")
server.communicate()
