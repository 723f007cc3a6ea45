"""Compares what other programs read from structure files and from Workbench's export of them.

Called by check-molecules-export: PROGRAM FORMAT FILE...; prints a line per file, exits 1 when one differs.
"""
import os
import shutil
import subprocess
import sys
import tempfile

import gemmi

try:
    import pymol
    from pymol import cmd
except ImportError:
    pymol = None


# Differences of single files whose cause is in the other program, by file and by what differs.
KNOWN = {
    "1m4x.pdb.gz": {"assemblies": "gemmi reads operators from number 100 on by columns that the number has moved"},
    "388d_v30.pdb": {"PyMOL": "it reads no LINK records, and these join nucleotides that are too far apart for it"},
    "AIP-build.pdb": {"PyMOL": "it bonds hydrogens of the original, which states no elements, more seldom; so of exports of gemmi"},
    "a_structure.pdb": {"PyMOL": "in mmCIF it bonds PCA by its own table, and this file calls CD 'DA' on purpose"},
    "end-endmdl.pdb": {"PyMOL": "it passes over CONECT records between models"},
    "2buk.pdb.gz": {"PyMOL": "by distance it bonds O and OXT of ALA 195, which lie too close"},
    "3pdz.cif.gz": {"PyMOL": "the bonds of proline in the original leave out H2 at the amino end"},
    "4hhb.pdb.gz": {"PyMOL": "it bonds by distance, and the bonds of this structure have 1.0 to 2.2 A"},
    "4hhb.cif.gz": {"PyMOL": "it bonds by distance, and the bonds of this structure have 1.0 to 2.2 A"},
}


def address(place):
    """An atom or residue as text; blanks of PDB columns do not count."""
    residue = place.res_id
    return f"{place.chain_name}/{residue.name}{residue.seqid}/{place.atom_name}/{place.altloc}".replace("\0", "")


def rounded(transform, digits):
    values = [value for row in transform.mat.tolist() for value in row] + transform.vec.tolist()
    return tuple(round(value, digits) + 0.0 for value in values)


def helices(structure):
    """Both ends and the length; types of mmCIF that name a class leave it unknown to gemmi."""
    return sorted((address(h.start), address(h.end), h.length) for h in structure.helices)


def strands(structure):
    return sorted((sheet.name, address(s.start), address(s.end), s.sense) for sheet in structure.sheets
                  for s in sheet.strands)


def link(connection):
    """The type, both ends in order, and whether a symmetry operator lies between them."""
    ends = sorted([address(connection.partner1), address(connection.partner2)])
    kind = str(connection.type).split(".")[-1]
    return (kind, *ends, str(connection.asu).split(".")[-1])


def links(structure):
    return {link(connection) for connection in structure.connections}


def conect(structure):
    """The pairs of atoms that CONECT records name, as links without type."""
    by_serial = {}
    for chain in structure[0]:
        for residue in chain:
            for atom in residue:
                by_serial.setdefault(atom.serial, gemmi.AtomAddress(chain.name, residue.seqid, residue.name, atom.name, atom.altloc))
    pairs = set()
    for first, others in structure.conect_map.items():
        for second in others:
            if first in by_serial and second in by_serial:
                pairs.add(tuple(sorted([address(by_serial[first]), address(by_serial[second])])))
    return pairs


def assemblies(structure):
    """Name, operators and atoms of every assembly that has chains; large ones are counted without building them."""
    atoms = {}
    for chain in structure[0]:
        for residue in chain:
            for name in {"auth " + chain.name, "label " + residue.subchain}:
                atoms[name] = atoms.get(name, 0) + len(residue)
    found = []
    for assembly in structure.assemblies:
        operators, count = [], 0
        for generator in assembly.generators:
            names = ["label " + name for name in generator.subchains] or ["auth " + name for name in generator.chains]
            size = sum(atoms.get(name, 0) for name in dict.fromkeys(names))
            operators += [rounded(operator.transform, 3) for operator in generator.operators]
            count += size * len(generator.operators)
        if operators:
            found.append((assembly.name, len(operators), hash(tuple(sorted(operators))), count))
    return found


