import PluginAPI

/// Renders the result of `info`: a heading, header data, counts, and problems.
struct InfoRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.info }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    let info = ModelRecord<MoleculeInfo>(value)
    let header = info[\.header]
    var page = FieldPage(request)
    let (title, code) = (info[\.header.metadata.title.nonEmpty], info[\.header.metadata.entryID.nonEmpty])
    page.heading(title ?? code ?? info[\.molecule.file].split(separator: "/").last.map(String.init) ?? "molecule")
    if request.detail == .summary { return page.text }
    page.field("Code", code)
    page.field("Number", info[\.molecule.id].map(String.init))
    page.field("Method", info[\.header.metadata.method.nonEmpty])
    page.field("Resolution", info[\.header.metadata.resolution].map { "\(FieldPage.number($0)) Å" })
    page.field("Format", info[\.molecule.format])
    page.field("Class", header[\.metadata.classification.nonEmpty])
    page.field("Deposited", header[\.metadata.depositionDate.nonEmpty])
    page.field("Compounds", header[\.metadata.compounds].compactMap { $0[\.name].nonEmpty }.joined(separator: "; "))
    page.field("Source", header[\.source.nonEmpty])
    page.field("Authors", header[\.metadata.authors].joined(separator: ", "))
    page.field("Journal", journal(header))
    addCounts(info, to: &page)
    addCrystal(info, to: &page)
    addDiagnostics(info, to: &page, all: request.detail == .full)
    return page.text
  }

  private func addCounts(_ info: ModelRecord<MoleculeInfo>, to page: inout FieldPage) {
    page.gap()
    let counts: [(KeyPath<MoleculeInfo, Int>, String)] = [
      (\.counts.models, "Models"), (\.counts.chains, "Chains"), (\.counts.residues, "Residues"),
      (\.counts.waters, "Waters"), (\.counts.atoms, "Atoms"), (\.counts.atomsInAllModels, "Atoms in all models"),
      (\.counts.heteroAtoms, "Hetero atoms"), (\.counts.atomsWithAltloc, "Alternate atoms"),
      (\.counts.residuesWithInsertionCode, "Inserted residues"), (\.counts.anisotropicAtoms, "Anisotropic atoms"),
      (\.counts.helices, "Helices"), (\.counts.sheets, "Sheets"), (\.counts.strands, "Strands"),
    ]
    let always: Set<KeyPath<MoleculeInfo, Int>> = [
      \.counts.models, \.counts.chains, \.counts.residues, \.counts.atoms,
    ]
    for (property, label) in counts {
      let count = info[property]
      guard count > 0 || always.contains(property) else { continue }
      if property == \.counts.atomsInAllModels, count == info[\.counts.atoms] { continue }
      page.field(label, "\(count)")
    }
    page.field("Elements", CountText.joined(info[\.counts.elements]))
    page.field("Bonds", "\(info[\.bonds.total])" + origins(info[\.bonds]))
  }

  private func addCrystal(_ info: ModelRecord<MoleculeInfo>, to page: inout FieldPage) {
    let properties: [KeyPath<UnitCell, Double>] = [\.a, \.b, \.c, \.alpha, \.beta, \.gamma]
    let cell = info[\.header.metadata.cell].map { cell in properties.compactMap { cell[$0] } } ?? []
    page.field("Space group", info[\.header.metadata.spaceGroup.nonEmpty])
    page.field("Cell", cell.count == 6 ? cell.map(FieldPage.number).joined(separator: "  ") : nil)
    let assemblies = info[\.molecule.structure.assemblies].map { "\($0[\.id]) (\($0[\.operatorCount]) operators)" }
    page.field("Assemblies", assemblies.joined(separator: ", "))
    let sequences = info[\.header][\.sequences].map { "\($0[\.chain]) (\($0[\.count]))" }
    page.field("Sequences", sequences.joined(separator: ", "))
  }

  private func addDiagnostics(_ info: ModelRecord<MoleculeInfo>, to page: inout FieldPage, all: Bool) {
    let diagnostics = info[\.molecule.structure.diagnostics]
    if diagnostics.isEmpty { return }
    let file = info[\.molecule.file].nonEmpty
    page.gap()
    for diagnostic in all ? diagnostics[...] : diagnostics.prefix(10) { page.diagnostic(diagnostic.value, file: file) }
    if !all, diagnostics.count > 10 { page.note("\(diagnostics.count - 10) more; list them with '--json'") }
  }

  private func journal(_ header: ModelRecord<MoleculeInfo.Header>) -> String {
    let (title, reference) = (
      header[\.metadata.citation.title.nonEmpty], header[\.metadata.citation.reference.nonEmpty]
    )
    return [title, reference, header[\.metadata.citation.doi.nonEmpty].map { "doi:" + $0 }]
      .compactMap { text in text.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 } }.filter { !$0.isEmpty }
      .joined(separator: ". ")
  }

  /// Returns the counts by origin in parentheses; the origins are the names of the record's fields.
  private func origins(_ counts: ModelRecord<MoleculeInfo.BondCounts>) -> String {
    let parts = (counts.value.record?.fields ?? []).map { ($0.name, $0.value.integer ?? 0) }.filter { $0.1 > 0 }
    return parts.isEmpty ? "" : " (" + parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ") + ")"
  }
}

