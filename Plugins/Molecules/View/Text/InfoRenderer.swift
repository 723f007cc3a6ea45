import PluginAPI

/// Renders the result of `info`: a heading, header data, counts, and problems.
struct InfoRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.info }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    let title = value["title"].text ?? value["code"].text ?? "molecule"
    page.heading(title)
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
    if !all, diagnostics.count > 10 { page.note("\(diagnostics.count - 10) more are in the --json form") }
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
