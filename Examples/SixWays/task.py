"""One task over four domains, with the Python client. Argument: the address of a sensor."""
import sys

from workbench_client import Workbench

with Workbench() as wb:
    for m in wb.molecules.list():
        if m.atoms > 400:
            print(f"{m.title}: {m.atoms} atoms")
    structure = wb.molecules.secondary_structure(2)
    print(f"strand A: {structure.chains.A}")

    scenarios = wb.pathcase.smda("w-glycolysis", page_size=0)
    print(f"{scenarios.network}: {scenarios.processes} processes, {scenarios.count} scenarios")

    lab = wb.openbis.sync()
    hits = wb.openbis.search("kinase")
    print(f"lab: {lab.entities} entities, {len(hits)} with 'kinase', first {hits[0].summaryHeader}")

    person = wb.wsabi.person_add(first_name="Ada", last_name="Lovelace")
    item = wb.wsabi.item_add(person.id, submodality="RightIndexFlat", sensor=sys.argv[1])
    capture = wb.wsabi.capture(item.id)
    print(f"{person.name}: {item.title} {capture['items'][0].outcome}")
