extension StarterFile {
  /// The whole file, every line of 80 columns.
  ///
  /// - Source: Protein Data Bank Contents Guide: Atomic Coordinate Entry Format Description, version 3.30 (2012).
  var text: String {
    var lines = headerLines + remarkLines + sequenceLines + heteroLines
    lines += helices.map(line(for:)) + strands.map(line(for:)) + cellLines
    let (atoms, serials, ends) = atomLines
    lines += atoms
    let bonds = bondLines(serials)
    lines += bonds
    lines.append(masterLine(lines, ends: ends, bonds: bonds.count))
    lines.append("END")
    return lines.map { $0.left(80) + "\n" }.joined()
  }

  private var headerLines: [String] {
    var compound: [String] = []
    for (index, molecule) in header.molecules.enumerated() {
      compound += ["MOL_ID: \(index + 1);", "MOLECULE: \(molecule.name);"]
      compound.append("CHAIN: \(molecule.chains.joined(separator: ", "))")
    }
    var lines = ["HEADER    " + header.classification, "TITLE     " + header.title]
    lines += continued("COMPND", compound)
    lines += continued("SOURCE", ["MOL_ID: 1;", "SYNTHETIC: YES;", "OTHER_DETAILS: COMPUTED MODEL, NO EXPERIMENT"])
    lines.append("KEYWDS    " + header.keywords)
    lines.append("EXPDTA    THEORETICAL MODEL")
    lines.append("AUTHOR    WORKBENCH STARTER GENERATOR")
    return lines
  }

  /// Lines of a record whose second and later lines are numbered and indented by one.
  private func continued(_ record: String, _ texts: [String]) -> [String] {
    texts.enumerated().map { index, text in
      record.left(7) + (index == 0 ? "   " : String(index + 1).right(3) + " ") + text
    }
  }

  private var remarkLines: [String] {
    let check = GeometryCheck(structure)
    var lines = ["REMARK   2", "REMARK   2 RESOLUTION. NOT APPLICABLE.", "REMARK   3"]
    lines.append("REMARK   3 COMPUTED MODEL. NO EXPERIMENTAL DATA WERE USED.")
    let result =
      "BONDS WITHIN \(fixed(check.worstLength, 3)) A AND ANGLES WITHIN \(fixed(check.worstAngle, 1)) DEGREES OF THE "
      + "IDEAL, NO CONTACT OF HEAVY ATOMS BELOW \(fixed(check.nearestContact, 2)) A."
    for text in [header.method, result] { lines += wrapped(text).map { "REMARK   3 " + $0 } }
    return lines
  }

  /// The words of a text in lines that fit behind the head of a remark.
  private func wrapped(_ text: String) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= 68 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  private var chains: [(name: String, residues: [Int])] {
    var chains: [(name: String, residues: [Int])] = []
    for index in structure.residues.indices {
      if chains.last?.name != structure.residues[index].chain { chains.append((structure.residues[index].chain, [])) }
      chains[chains.count - 1].residues.append(index)
    }
    return chains
  }

  private var isPolymer: Bool { header.component == nil }

  private var sequenceLines: [String] {
    guard isPolymer else { return [] }
    return chains.flatMap { chain in
      stride(from: 0, to: chain.residues.count, by: 13).map { start in
        let names = chain.residues[start..<min(start + 13, chain.residues.count)].map {
          " " + structure.residues[$0].name.right(3)
        }
        let head = "SEQRES " + String(start / 13 + 1).right(3) + " " + chain.name
        return head + String(chain.residues.count).right(5) + " " + names.joined()
      }
    }
  }

  private var heteroLines: [String] {
    let hetero = structure.residues.indices.filter { structure.residues[$0].isHetero }
    guard let first = hetero.first else { return [] }
    var modified: [String] = []
    var present: [String] = []
    for index in hetero {
      let residue = structure.residues[index]
      let place = residue.name.right(3) + " " + residue.chain + String(residue.number).right(4)
      if isPolymer { modified.append("MODRES      " + place + "  PRO  4-HYDROXYPROLINE") }
      let count = structure.atoms.count { $0.residue == index }
      let short = residue.name.right(3) + "  " + residue.chain + String(residue.number).right(4)
      present.append("HET    " + short + "  " + String(count).right(5))
    }
    let code = structure.residues[first].name
    let name = header.component?.name ?? "4-HYDROXYPROLINE"
    let formula = header.component?.formula ?? "\(hetero.count)(C5 H9 N O3)"
    let number = String(chains.count + 1).right(2)
    return modified + present + [
      "HETNAM     " + code + " " + name, "FORMUL  " + number + "  " + code + "    " + formula,
    ]
  }

