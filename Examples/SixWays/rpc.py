"""One task over four domains, as JSON-RPC by hand. Argument: the address of a sensor."""
import json
import subprocess
import sys

server = subprocess.Popen(["workbench", "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def call(method, **parameters):
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
    print(json.dumps(request), file=server.stdin, flush=True)
    for line in server.stdout:
        message = json.loads(line)
        if "error" in message:
            sys.exit(message["error"]["message"])
        if "result" in message:  # other messages are progress and warnings
            return message["result"]


for m in call("molecules.list"):
    if m["atoms"] > 400:
        print(f"{m['title']}: {m['atoms']} atoms")
structure = call("molecules.secondary-structure", molecule=2)
print(f"strand A: {structure['chains']['A']}")

scenarios = call("pathcase.smda", network="w-glycolysis", page_size=0)
print(f"{scenarios['network']}: {scenarios['processes']} processes, {scenarios['count']} scenarios")

lab = call("openbis.sync")
hits = call("openbis.search", text="kinase")
print(f"lab: {lab['entities']} entities, {len(hits)} with 'kinase', first {hits[0]['summaryHeader']}")

person = call("wsabi.person-add", first_name="Ada", last_name="Lovelace")
item = call("wsabi.item-add", person=person["id"], submodality="RightIndexFlat", sensor=sys.argv[1])
capture = call("wsabi.capture", item=item["id"])
print(f"{person['name']}: {item['title']} {capture['items'][0]['outcome']}")
server.communicate()
