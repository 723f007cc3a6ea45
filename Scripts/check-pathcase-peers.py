"""Compares flux analyses and elementary modes with COBRApy and efmtool, and measures pFBA at four sizes.

Called by check-pathcase-peers: PROGRAM PART MODEL...; prints a line per comparison, exits 1 when one differs or takes
longer than its limit. Seconds are CPU seconds: of the program all of its process, of the peers the call alone, with their child processes.
"""
import json
import logging
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import cobra
from cobra.flux_analysis import find_blocked_reactions, single_gene_deletion, single_reaction_deletion

try:
    import efmtool
    from cobra.util.array import create_stoichiometric_matrix
except ImportError:
    efmtool = None

logging.disable(logging.CRITICAL)
PROGRAM, PART, *MODELS = sys.argv[1:]
# The exchanges of e_coli_core that the smaller problem of modes leaves out. Of all sets of ten they are the only one
# without which 4,771 modes are left.
LEFT_OUT = [
    "acald_e", "akg_e", "fru_e", "fum_e", "gln__L_e", "glu__L_e", "lac__D_e", "mal__L_e", "o2_e", "pyr_e"]
LEFT_MODES = 4771
# The most CPU time of modes relative to efmtool's.
MODES_LIMIT = 3
# The numbers of reactions at which pFBA is measured, as nearly as whole copies of a model come, and the largest exponent
# of its time.
SIZES = (3700, 7000, 13500, 26500)
PFBA_LIMIT = 1.5
differences = 0
exceeded = 0


def seconds_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def ours(*words):
    """What a command gives, nothing if it fails, and its CPU seconds."""
    start = seconds_of_children()
    run = subprocess.run([PROGRAM, "pathcase", *words, "--json"], capture_output=True, text=True)
    spent = seconds_of_children() - start
    if run.returncode != 0:
        print(f"workbench pathcase {' '.join(words)}: status {run.returncode}: {(run.stderr or run.stdout).strip()[:300]}")
        return None, spent
    return json.loads(run.stdout), spent


def theirs(call, *arguments, **options):
    """What a call of a peer gives, and its CPU seconds."""
    start = time.process_time() + seconds_of_children()
    found = call(*arguments, **options)
    return found, time.process_time() + seconds_of_children() - start


def tell(name, what, text, spent, peer, is_equal, is_slow=False):
    global differences, exceeded
    differences += not is_equal
    exceeded += is_slow
    verdict = ("equal" if is_equal else "DIFFERS") + (", TOO SLOW" if is_slow else "")
    print(f"{name:14} {what:20} {text:44} {spent:8.2f} s {peer:8.2f} s  {verdict}", flush=True)


def stem(path):
    return pathlib.Path(path).name.removesuffix(".gz").removesuffix(".xml")


def bare(identifier):
    """An id as COBRApy has it."""
    return identifier[2:] if identifier[:2] in ("R_", "G_") else identifier


def compare_deletions(path, model):
    parts = (("reaction deletions", single_reaction_deletion, ()), ("gene deletions", single_gene_deletion, ("--genes",)))
    for what, call, key in parts:
        if key and not model.genes:
            continue
        found, spent = ours("deletions", path, *key)
        table, peer = theirs(call, model, processes=1)
        known = {next(iter(row.ids)): row.growth for row in table.itertuples()}
        rows = {bare(row["id"]): row.get("objective") for row in found or []}
        largest, wrong = 0.0, len(known.keys() ^ rows.keys())
        for name in known.keys() & rows.keys():
            left, right = rows[name], None if math.isnan(known[name]) else known[name]
            if left is None or right is None:
                # Infeasible for one and without growth for the other is a difference.
                wrong += (left is None) != (right is None)
            else:
                largest = max(largest, abs(left - right))
        text = f"{len(known)} values, largest difference {largest:.1e}"
        tell(stem(path), what, text + (f", {wrong} differ" if wrong else ""), spent, peer, wrong == 0 and largest <= 1e-5)


def compare_blocked(path, model):
    found, spent = ours("blocked", path)
    known, peer = theirs(find_blocked_reactions, model, processes=1)
    names = {bare(row["reaction"]) for row in found or []}
    text = f"{len(names)} and {len(known)} reactions"
    tell(stem(path), "blocked reactions", text, spent, peer, names == set(known))


def efms(model, left_out):
    """The modes that efmtool finds: a reaction that only runs backwards is turned."""
    kept = [index for index, reaction in enumerate(model.reactions) if reaction.id not in left_out]
    reactions = [model.reactions[index] for index in kept]
    signs = [-1 if r.lower_bound < 0 and r.upper_bound <= 0 else 1 for r in reactions]
    both = [int(r.lower_bound < 0 < r.upper_bound) for r in reactions]
    matrix = create_stoichiometric_matrix(model)[:, kept] * signs
    return efmtool.calculate_efms(matrix, both, [r.id for r in reactions], [m.id for m in model.metabolites]).shape[1]


