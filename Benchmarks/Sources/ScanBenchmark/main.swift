import BenchmarkSupport
import Glibc

@testable import Molecules

// Time of a search for catalytic triads in all macromolecular files of the shared data, read from disk, as JSON lines.
//
// The peer's script asks the same of gemmi: its reader, and its NeighborSearch without symmetry, for the most occupied
// conformers. Both must find the same residues in the same files. The shortest of several rounds counts on both sides.
//
// Usage: ScanBenchmark [FOLDER-OF-SHARED-DATA]    (else WORKBENCH_SHARED_DATA, else ../shared/data)
//        needs python3 with gemmi: WORKBENCH_BENCH_PYTHON names another interpreter

let rounds = 3
let arguments = CommandLine.arguments
let environmentFolder = getenv("WORKBENCH_SHARED_DATA").map { String(cString: $0) }
let folder = (arguments.count > 1 ? arguments[1] : environmentFolder ?? "../shared/data") + "/molecules/"
let python = getenv("WORKBENCH_BENCH_PYTHON").map { String(cString: $0) } ?? "python3"

/// Prints the milliseconds of the fastest round, then a line for each match.
let neighborSearch = """
  import sys, time, gemmi
  from itertools import groupby
  nowhere = gemmi.UnitCell()
  def kept(residues):
      letters = {}
      for residue in residues:
          for atom in residue:
              if atom.altloc != '\\0':
                  letters.setdefault(atom.altloc, []).append(atom.occ)
      best = ''
      for letter in sorted(letters):
          mean = sum(letters[letter]) / len(letters[letter])
          if not best or mean > highest + 1e-3:
              best, highest = letter, mean
      return best
  def near(search, model, atoms, names, acid, found):
      nearest = {}
      for atom in atoms:
          for mark in search.find_atoms(atom.pos, '\\0', radius=3.41):
              cra = mark.to_cra(model)
              key = (mark.chain_idx, mark.residue_idx)
              if cra.residue.name in acid and cra.atom.name in names and (key, cra.atom.name) in found:
                  nearest[key] = min(nearest.get(key, 9), atom.pos.dist(cra.atom.pos))
      return [key for key in nearest if abs(nearest[key] - 2.8) <= 0.6 + 1e-9]
  def triads(path):
      model = gemmi.read_structure(path)[0]
      search = gemmi.NeighborSearch(model, nowhere, 3.5).populate()
      found, serines, histidines = set(), [], {}
      for c, chain in enumerate(model):
          for _, position in groupby(enumerate(chain), lambda item: item[1].seqid):
              position = list(position)
              letter = kept([residue for _, residue in position])
              for r, residue in position:
                  atoms = [atom for atom in residue if atom.altloc in ('\\0', letter)]
                  found.update(((c, r), atom.name) for atom in atoms)
                  if residue.name == 'SER':
                      serines.append(((c, r), [atom for atom in atoms if atom.name == 'OG']))
                  if residue.name == 'HIS':
                      histidines[c, r] = [atom for atom in atoms if atom.name in ('ND1', 'NE2')]
      def label(key):
          chain = model[key[0]]
          return chain.name + '/' + chain[key[1]].name + str(chain[key[1]].seqid)
      return ['  '.join(map(label, (serine, histidine, acid))) for serine, atoms in serines
          for histidine in near(search, model, atoms, ('ND1', 'NE2'), ('HIS',), found)
          for acid in near(search, model, histidines[histidine], ('OD1', 'OD2', 'OE1', 'OE2'), ('ASP', 'GLU'), found)]
  best = 1e9
  for _ in range(int(sys.argv[1])):
      start = time.perf_counter()
      lines = [path + '  ' + triad for path in sys.argv[2:] for triad in triads(path)]
      best = min(best, time.perf_counter() - start)
  print(best * 1000, *sorted(lines), sep='\\n')
  """

/// The error of differing matches.
struct DifferentMatches: Error, CustomStringConvertible {
  var ours: [String]
  var theirs: [String]

  // Without the quotes of arrays, which would break the line of JSON.
  var description: String {
    "different matches: ours \(ours.joined(separator: ", ")); theirs \(theirs.joined(separator: ", "))"
  }
}

/// Returns the triads of a file, as lines of the peer.
func triads(_ path: String, _ motif: Motif) throws -> [String] {
  let structure = try StructureFile.read(bytes: StructureSource.bytes(ofFile: path), name: path)
  var search = MotifSearch(motif, in: structure, model: 0)
  return search.matches().map { match in
    let labels = match.residues.map { "\(structure.chainName(ofResidue: $0))/\(structure.label(ofResidue: $0))" }
    return ([path] + labels).joined(separator: "  ")
  }
}

do {
  let files = ["pdb/", "cif/"].flatMap { kind in
    StructureSource.names(inFolder: folder + kind).map { folder + kind + $0 }
  }
  let motif = try Motif(
    sites: [
      "s=resn SER and name OG", "h=resn HIS and name ND1+NE2", "a=resn ASP+GLU and name OD1+OD2+OE1+OE2",
    ], distances: ["s-h=2.8±0.6", "h-a=2.8±0.6"], tolerance: 0, sets: SelectionSets())
  var ours: [String] = []
  let time = try Timing.best(of: rounds) { ours = try files.flatMap { try triads($0, motif) } }
  let peer = Program.output([python, "-c", neighborSearch, "\(rounds)"] + files)
  let lines = peer.text.split(separator: "\n").map(String.init)
  let theirs = peer.status == 0 ? lines.first.flatMap(Double.init) : nil
  if theirs != nil, lines.dropFirst().sorted() != ours.sorted() {
    throw DifferentMatches(ours: ours, theirs: Array(lines.dropFirst()))
  }
  Measurement(
    "scan \(files.count) files for catalytic triads, \(ours.count) matches", time, unit: "ms",
    peer: theirs.map { ("gemmi", $0) }
  ).print()
} catch {
  print("{\"name\":\"scan\",\"error\":\"\(error)\"}")
}
