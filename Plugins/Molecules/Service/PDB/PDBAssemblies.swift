import PluginText

/// Collects biological assemblies from REMARK 350.
///
/// - Source: Contents Guide 3.30, REMARK 350.
struct PDBAssemblies {
  private struct Part {
    var chains: [String]
    var rows = PDBTransformRows()
  }

  private var ids: [String] = []
  private var authorDetails: [String?] = []
  private var softwareDetails: [String?] = []
  private var parts: [[Part]] = []
  private var isReadingChains = false

  /// Reads one line of the remark.
  mutating func read(_ line: PDBLine) {
    let text = line.text(11, 80)
    if let rest = text.rest(after: "BIOMOLECULE:") {
      ids.append(rest.split(separator: ",").first.map { $0.trimmed() } ?? "")
      authorDetails.append(nil)
      softwareDetails.append(nil)
      parts.append([])
      isReadingChains = false
    } else if ids.isEmpty {
      return
    } else if let rest = text.rest(after: "APPLY THE FOLLOWING TO CHAINS:") {
      parts[parts.count - 1].append(Part(chains: Self.chains(rest)))
      isReadingChains = true
    } else if text.hasPrefix("BIOMT") {
      readRow(line)
    } else if let rest = text.rest(after: "AND CHAINS:"), isReadingChains {
      addChains(rest)
    } else if let rest = text.rest(after: "AUTHOR DETERMINED BIOLOGICAL UNIT:") {
      authorDetails[authorDetails.count - 1] = rest.lowercased()
    } else if let rest = text.rest(after: "SOFTWARE DETERMINED QUATERNARY STRUCTURE:") {
      softwareDetails[softwareDetails.count - 1] = rest.lowercased()
    } else if isReadingChains, text.contains(","), !text.contains(":") {
      addChains(text)
    }
  }

  private mutating func readRow(_ line: PDBLine) {
    isReadingChains = false
    let assembly = parts.count - 1
    guard assembly >= 0, !parts[assembly].isEmpty else { return }
    parts[assembly][parts[assembly].count - 1].rows.read(line, .assembly)
  }

  private mutating func addChains(_ text: String) {
    let assembly = parts.count - 1
    guard assembly >= 0, !parts[assembly].isEmpty else { return }
    parts[assembly][parts[assembly].count - 1].chains += Self.chains(text)
  }

  private static func chains(_ text: String) -> [String] {
    text.pieces(separatedBy: 44)
  }

  /// Returns the authority that defined an assembly, in the words of mmCIF.
  private func details(_ row: Int) -> String {
    switch (authorDetails[row] != nil, softwareDetails[row] != nil) {
    case (true, true): "author_and_software_defined_assembly"
    case (true, false): "author_defined_assembly"
    case (false, true): "software_defined_assembly"
    case (false, false): ""
    }
  }

  /// Returns the assemblies in file order; parts without an operator are dropped.
  func finished() -> [Assembly] {
    ids.indices.map { row in
      let pieces = parts[row].map {
        AssemblyPart(chains: $0.chains, usesLabels: false, operators: $0.rows.finished().map(\.transform))
      }
      return Assembly(
        id: ids[row], details: details(row), oligomericDetails: authorDetails[row] ?? softwareDetails[row] ?? "",
        parts: pieces.filter { !$0.operators.isEmpty })
    }
  }
}

extension String {
  /// Returns the text after a prefix, trimmed, or nil if the text does not begin with it.
  fileprivate func rest(after prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)).trimmed() : nil
  }
}
