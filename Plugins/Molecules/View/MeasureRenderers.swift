import PluginAPI

/// Renders the result of `select`.
struct SelectionRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.selection }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    let (atoms, residues) = (value["atoms"].integer ?? 0, value["residues"].integer ?? 0)
    page.heading("\(atoms) \(atoms == 1 ? "atom" : "atoms") of \(residues) \(residues == 1 ? "residue" : "residues")")
    if request.detail == .summary { return page.text }
    page.field("Selection", value["selection"].text)
    page.field("Chains", (value["chains"].list ?? []).compactMap(\.text).joined(separator: " "))
    for (key, label) in [("ligands", "Ligands"), ("waters", "Waters")] {
      if let count = value[key].integer, count > 0 { page.field(label, "\(count)") }
    }
    let elements = (value["elements"].record?.fields ?? []).map { "\($0.name) \($0.value.integer ?? 0)" }
    page.field("Elements", elements.joined(separator: ", "))
    let center = (value["center"].list ?? []).compactMap(\.number).map { FixedText.text($0, decimals: 3) }
    page.field("Center", center.isEmpty ? nil : center.joined(separator: "  ") + " Å")
    let labels = (value["residueLabels"].list ?? []).compactMap(\.text)
    let shown = request.detail == .full ? labels[...] : labels.prefix(60)
    let more = labels.count - shown.count
    page.field("Residues", shown.joined(separator: " ") + (more > 0 ? " and \(more) more" : ""))
    return page.text
  }
}

/// Renders the result of `measure`, and the measured points.
struct MeasurementRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.measurement }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    let unit = value["unit"].text == "degree" ? "°" : " Å"
    page.heading((value["value"].number.map { FixedText.text($0, decimals: 3) } ?? "") + unit)
    if request.detail == .summary { return page.text }
    for point in value["points"].list ?? [] {
      let atoms = point["atoms"].integer ?? 0
      let name = point["label"].text ?? "center of \(atoms) atoms: \(point["selection"].text ?? "")"
      let conformers = (point["conformers"].list ?? []).compactMap(\.text)
      let title = conformers.count == 1 ? ", conformer " : ", conformers "
      page.note(name + (conformers.isEmpty ? "" : title + conformers.joined(separator: ", ")))
    }
    return page.text
  }
}

/// Renders the result of `superpose`: the RMSD, the corresponding residues, and the transformation.
struct SuperpositionRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.superposition }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    let rmsd = value["rmsd"].number.map { FixedText.text($0, decimals: 3) } ?? ""
    let models = value["models"].table
    let isEnsemble = (models?.rowCount ?? 0) > 0
    let origin = isEnsemble ? " from the mean" : ""
    page.heading("RMSD \(rmsd) Å\(origin) over \(value["atoms"].integer ?? 0) atoms")
    if request.detail == .summary { return page.text }
    if let models, isEnsemble {
      for index in 0..<models.rowCount { addModel(models.row(index), to: &page) }
      return page.text
    }
    if let rejected = value["rejected"].integer, rejected > 0 {
      page.field("Rejected", "\(rejected) atoms in \(value["cycles"].integer ?? 0) cycles")
    }
    page.field("Identity", value["identity"].number.map { FixedText.text($0 * 100, decimals: 1) + " %" })
    if let pairs = value["pairs"].table {
      page.field("Paired", "\(pairs.rowCount) residues: " + PairedRuns.text(pairs).joined(separator: ", "))
    }
    for (index, row) in (value["rotation"].list ?? []).enumerated() {
      page.field(index == 0 ? "Rotation" : "", numbers(row, decimals: 6))
    }
    page.field("Translation", numbers(value["translation"], decimals: 3))
    return page.text
  }

  private func addModel(_ row: Record, to page: inout FieldPage) {
    let value = Value.record(row)
    let first = value["rmsdToFirst"].number.map { FixedText.text($0, decimals: 3) } ?? ""
    let mean = value["rmsdToMean"].number.map { FixedText.text($0, decimals: 3) } ?? ""
    page.field("Model \(value["model"].integer ?? 0)", "\(first) Å from the first, \(mean) Å from the mean")
  }

  private func numbers(_ list: Value, decimals: Int) -> String {
    (list.list ?? []).compactMap(\.number).map {
      TextWidth.padded(FixedText.text($0, decimals: decimals), to: 11, right: true)
    }.joined()
  }
}

/// Corresponding residues in list form, with gapless runs as one item.
private enum PairedRuns {
  /// Returns the runs, as `A/MET1-GLY214 with B/MET1-GLY214`.
  static func text(_ pairs: Table) -> [String] {
    var runs: [(first: Row, last: Row)] = []
    for index in 0..<pairs.rowCount {
      let row = Row(Value.record(pairs.row(index)))
      if let last = runs.last?.last, row.follows(last) {
        runs[runs.count - 1].last = row
      } else {
        runs.append((row, row))
      }
    }
    return runs.map { run in
      let isOne = run.first.first == run.last.first
      let first = "\(run.first.firstChain)/\(run.first.first)" + (isOne ? "" : "-\(run.last.first)")
      let second = "\(run.first.secondChain)/\(run.first.second)" + (isOne ? "" : "-\(run.last.second)")
      return "\(first) with \(second)"
    }
  }

  private struct Row {
    var firstChain: String
    var first: String
    var secondChain: String
    var second: String

    init(_ value: Value) {
      firstChain = value["firstChain"].text ?? ""
      first = value["first"].text ?? ""
      secondChain = value["secondChain"].text ?? ""
      second = value["second"].text ?? ""
    }

    func follows(_ other: Row) -> Bool {
      guard firstChain == other.firstChain, secondChain == other.secondChain else { return false }
      guard let a = Self.number(first), let b = Self.number(other.first), a == b + 1 else { return false }
      guard let c = Self.number(second), let d = Self.number(other.second) else { return false }
      return c == d + 1
    }

    /// Returns the number at the end of a label; nil with an insertion code.
    private static func number(_ label: String) -> Int? {
      let digits = label.reversed().prefix { $0.isASCII && $0.isNumber }
      return Int(String(digits.reversed()))
    }
  }
}

/// Renders secondary structure in numbered lines with groups of ten letters, chain by chain.
struct SecondaryStructureRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.secondaryStructure }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    let chains = value["chains"].record?.fields ?? []
    guard !chains.isEmpty else {
      text.add(.init("No residue has a full backbone"))
      return text
    }
    for (index, chain) in chains.enumerated() {
      if index > 0 { text.add(.init("")) }
      let letters = Array((chain.value.text ?? "").utf8)
      text.add(.init("Chain \(chain.name)", .heading), .init("  \(letters.count) residues" + Self.shares(letters)))
      LetterLines.add(letters, to: &text, width: request.width)
    }
    return text
  }

  /// Returns the fractions of helix and strand in a chain, in words.
  private static func shares(_ letters: [UInt8]) -> String {
    let helix = letters.count { [72, 71, 73].contains($0) }
    let strand = letters.count { $0 == 69 }
    func percent(_ part: Int) -> Int { (part * 100 + letters.count / 2) / max(1, letters.count) }
    return ", helix \(percent(helix)) %, strand \(percent(strand)) %"
  }
}
