extension MMCIFWriter {
  /// Writes assemblies with each operator once, and the operators of non-crystallographic symmetry.
  mutating func writeAssemblies() {
    writer.category(
      "_pdbx_struct_assembly", ["id", "details", "method_details", "oligomeric_details", "oligomeric_count"],
      structure.assemblies.map { [$0.id, $0.details, nil, $0.oligomericDetails, "\(polymerCount($0))"] })
    var operators: [Transform] = []
    var numbers: [Transform: Int] = [:]
    var rows: [[String?]] = []
    for assembly in structure.assemblies {
      for part in assembly.parts {
        for transform in part.operators where numbers[transform] == nil {
          operators.append(transform)
          numbers[transform] = operators.count
        }
        rows.append([
          assembly.id, Self.expression(part.operators.compactMap { numbers[$0] }),
          labels.labels(of: part, in: structure).joined(separator: ","),
        ])
      }
    }
    writer.category("_pdbx_struct_assembly_gen", ["assembly_id", "oper_expression", "asym_id_list"], rows)
    writer.category(
      "_pdbx_struct_oper_list", ["id", "type"] + Self.transformItems("matrix", "vector"),
      operators.enumerated().map { index, transform -> [String?] in
        ["\(index + 1)", transform == .identity ? "identity operation" : "point symmetry operation"]
          + Self.values(transform)
      })
    writeNonCrystallographicSymmetry()
  }

  /// Returns the number of polymers of an assembly, counting each copy.
  private func polymerCount(_ assembly: Assembly) -> Int {
    let polymers = Set(labels.parts.filter { $0.kind == .polymer }.map(\.label))
    return assembly.parts.reduce(0) { count, part in
      count + part.operators.count * labels.labels(of: part, in: structure).count(where: polymers.contains)
    }
  }

  /// Returns the numbers of operators with runs written as ranges: `1,3,5-60`.
  private static func expression(_ numbers: [Int]) -> String {
    var runs: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = runs.last, last.upperBound + 1 == number {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    let texts = runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
    return texts.count == 1 && runs[0].count == 1 ? texts[0] : "(" + texts.joined(separator: ",") + ")"
  }

  private mutating func writeNonCrystallographicSymmetry() {
    writer.category(
      "_struct_ncs_oper", ["id", "code"] + Self.transformItems("matrix", "vector"),
      structure.ncsOperators.enumerated().map { index, ncs -> [String?] in
        ["\(index + 1)", ncs.isGiven ? "given" : "generate"] + Self.values(ncs.transform)
      })
    if let frame = structure.metadata.depositedFrame {
      writer.category(
        "_database_PDB_matrix", ["entry_id"] + Self.transformItems("origx", "origx_vector"),
        [[entryID] + Self.values(frame)])
    }
  }

  private static func transformItems(_ matrix: String, _ vector: String) -> [String] {
    (1...3).flatMap { row in (1...3).map { "\(matrix)[\(row)][\($0)]" } + ["\(vector)[\(row)]"] }
  }

  private static func values(_ transform: Transform) -> [String?] {
    [transform.row0, transform.row1, transform.row2].enumerated().flatMap { row, vector -> [String?] in
      [vector.x, vector.y, vector.z, transform.translation[row]].map { "\($0)" }
    }
  }
}