def residues(structure):
    """Residues with what a modified one is called."""
    return sorted((m.chain_name, str(m.res_id), m.parent_comp_id) for m in structure.mod_residues)


def peptides(structure):
    return sorted((address(p.partner_c), address(p.partner_n), p.model_num, round(p.reported_angle, 2))
                  for p in structure.cispeps)


def by_gemmi(path):
    structure = gemmi.read_structure(path)
    structure.setup_entities()
    origx = rounded(structure.origx, 4) if structure.has_origx else rounded(gemmi.Transform(), 4)
    return structure, {
        "atoms": sum(model.count_atom_sites() for model in structure),
        "helices": helices(structure), "strands": strands(structure), "assemblies": assemblies(structure),
        "cis": peptides(structure), "modified": residues(structure), "origx": origx,
        "ncs": sorted((o.given, rounded(o.tr, 3)) for o in structure.ncs if o.given or not o.tr.is_identity()),
    }


def multiplies(path):
    """Whether an mmCIF file has operator expressions that are products, as (1-60)(61-88)."""
    if ".cif" not in path:
        return False
    column = gemmi.cif.read(path)[0].find_values("_pdbx_struct_assembly_gen.oper_expression")
    return any(")(" in value for value in column)


def gemmi_differences(before, after, path):
    """The items that differ; links that only CONECT states may be new in the export."""
    (first, wanted), (second, found) = before, after
    wrong = [key for key in wanted if wanted[key] != found[key]]
    # Of originals without optional items gemmi reads no assemblies, and it does not multiply lists of operators.
    if "assemblies" in wrong and (not wanted["assemblies"] or multiplies(path)):
        wrong.remove("assemblies")
    known, read = links(first), links(second)
    if known - read:
        wrong.append(f"links missing {len(known - read)}")
    new = {row[1:3] for row in read - known} - conect(first)
    if new:
        wrong.append(f"links new {len(new)}")
    return wrong


def by_pymol(path):
    """The number of atoms, sums of coordinates, and the kind of each bond by its atoms; none where PyMOL cannot read it."""
    cmd.delete("all")
    try:
        cmd.load(path, "loaded", quiet=1)
        model = cmd.get_model("loaded", 1)
        # Residues without coordinates are atoms without a state.
        atoms = cmd.count_atoms("loaded and state 1")
    except pymol.CmdException:
        return 0, [], {}
    sums = [sum(atom.coord[axis] for atom in model.atom) for axis in range(3)]
    return atoms, sums, dict(pymol_bond(*(model.atom[index] for index in bond.index)) for bond in model.bond)


def pymol_bond(first, second):
    """The names of two bonded atoms in order, and the kind of the bond.

    Two kinds may differ. Metal: PyMOL takes no bonds from LINK records of PDB files and from `metalc` rows of mmCIF files,
    but all bonds from the export. Contact: by distance it bonds a hydrogen to an atom of another residue.
    """
    residues = [f"{atom.chain}/{atom.resi}{atom.resn}" for atom in (first, second)]
    elements = [gemmi.Element(atom.symbol) for atom in (first, second)]
    kind = "bond"
    if any(element.is_metal for element in elements):
        kind = "metal"
    elif residues[0] != residues[1] and any(element.is_hydrogen for element in elements):
        kind = "contact"
    names = [f"{residue}/{atom.name}/{atom.alt}" for residue, atom in zip(residues, (first, second))]
    return tuple(sorted(names)), kind


def pymol_difference(wanted, found):
    """What PyMOL reads of both, and whether that differs in more than those kinds."""
    missing = [wanted[2][pair] for pair in wanted[2] if pair not in found[2]]
    new = [found[2][pair] for pair in found[2] if pair not in wanted[2]]
    text = f"; PyMOL {len(wanted[2])} -> {len(found[2])} bonds"
    if any(abs(a - b) > 1 + 0.001 * wanted[0] for a, b in zip(wanted[1], found[1])):
        return text + " (it reads other coordinates of the original, by their usual columns)", False
    changes = [f"{kinds.count(kind)} {kind} {word}" for kinds, word in ((missing, "missing"), (new, "new"))
               for kind in sorted(set(kinds))]
    if changes:
        text += " (" + ", ".join(changes) + ")"
    return text, wanted[0] != found[0] or "bond" in missing + new or "metal" in missing


