import PluginAPI

/// Renders the result of `select`.
struct SelectionRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.selection }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    let summary = ModelRecord<SelectionSummary>(value)
    var page = FieldPage(request)
    let (atoms, residues) = (summary[\.atoms], summary[\.residues.count])
    page.heading("\(atoms) \(atoms == 1 ? "atom" : "atoms") of \(residues) \(residues == 1 ? "residue" : "residues")")
    if request.detail == .summary { return page.text }
    page.field("Selection", summary[\.selection])
    page.field("Chains", summary[\.chains].joined(separator: " "))
    for (count, label) in [(summary[\.ligands], "Ligands"), (summary[\.waters], "Waters")] where count > 0 {
      page.field(label, "\(count)")
    }
    page.field("Elements", CountText.joined(summary[\.elements]))
    let center = (summary[\.center?.coordinates] ?? []).map { FixedText.text($0, decimals: 3) }
    page.field("Center", center.isEmpty ? nil : center.joined(separator: "  ") + " Å")
    let labels = summary[\.residues]
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
    let measurement = ModelRecord<Measurement>(value)
    var page = FieldPage(request)
    let unit = measurement[\.unit] == .degree ? "°" : " Å"
    page.heading((measurement[\.value].map { FixedText.text($0, decimals: 3) } ?? "") + unit)
    if request.detail == .summary { return page.text }
    for point in measurement[\.points] {
      let name = point[\.label] ?? "center of \(point[\.atoms]) atoms: \(point[\.selection])"
      let conformers = point[\.conformers]
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
    let report = ModelRecord<SuperpositionReport>(value)
    var page = FieldPage(request)
    let models = report[\.models]
    let origin = models.isEmpty ? "" : " from the mean"
    page.heading("RMSD \(Self.length(report[\.rmsd])) Å\(origin) over \(report[\.atoms]) atoms")
    if request.detail == .summary { return page.text }
    if !models.isEmpty {
      for model in models {
        let (first, mean) = (Self.length(model[\.rmsdToFirst]), Self.length(model[\.rmsdToMean]))
        page.field("Model \(model[\.number])", "\(first) Å from the first, \(mean) Å from the mean")
      }
      return page.text
    }
    if report[\.rejected] > 0 {
      page.field("Rejected", "\(report[\.rejected]) atoms in \(report[\.cycles]) cycles")
    }
    page.field("Identity", report[\.identity].map { FixedText.text($0 * 100, decimals: 1) + " %" })
    let pairs = report[\.pairs]
    page.field("Paired", "\(pairs.count) residues: " + PairedRuns.text(pairs).joined(separator: ", "))
    for (index, row) in (report[\.rotation] ?? []).enumerated() {
      page.field(index == 0 ? "Rotation" : "", Self.numbers(row, decimals: 6))
    }
    page.field("Translation", Self.numbers(report[\.motion?.translation.coordinates] ?? [], decimals: 3))
    return page.text
  }

  private static func length(_ length: Double?) -> String { length.map { FixedText.text($0, decimals: 3) } ?? "" }

  private static func numbers(_ numbers: [Double], decimals: Int) -> String {
    numbers.map { TextWidth.padded(FixedText.text($0, decimals: decimals), to: 11, right: true) }.joined()
  }
}

/// Corresponding residues in list form, with gapless runs as one item.
private enum PairedRuns {
  /// Returns the runs, as `A/MET1-GLY214 with B/MET1-GLY214`.
  static func text(_ pairs: [ModelRecord<PairedResidues>]) -> [String] {
    var runs: [(first: Row, last: Row)] = []
    for row in pairs.lazy.map(Row.init) {
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

    init(_ pair: ModelRecord<PairedResidues>) {
      (firstChain, first) = (pair[\.firstChain], pair[\.first])
      (secondChain, second) = (pair[\.secondChain], pair[\.second])
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
    let chains = ModelRecord<SecondaryStructureReport>(value)[\.chains]?.letters ?? []
    guard !chains.isEmpty else {
      text.add(.init("No residue has a full backbone"))
      return text
    }
    for (index, chain) in chains.enumerated() {
      if index > 0 { text.add(.init("")) }
      let letters = Array(chain.letters.utf8)
      text.add(.init("Chain \(chain.chain)", .heading), .init("  \(letters.count) residues" + Self.shares(letters)))
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
