import PluginAPI

/// Renders the result of `info`: a heading, header data, counts, and problems.
struct InfoRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.info }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    let file = value["file"].text?.split(separator: "/").last.map(String.init)
    page.heading(value["title"].text ?? value["code"].text ?? file ?? "molecule")
    if request.detail == .summary { return page.text }
    page.field("Code", value["code"].text)
    page.field("Number", value["id"].integer.map(String.init))
    page.field("Method", value["method"].text)
    page.field("Resolution", value["resolution"].number.map { "\(FieldPage.number($0)) Å" })
    page.field("Format", value["format"].text)
    page.field("Class", value["metadata"]["classification"].text)
    page.field("Deposited", value["metadata"]["deposited"].text)
    page.field("Compounds", names(value["metadata"]["compounds"]))
    page.field("Source", value["metadata"]["source"].text)
    page.field("Authors", joined(value["metadata"]["authors"]))
    page.field("Journal", journal(value["metadata"]))
    addCounts(value, to: &page)
    addCrystal(value, to: &page)
    addDiagnostics(value, to: &page, all: request.detail == .full)
    return page.text
  }

  private func addCounts(_ value: Value, to page: inout FieldPage) {
    page.gap()
    let counts = [
      ("models", "Models"), ("chains", "Chains"), ("residues", "Residues"), ("waters", "Waters"), ("atoms", "Atoms"),
      ("atomsAllModels", "Atoms in all models"), ("heteroAtoms", "Hetero atoms"),
      ("altlocAtoms", "Alternate atoms"), ("insertionCodeResidues", "Inserted residues"),
      ("anisotropicAtoms", "Anisotropic atoms"), ("helices", "Helices"), ("sheets", "Sheets"), ("strands", "Strands"),
    ]
    let always: Set<String> = ["models", "chains", "residues", "atoms"]
    for (key, label) in counts {
      guard let count = value[key].integer, count > 0 || always.contains(key) else { continue }
      if key == "atomsAllModels", count == value["atoms"].integer { continue }
      page.field(label, "\(count)")
    }
    page.field("Elements", pairs(value["elements"]))
    page.field("Bonds", value["bonds"].integer.map { "\($0)" + origins(value["bondsByOrigin"]) })
  }

  private func addCrystal(_ value: Value, to page: inout FieldPage) {
    let cell = ["a", "b", "c", "alpha", "beta", "gamma"].compactMap { value["cell"][$0].number }
    page.field("Space group", value["spaceGroup"].text)
    page.field("Cell", cell.count == 6 ? cell.map(FieldPage.number).joined(separator: "  ") : nil)
    let assemblies = (value["assemblies"].list ?? []).map {
      "\($0["name"].text ?? "") (\($0["operators"].integer ?? 0) operators)"
    }
    page.field("Assemblies", assemblies.joined(separator: ", "))
    let sequences = (value["metadata"]["sequence"].list ?? []).map {
      "\($0["chain"].text ?? "") (\($0["length"].integer ?? 0))"
    }
    page.field("Sequences", sequences.joined(separator: ", "))
  }

  private func addDiagnostics(_ value: Value, to page: inout FieldPage, all: Bool) {
    let diagnostics = value["diagnostics"].list ?? []
    if diagnostics.isEmpty { return }
    let file = value["file"].text
    page.gap()
    for diagnostic in all ? diagnostics[...] : diagnostics.prefix(10) { page.diagnostic(diagnostic, file: file) }
    if !all, diagnostics.count > 10 { page.note("\(diagnostics.count - 10) more; list them with '--json'") }
  }

  private func journal(_ metadata: Value) -> String {
    [metadata["journalTitle"].text, metadata["journalReference"].text, metadata["doi"].text.map { "doi:" + $0 }]
      .compactMap { text in text.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 } }.filter { !$0.isEmpty }
      .joined(separator: ". ")
  }

  private func names(_ compounds: Value) -> String {
    (compounds.list ?? []).compactMap { $0["name"].text }.filter { !$0.isEmpty }.joined(separator: "; ")
  }

  private func joined(_ list: Value) -> String {
    (list.list ?? []).compactMap(\.text).joined(separator: ", ")
  }

  private func pairs(_ record: Value) -> String {
    (record.record?.fields ?? []).map { "\($0.name) \($0.value.integer ?? 0)" }.joined(separator: ", ")
  }

  private func origins(_ record: Value) -> String {
    let parts = (record.record?.fields ?? []).filter { ($0.value.integer ?? 0) > 0 }
    return parts.isEmpty ? "" : " (" + parts.map { "\($0.name) \($0.value.integer ?? 0)" }.joined(separator: ", ") + ")"
  }
}