def by_mkdssp(path, folder):
    """The states by chain, number and insertion code, sorted; None where mkdssp cannot read the file.

    Of PDB files it sorts the chains by their compounds, of mmCIF files it leaves them in their order.
    """
    output = os.path.join(folder, "states.dssp")
    if os.path.exists(output):
        os.remove(output)
    try:
        subprocess.run(["mkdssp", "--output-format", "dssp", path, output], capture_output=True, timeout=300)
        with open(output) as lines:
            rows = list(lines)
    except (OSError, subprocess.TimeoutExpired):
        return None
    start = next((index for index, row in enumerate(rows) if row.startswith("  #  RESIDUE")), len(rows))
    return sorted((row[5:13].strip(), row[13].upper() if row[13].islower() else row[13], row[16])
                  for row in rows[start + 1:] if row[13] != "!")


def mkdssp_difference(wanted, found):
    """The end of a file's line, and whether the states differ; None stands for a file that mkdssp cannot read."""
    if wanted is None or found is None:
        return f"; mkdssp reads {'neither' if found is None and wanted is None else 'one only'}", bool(wanted)
    return f"; mkdssp {len(wanted)} -> {len(found)} residues", bool(wanted) and wanted != found


def export(program, path, output):
    run = subprocess.run([program, "molecules", "export", path, "--output", output], capture_output=True, text=True)
    return run.returncode, (run.stderr.strip().splitlines() or [""])[-1]


def compare(program, path, output, folder):
    """A line about a file, and whether anything differs."""
    code, message = export(program, path, output)
    if code != 0:
        return f"not exported: {message}", False
    try:
        before, after = by_gemmi(path), by_gemmi(output)
    except (RuntimeError, ValueError) as error:
        return f"gemmi cannot read the original or the export: {error}", readable(path)
    wrong = gemmi_differences(before, after, path)
    structure, read = after
    text = (f"gemmi {read['atoms']} atoms, {len(read['helices'])} helices, {len(read['strands'])} strands, "
            f"{len(structure.connections)} links, {len(read['assemblies'])} assemblies")
    if pymol:
        line, is_different = pymol_difference(by_pymol(path), by_pymol(output))
        text += line
        if is_different:
            wrong.append("PyMOL")
    if shutil.which("mkdssp"):
        line, is_different = mkdssp_difference(by_mkdssp(path, folder), by_mkdssp(output, folder))
        text += line
        if is_different:
            wrong.append("mkdssp")
    known = KNOWN.get(os.path.basename(path), {})
    for item in [item for item in wrong if item in known]:
        wrong.remove(item)
        text += f"; {item}: {known[item]}"
    return text + (": DIFFERS in " + ", ".join(wrong) if wrong else ""), bool(wrong)


def readable(path):
    try:
        gemmi.read_structure(path)
        return True
    except (RuntimeError, ValueError):
        return False


def main():
    program, file_format, *files = sys.argv[1:]
    if pymol:
        pymol.finish_launching(["pymol", "-cq"])
        cmd.feedback("disable", "all", "everything")
        # Components are not to be looked up on the network.
        cmd.set("fetch_host", "")
        # Nor are coordinates to be moved by SCALE records.
        cmd.set("pdb_insure_orthogonal", 0)
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "export.pdb" if file_format == "pdb" else "export.cif")
        for path in files:
            line, is_different = compare(program, path, output, folder)
            different += is_different
            print(f"{os.path.basename(path)}: {line}", flush=True)
    print(f"molecules export: {len(files)} files, {different} differ")
    # PyMOL would end the process with 0.
    sys.stdout.flush()
    os._exit(1 if different else 0)


main()
