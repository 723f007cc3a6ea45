"""Compares the atoms that Workbench and PyMOL select.

Called by check-molecules-selections: PROGRAM FILE...; prints a line per file and one per difference that no reason of KNOWN
explains, and exits 1 when there is one.
"""
import collections
import csv
import io
import os
import re
import subprocess
import sys

import pymol
from pymol import cmd

SELECTIONS = """
all; chain A; segi ''; segi A; resi 5-10; resi 5-10+52; resn ALA+GLY; name CA+CB; name C*; element FE+ZN+C; alt A; alt ''+A
id 1-100; b > 30; q < 1; x > 3.5; ss H; ss S; ss H+S; ss L+''; pepseq AG
polymer; polymer.protein; polymer.nucleic; organic; inorganic; solvent; backbone; sidechain; guide; hydro; metals; hetatm
donors; acceptors; donors and organic; acceptors and polymer; donors within 3.5 of organic
byres (polymer within 4 of organic); organic around 4; organic expand 4; solvent beyond 10 of polymer
all near_to 3 of metals; all within 5 of organic; chain A and name CA within 6 of organic; name O around 3 and name N
name CA within 6 of organic and chain A; name O expand 3 and name N
bymolecule organic; bymolecule resi 10; neighbor organic; neighbor metals; bound_to metals
bound_to organic; bound_to name SG; metals extend 1; organic extend 2; name CA extend 1; name CA extend 1 and name C
name CA extend 1 and name C or name N; name CA and name C extend 1; name N or name CA extend 1 and name C
name CA extend 2 and not name CA; name SG extend 1; name CA in chain A; chain A like chain B; chain A in chain B
first chain A; last chain A; byres last polymer; byres first organic; first name CA or name C
not chain A and name CA; not name CA or name C; neighbor name CA and name C; byres name SG and name CA
bound_to name CA and name C; bound_to name CA or name N; ///A/50/CA; /loaded//A/10-20; /loaded//A; A/50/CA; A//CA
"""

Atom = collections.namedtuple("Atom", "chain number residue name altloc element")


def is_about_bonds(selection):
    return re.search(r"extend|neighbor|bound_to|bymolecule", selection)


def is_about_hydrogen_bonds(selection):
    return re.search(r"donors|acceptors", selection)


# Reasons for differences: a name, and whether it explains that an atom is selected by one program alone.
KNOWN = [
    ("donors and acceptors by names of atoms, not by free valences and bonds",
     lambda file, selection, atom, around: is_about_hydrogen_bonds(selection)),
    ("bonds by residue type where PyMOL goes by distance and the structure is distorted",
     lambda file, selection, atom, around: is_about_bonds(selection) and file.startswith("4hhb")),
    ("LINK records make bonds, which PyMOL does not read from PDB files",
     lambda file, selection, atom, around: is_about_bonds(selection) and ".pdb" in file and around.links),
    ("metalc rows make bonds, which PyMOL does not read from mmCIF files",
     lambda file, selection, atom, around: is_about_bonds(selection) and ".cif" in file and around.links),
    ("hydrogens on backbone atoms belong to the backbone",
     lambda file, selection, atom, around: selection in ("backbone", "sidechain") and atom.element.upper() in ("H", "D")),
    ("ranges of HELIX and SHEET with insertion codes, in the order of the chain",
     lambda file, selection, atom, around: selection.startswith("ss ") and around.codes),
    ("guide atoms of polymers alone, not of ligands that have such atoms",
     lambda file, selection, atom, around: selection == "guide" and atom.residue in around.ligands),
]

# Whether a file has bonds of links, whether it has insertion codes, and the names of its ligands.
Surroundings = collections.namedtuple("Surroundings", "links codes ligands")


def by_pymol(selection):
    """The atoms of the first state; an error as text."""
    try:
        model = cmd.get_model(f"({selection}) and state 1", 1)
    except pymol.CmdException as error:
        return str(error).strip() or "error"
    return {Atom(a.chain, a.resi, a.resn, a.name, a.alt, a.symbol) for a in model.atom}


def run(program, *arguments):
    return subprocess.run([program, "molecules", *arguments], capture_output=True, text=True)


def by_workbench(program, path, selection):
    """The atoms of the first model; an error as text."""
    result = run(program, "atoms", path, "--select", selection, "--csv")
    if result.returncode:
        return result.stderr.strip()
    rows = csv.DictReader(io.StringIO(result.stdout))
    return {Atom(row["chain"], row["number"] + row["insertionCode"], row["residue"], row["name"], row["alternate"],
                 row["element"]) for row in rows}


def without_element(atoms):
    """Atoms by their names: the programs write symbols in their own way."""
    return {atom._replace(element=""): atom for atom in atoms}


def reason(file, selection, atom, around):
    return next((text for text, explains in KNOWN if explains(file, selection, atom, around)), None)


def compare(program, path, selections):
    """The number of selections that agree, reasons of those that differ, and lines for what no reason explains."""
    file = os.path.basename(path)
    cmd.delete("all")
    cmd.load(path, "loaded", quiet=1)
    bonds = csv.DictReader(io.StringIO(run(program, "bonds", path, "--csv").stdout))
    everything, ligands = by_workbench(program, path, "all"), by_workbench(program, path, "ligand")
    if isinstance(everything, str) or isinstance(ligands, str):
        return 0, {}, [f"Workbench: {everything if isinstance(everything, str) else ligands}"]
    around = Surroundings(
        links=any(row["origin"] == "link" for row in bonds), codes=any(atom.number[-1:].isalpha() for atom in everything),
        ligands={atom.residue for atom in ligands})
    equal, reasons, lines = 0, collections.Counter(), []
    for selection in selections:
        wanted, found = by_pymol(selection), by_workbench(program, path, selection)
        if isinstance(wanted, str) or isinstance(found, str):
            lines.append(f"{selection}: PyMOL {wanted if isinstance(wanted, str) else len(wanted)}, "
                         f"Workbench {found if isinstance(found, str) else len(found)}")
            continue
        wanted, found = without_element(wanted), without_element(found)
        lone = [atom for name, atom in {**wanted, **found}.items() if (name in wanted) != (name in found)]
        explained = [reason(file, selection, atom, around) for atom in lone]
        if not lone:
            equal += 1
        elif all(explained):
            reasons.update(set(explained))
        else:
            first = next(atom for atom, text in zip(lone, explained) if not text)
            lines.append(f"{selection}: PyMOL {len(wanted)}, Workbench {len(found)}, as "
                         f"{first.chain}/{first.residue}{first.number}/{first.name}")
    return equal, reasons, lines


def main():
    program, *files = sys.argv[1:]
    selections = [text.strip() for line in SELECTIONS.strip().splitlines() for text in line.split(";")]
    pymol.finish_launching(["pymol", "-cq"])
    cmd.feedback("disable", "all", "everything")
    cmd.set("fetch_host", "")
    # Atoms in the order of the file, at the coordinates of the file.
    cmd.set("retain_order", 1)
    cmd.set("pdb_insure_orthogonal", 0)
    different = 0
    for path in files:
        equal, reasons, lines = compare(program, path, selections)
        different += len(lines)
        print(f"{os.path.basename(path)}: {equal} of {len(selections)} selections equal", flush=True)
        for text, count in sorted(reasons.items()):
            print(f"  {count} differ: {text}")
        for line in lines:
            print(f"  DIFFERS {line}", flush=True)
    print(f"molecules selections: {len(files)} files, {different} selections differ")
    # PyMOL would end the process with 0.
    sys.stdout.flush()
    os._exit(1 if different else 0)


main()
