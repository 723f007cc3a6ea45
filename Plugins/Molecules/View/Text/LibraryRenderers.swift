import PluginAPI

/// Renders the result of `import`: one line per molecule, followed by the problems in its file.
struct ImportRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.importReport }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    for molecule in value.list ?? [] {
      page.heading("\(molecule["id"].integer ?? 0)  \(MoleculeLine.name(molecule))")
      let state = molecule["wasKnown"].bool == true ? "read anew from" : "imported from"
      page.note("   \(state) \(molecule["file"].text ?? ""): \(MoleculeLine.counts(molecule))")
      let diagnostics = molecule["diagnostics"].list ?? []
      for diagnostic in diagnostics.prefix(5) { page.diagnostic(diagnostic, file: molecule["file"].text) }
      if diagnostics.count > 5 { page.note("   \(diagnostics.count - 5) more: 'info' shows them") }
    }
    return page.text
  }
}

/// Renders the results of `delete` and `open`.
struct DoneRenderer: TextRenderer {
  let typeName: String
  /// The verb before the molecule's name.
  let verb: String

  static let deletion = DoneRenderer(typeName: MoleculeValueType.deletion, verb: "deleted")
  static let opened = DoneRenderer(typeName: MoleculeValueType.opened, verb: "next shown:")

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
  /// Returns code and title.
  static func name(_ value: Value) -> String {
    [value["code"].text ?? "", value["title"].text ?? ""].filter { !$0.isEmpty }.joined(separator: "  ")
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