def compare_modes(path, model):
    without_ten = ["EX_" + name for name in LEFT_OUT]
    for what, left_out, wanted in (("modes without ten", without_ten, LEFT_MODES), ("modes of all", [], None)):
        stops = [word for name in left_out for word in ("--stop", name)]
        found, spent = ours("modes", path, "--seconds", "3600", *stops)
        count, peer = theirs(efms, model, left_out)
        ratio = spent / max(peer, 0.01)
        text = f"{found and found['count']} and {count} modes, {ratio:.1f} times the time"
        is_equal = bool(found) and found["count"] == count and wanted in (None, count)
        tell(stem(path), what, text, spent, peer, is_equal, ratio > MODES_LIMIT)


def copied(model, count, is_scaled):
    """Copies of a model that share its exchanges, in COBRA's JSON; a scaled medium brings as many times as much."""
    shared = {reaction.id for reaction in model.exchanges}
    medium = {species.id for reaction in model.exchanges for species in reaction.metabolites}
    species, reactions = {}, []
    for copy in range(count):
        for reaction in model.reactions:
            if copy and reaction.id in shared:
                continue
            names = {m.id: m.id if m.id in medium else f"{m.id}_{copy}" for m in reaction.metabolites}
            for m in reaction.metabolites:
                species[names[m.id]] = {"id": names[m.id], "name": "", "compartment": m.compartment or "c"}
            lower = reaction.lower_bound
            if is_scaled and reaction.id in shared and -999 < lower < 0:
                lower *= count
            reactions.append({
                "id": reaction.id if reaction.id in shared else f"{reaction.id}_{copy}", "name": "",
                "metabolites": {names[m.id]: amount for m, amount in reaction.metabolites.items()},
                "lower_bound": lower, "upper_bound": reaction.upper_bound, "gene_reaction_rule": "",
                "objective_coefficient": reaction.objective_coefficient})
    return {"id": f"{model.id}_{count}", "metabolites": list(species.values()), "reactions": reactions, "genes": [],
            "compartments": {}, "version": "1"}


def copies(model):
    """The numbers of copies that come nearest to the sizes."""
    shared = len(model.exchanges)
    own = len(model.reactions) - shared
    return sorted({max(1, round((size - shared) / own)) for size in SIZES})


def measure_pfba(path, model, folder):
    """Checks the exponent of the straight line through the logarithms of sizes and times."""
    global differences, exceeded
    for what, is_scaled in (("pFBA, same medium", False), ("pFBA, scaled medium", True)):
        points = []
        for count in copies(model):
            document = copied(model, count, is_scaled)
            file = os.path.join(folder, f"copies-{count}.json")
            pathlib.Path(file).write_text(json.dumps(document))
            size = len(document["reactions"])
            # The least of three: the first one also loads libraries from the disk, and others use the machine.
            runs = [ours("pfba", file)]
            if runs[0][0]:
                runs += [ours("pfba", file) for _ in range(2)]
            found, spent = runs[0][0], min(time for _, time in runs)
            if not found:
                # Too many copies that each need a least flux cannot live on the medium of one.
                differences += is_scaled
                continue
            _, fba = ours("fba", file)
            print(f"{stem(path):14} {what:20} {size:6} reactions: pfba {spent:.2f} s, fba {fba:.2f} s", flush=True)
            points.append((math.log(size), math.log(max(spent, 1e-3))))
        if len(points) < 3:
            print(f"{stem(path):14} {what:20} no growth: fewer than three sizes have an optimum", flush=True)
            continue
        middle = [sum(values) / len(points) for values in zip(*points)]
        slope = sum((x - middle[0]) * (y - middle[1]) for x, y in points) / sum((x - middle[0]) ** 2 for x, _ in points)
        ends = (points[-1][1] - points[0][1]) / (points[-1][0] - points[0][0])
        is_slow = round(slope, 2) > PFBA_LIMIT
        exceeded += is_slow
        verdict = ", TOO SLOW" if is_slow else ""
        print(f"{stem(path):14} {what:20} grows as n^{slope:.2f} (fit), n^{ends:.2f} (ends){verdict}", flush=True)


def main():
    print(f"{'model':14} {'comparison':20} {'result':44} {'ours':>8}   {'peer':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for path in MODELS:
            model = cobra.io.read_sbml_model(path)
            if PART in ("all", "deletions"):
                compare_deletions(path, model)
            if PART in ("all", "blocked"):
                compare_blocked(path, model)
            if PART in ("all", "modes") and stem(path) == "e_coli_core" and efmtool:
                compare_modes(path, model)
            if PART in ("all", "pfba") and stem(path) in ("e_coli_core", "iAF1260", "iJO1366", "iND750"):
                measure_pfba(path, model, folder)
    if differences or exceeded:
        print(f"pathcase peers: {differences} differ, {exceeded} exceed their limit", file=sys.stderr)
        sys.exit(1)


main()