/// Counts by name in words.
enum CountText {
  /// Returns the counts in order of their names, as in `C 202, N 55`.
  static func joined(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}

/// Renders the result of `import`: one line per molecule, followed by the problems in its file.
struct ImportRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.importReport }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    for molecule in ModelRecord<ImportedMolecule>.list(value) {
      let (code, title) = (molecule[\.molecule.structure.metadata.entryID], molecule[\.molecule.displayTitle])
      page.heading("\(molecule[\.id])  \(MoleculeLine.name(code: code, title: title))")
      let (state, file) = (molecule[\.wasKnown] ? "read again from" : "imported from", molecule[\.file])
      page.note("   \(state) \(file): \(MoleculeLine.counts(molecule))")
      let diagnostics = molecule[\.molecule.structure.diagnostics]
      for diagnostic in diagnostics.prefix(5) { page.diagnostic(diagnostic.value, file: file.nonEmpty) }
      if diagnostics.count > 5 {
        page.note("   \(diagnostics.count - 5) more; list them with 'workbench molecules info'")
      }
    }
    return page.text
  }
}

/// Renders the results of `delete` and `open`.
struct DoneRenderer<Done: Model>: TextRenderer {
  /// The verb before the molecule's name.
  let verb: String
  let id: any KeyPath<Done, Int> & Sendable
  let code: any KeyPath<Done, String> & Sendable
  let title: any KeyPath<Done, String> & Sendable

  var typeName: String { Done.typeName }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    let done = ModelRecord<Done>(value)
    var text = StyledText()
    text.add(.init("\(verb) \(done[id])  \(MoleculeLine.name(code: done[code], title: done[title]))"))
    return text
  }
}

extension DoneRenderer<DeletedMolecule> {
  static var deletion: DoneRenderer {
    DoneRenderer(verb: "Deleted", id: \.molecule.id, code: \.molecule.code, title: \.molecule.displayTitle)
  }
}

extension DoneRenderer<MoleculeSummary> {
  static var opened: DoneRenderer { DoneRenderer(verb: "Shown next:", id: \.id, code: \.code, title: \.displayTitle) }
}

/// Renders sequences in numbered lines with groups of ten letters.
struct SequenceRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.sequences }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    for (index, sequence) in ModelRecord<ChainSequence>.list(value).enumerated() {
      if index > 0 { text.add(.init("")) }
      let origin = sequence[\.origin] == .coordinates ? ", from coordinates" : ""
      text.add(.init("Chain \(sequence[\.chain])", .heading), .init("  \(sequence[\.count])\(origin)"))
      LetterLines.add(Array(sequence[\.letters].utf8), to: &text, width: request.width)
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

/// Parts of lines about a molecule.
enum MoleculeLine {
  /// Returns code and title; the code first, since long titles are truncated and entries are known by their codes.
  static func name(code: String, title: String) -> String {
    (code == title ? [code] : [code, title]).filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// Returns the counts in words.
  static func counts(_ molecule: ModelRecord<ImportedMolecule>) -> String {
    let counts: [(KeyPath<ImportedMolecule, Int>, String)] = [
      (\.molecule.counts.models, "model"), (\.molecule.counts.chains, "chain"),
      (\.molecule.counts.residues, "residue"), (\.molecule.counts.atoms, "atom"), (\.molecule.counts.bonds, "bond"),
    ]
    let parts = counts.map { property, noun in "\(molecule[property]) \(noun)\(molecule[property] == 1 ? "" : "s")" }
    return parts.joined(separator: ", ")
  }
}

/// Renders the result of `page`: title, address, abstract, and the web page with its links if it was read.
struct PageRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.page }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    let found = ModelRecord<MoleculePage>(value)
    var page = FieldPage(request)
    page.heading([found[\.code], found[\.title]].filter { !$0.isEmpty }.joined(separator: " "))
    page.note(found[\.address])
    if let abstract = found[\.abstract] {
      page.gap()
      page.lines(abstract)
    }
    if let text = found[\.text] {
      page.gap()
      page.lines(text)
      let links = found[\.links]
      if !links.isEmpty { page.gap() }
      for link in links { page.note("[\(link[\.number])] \(link[\.address])") }
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