/// Renders the result of `import`: one line per molecule, followed by the problems in its file.
struct ImportRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.importReport }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    for molecule in value.list ?? [] {
      page.heading("\(molecule["id"].integer ?? 0)  \(MoleculeLine.name(molecule))")
      let state = molecule["wasKnown"].bool == true ? "read again from" : "imported from"
      page.note("   \(state) \(molecule["file"].text ?? ""): \(MoleculeLine.counts(molecule))")
      let diagnostics = molecule["diagnostics"].list ?? []
      for diagnostic in diagnostics.prefix(5) { page.diagnostic(diagnostic, file: molecule["file"].text) }
      if diagnostics.count > 5 {
        page.note("   \(diagnostics.count - 5) more; list them with 'workbench molecules info'")
      }
    }
    return page.text
  }
}

/// Renders the results of `delete` and `open`.
struct DoneRenderer: TextRenderer {
  let typeName: String
  /// The verb before the molecule's name.
  let verb: String

  static let deletion = DoneRenderer(typeName: MoleculeValueType.deletion, verb: "Deleted")
  static let opened = DoneRenderer(typeName: MoleculeValueType.opened, verb: "Shown next:")

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    text.add(.init("\(verb) \(value["id"].integer ?? 0)  \(MoleculeLine.name(value))"))
    return text
  }
}

/// Renders sequences in numbered lines with groups of ten letters.
struct SequenceRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.sequences }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    guard let table = value.table else { return StyledText() }
    var text = StyledText()
    for index in 0..<table.rowCount {
      let row = Value.record(table.row(index))
      if index > 0 { text.add(.init("")) }
      let origin = row["origin"].text == ChainSequence.Origin.coordinates.rawValue ? ", from coordinates" : ""
      text.add(.init("Chain \(row["chain"].text ?? "")", .heading), .init("  \(row["length"].integer ?? 0)\(origin)"))
      LetterLines.add(Array((row["letters"].text ?? "").utf8), to: &text, width: request.width)
    }
    return text
  }
}

/// Lines of letters in groups of ten, preceded by the number of the first one.
enum LetterLines {
  /// Adds letters in as many lines of at most a width as needed.
  static func add(_ letters: [UInt8], to text: inout StyledText, width: Int) {
    let groups = max(1, (width - 8) / 11)
    for start in stride(from: 0, to: letters.count, by: 10 * groups) {
      let end = min(start + 10 * groups, letters.count)
      let parts = stride(from: start, to: end, by: 10).map {
        String(decoding: letters[$0..<min($0 + 10, end)], as: UTF8.self)
      }
      let number = TextWidth.padded("\(start + 1)", to: 6, right: true)
      text.add(.init(number + "  ", .secondary), .init(parts.joined(separator: " ")))
    }
  }
}

/// Parts of lines about a molecule's value.
enum MoleculeLine {
  /// Returns code and title; the code first, since long titles are truncated and entries are known by their codes.
  static func name(_ value: Value) -> String {
    let (code, title) = (value["code"].text ?? "", value["title"].text ?? "")
    return (code == title ? [code] : [code, title]).filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// Returns the counts in words.
  static func counts(_ value: Value) -> String {
    let parts = ["models", "chains", "residues", "atoms", "bonds"].compactMap { key in
      value[key].integer.map { "\($0) \($0 == 1 ? String(key.dropLast()) : key)" }
    }
    return parts.joined(separator: ", ")
  }
}

/// Renders the result of `page`: title, address, abstract, and the web page with its links if it was read.
struct PageRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.page }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    let (code, title) = (value["code"].text ?? "", value["title"].text ?? "")
    page.heading([code, title].filter { !$0.isEmpty }.joined(separator: " "))
    page.note(value["address"].text ?? "")
    if let abstract = value["abstract"].text {
      page.gap()
      page.lines(abstract)
    }
    if let text = value["text"].text {
      page.gap()
      page.lines(text)
      let links = value["links"].list ?? []
      if !links.isEmpty { page.gap() }
      for link in links { page.note("[\(link["number"].integer ?? 0)] \(link["address"].text ?? "")") }
    }
    return page.text
  }
}

extension FieldPage {
  /// Adds a text of several lines, each wrapped.
  mutating func lines(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { paragraph(String(line)) }
  }
}