  private func line(for helix: PDBHelix) -> String {
    let number = String(helix.serial).right(3)
    let residues = structure.residues.filter { $0.chain == helix.chain }
    let first = residues.first { $0.number == helix.first }?.name ?? ""
    let last = residues.first { $0.number == helix.last }?.name ?? ""
    let start = first.right(3) + " " + helix.chain + String(helix.first).right(5)
    let end = last.right(3) + " " + helix.chain + String(helix.last).right(5)
    let length = String(helix.last - helix.first + 1).right(36)
    return "HELIX  " + number + " " + number + " " + start + "  " + end + "  1" + length
  }

  private func line(for strand: PDBStrand) -> String {
    let first = strand.residues.first ?? ""
    let last = strand.residues.last ?? ""
    var line = "SHEET  " + String(strand.number).right(3) + " " + strand.sheet.right(3) + String(strand.count).right(2)
    line += " " + first.right(3) + " " + strand.chain + String(1).right(4) + " "
    line += " " + last.right(3) + " " + strand.chain + String(strand.residues.count).right(4) + " "
    line += String(strand.sense).right(2)
    guard let tie = strand.registration else { return line }
    let here = strand.residues[tie.place]
    let there = strand.residues[tie.previousPlace]
    line += "  " + tie.atom.left(3) + here.right(3) + " " + strand.chain + String(tie.place + 1).right(4) + " "
    line += "  " + tie.previousAtom.left(3) + there.right(3) + " " + tie.previousChain
    return line + String(tie.previousPlace + 1).right(4)
  }

  private var cellLines: [String] {
    var lines = ["CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1"]
    for record in ["ORIGX", "SCALE"] {
      for row in 0..<3 {
        let cells = (0..<3).map { fixed($0 == row ? 1 : 0, 6).right(10) }
        lines.append("\(record)\(row + 1)    " + cells.joined() + "     " + fixed(0, 5).right(10))
      }
    }
    return lines
  }

  /// The coordinate lines, the serial of every atom, and the number of TER lines.
  private var atomLines: ([String], [Int], Int) {
    var lines: [String] = []
    var serials: [Int] = []
    var serial = 0
    var ends = 0
    for chain in chains {
      for residue in chain.residues {
        for atom in structure.atoms where atom.residue == residue {
          serial += 1
          serials.append(serial)
          lines.append(line(for: atom, serial: serial))
        }
      }
      guard isPolymer, let last = chain.residues.last else { continue }
      serial += 1
      ends += 1
      let residue = structure.residues[last]
      let place = residue.name.right(3) + " " + residue.chain + String(residue.number).right(4)
      lines.append("TER   " + String(serial).right(5) + "      " + place)
    }
    return (lines, serials, ends)
  }

  private func line(for atom: Atom, serial: Int) -> String {
    let residue = structure.residues[atom.residue]
    let name = atom.name.count < 4 && atom.element.count == 1 ? " " + atom.name.left(3) : atom.name.left(4)
    let place = residue.name.right(3) + " " + residue.chain + String(residue.number).right(4)
    let point = atom.position
    let coordinates = [point.x, point.y, point.z].map { fixed($0, 3).right(8) }.joined()
    let head = (residue.isHetero ? "HETATM" : "ATOM  ") + String(serial).right(5) + " " + name + " " + place
    return head + "    " + coordinates + "  1.00  0.00          " + atom.element.right(2)
  }

  private func bondLines(_ serials: [Int]) -> [String] {
    guard writesBonds else { return [] }
    var partners = [[Int]](repeating: [], count: structure.atoms.count)
    for bond in structure.bonds {
      for _ in 0..<bond.order {
        partners[bond.first].append(serials[bond.second])
        partners[bond.second].append(serials[bond.first])
      }
    }
    return structure.atoms.indices.flatMap { atom in
      let sorted = partners[atom].sorted()
      return stride(from: 0, to: sorted.count, by: 4).map { start in
        let group = sorted[start..<min(start + 4, sorted.count)].map { String($0).right(5) }
        return "CONECT" + String(serials[atom]).right(5) + group.joined()
      }
    }
  }

  private func masterLine(_ lines: [String], ends: Int, bonds: Int) -> String {
    func count(_ record: String) -> Int { lines.count { $0.hasPrefix(record) } }
    let counts = [
      count("REMARK"), 0, count("HET  "), count("HELIX"), count("SHEET"), 0, 0,
      count("ORIGX") + count("SCALE") + count("MTRIX"), structure.atoms.count, ends, bonds, count("SEQRES"),
    ]
    return "MASTER    " + counts.map { String($0).right(5) }.joined()
  }
}
