import PluginText

/// Builds assemblies and non-crystallographic operators from the stored categories.
struct CIFAssemblies {
  let tables: [String: CIFTable]
  /// The file of the tables; nil if it is binary.
  let file: UnsafeBufferPointer<UInt8>?
  /// The largest number of operators in one part: an expression of a few bytes could expand to any number.
  static let mostOperators = 100_000

  /// Returns the assemblies in file order with all products of operators expanded.
  func assemblies(log: inout DiagnosticLog) -> [Assembly] {
    guard let generators = tables["_pdbx_struct_assembly_gen"] else { return [] }
    let operators = operatorsByID()
    var list: [Assembly] = []
    for row in 0..<generators.rowCount {
      guard let id = generators.text(row, "assembly_id"), let expression = generators.text(row, "oper_expression")
      else { continue }
      let chains = (generators.text(row, "asym_id_list") ?? "").replacingLineEnds().split(separator: ",")
      guard let transforms = Self.expand(expression, operators) else {
        log.add(
          "cif-operators-unreadable", at: CIFContent.place(of: generators.place(row, "oper_expression"), in: file),
          "operator expression '\(expression)' of assembly '\(id)' names an unknown operator or too many; left out")
        continue
      }
      let part = AssemblyPart(chains: chains.map { $0.trimmed() }, usesLabels: true, operators: transforms)
      if let known = list.firstIndex(where: { $0.id == id }) {
        list[known].parts.append(part)
      } else {
        list.append(
          Assembly(
            id: id, details: text(id, "details"), oligomericDetails: text(id, "oligomeric_details"), parts: [part]))
      }
    }
    return list
  }

  private func text(_ id: String, _ item: String) -> String {
    guard let table = tables["_pdbx_struct_assembly"] else { return "" }
    let row = (0..<table.rowCount).first { table.text($0, "id") == id }
    return row.flatMap { table.text($0, item) } ?? ""
  }

  private func operatorsByID() -> [String: Transform] {
    guard let table = tables["_pdbx_struct_oper_list"] else { return [:] }
    var operators: [String: Transform] = [:]
    for row in 0..<table.rowCount {
      guard let id = table.text(row, "id") else { continue }
      operators[id] = Self.transform(table, row)
    }
    return operators
  }

  /// Returns the non-crystallographic operators; the coordinates already include the copies of those without the code
  /// `generate`.
  func ncsOperators() -> [NCSOperator] {
    guard let table = tables["_struct_ncs_oper"] else { return [] }
    return (0..<table.rowCount).map { row in
      NCSOperator(
        transform: Self.transform(table, row), isGiven: table.text(row, "code")?.lowercased() != "generate")
    }
  }

  /// Returns the transformation to the deposited coordinates; nil if not stated.
  func depositedFrame() -> Transform? {
    guard let table = tables["_database_pdb_matrix"], table.rowCount > 0, table.has("origx[1][1]") else { return nil }
    return Self.transform(table, 0, matrix: "origx", vector: "origx_vector")
  }

  private static func transform(
    _ table: CIFTable, _ row: Int, matrix: String = "matrix", vector: String = "vector"
  ) -> Transform {
    func line(_ line: Int) -> SIMD3<Double> {
      SIMD3(
        table.number(row, "\(matrix)[\(line)][1]") ?? (line == 1 ? 1 : 0),
        table.number(row, "\(matrix)[\(line)][2]") ?? (line == 2 ? 1 : 0),
        table.number(row, "\(matrix)[\(line)][3]") ?? (line == 3 ? 1 : 0))
    }
    func shift(_ axis: Int) -> Double { table.number(row, "\(vector)[\(axis)]") ?? 0 }
    return Transform(
      row0: line(1), row1: line(2), row2: line(3), translation: SIMD3(shift(1), shift(2), shift(3)))
  }

  /// Returns the transformations of an operator expression; nil if it names an unknown operator, or too many.
  ///
  /// Grammar: adjacent factors are multiplied, the right one is applied first; a factor is a bracketed or bare list of
  /// names and number ranges, as in `1`, `1,2,5`, `(1-60)(61-88)`, `P(61-88)`, `(X0)(1-60)`.
  /// - Source: PDBx/mmCIF dictionary, _pdbx_struct_assembly_gen.oper_expression
  static func expand(_ expression: String, _ operators: [String: Transform]) -> [Transform]? {
    var result: [Transform]?
    for factor in factors(expression) {
      var transforms: [Transform] = []
      for name in factor {
        guard let transform = operators[name] else { return nil }
        transforms.append(transform)
      }
      guard let left = result else {
        result = transforms
        continue
      }
      guard left.count * transforms.count <= mostOperators else { return nil }
      result = left.flatMap { outer in transforms.map { outer.after($0) } }
    }
    return result
  }

  /// Returns the factors of an expression, each a list of operator names with expanded ranges.
  private static func factors(_ expression: String) -> [[String]] {
    var factors: [[String]] = []
    var text = ""
    func close() {
      let names = text.split(separator: ",").flatMap { range($0.trimmed()) }
      if !names.isEmpty { factors.append(names) }
      text = ""
    }
    for character in expression {
      switch character {
      case "(", ")": close()
      case "'", "\"", " ", "\n", "\r": break
      default: text.append(character)
      }
    }
    close()
    return factors
  }

  private static func range(_ text: String) -> [String] {
    let ends = text.split(separator: "-")
    guard ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]), first <= last,
      last - first < mostOperators
    else { return text.isEmpty ? [] : [text] }
    return (first...last).map { String($0) }
  }
}
