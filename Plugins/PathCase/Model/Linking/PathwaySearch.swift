import PluginText

/// Finds pathways by their names and participants, as the user types.
///
/// Every word of the query must match a name, id, synonym, EC number or gene; better matches come first.
struct PathwaySearch: Sendable {
  /// The kind of text that matched.
  enum Kind: Int, Sendable, CaseIterable {
    case pathway, pathwaySynonym, metabolite, gene, synonym, process, enzyme
  }

  /// A pathway, and the reason why it matches.
  struct Hit: Sendable, Hashable {
    /// The pathway, by index.
    var pathway: Int
    var kind: Kind
    /// The text that matched; a synonym, gene or EC number is followed by the name of its owner.
    var reason: String
    /// The id of the matching metabolite or process, if the match is in the pathway's contents.
    var subject: Identifier?
  }

  /// A text that may match, and the pathways that it leads to.
  private struct Entry: Sendable {
    var kind: Kind
    var folded: [UInt8]
    var reason: String
    var subject: Identifier?
    var pathways: [Int]
  }

  /// The maximum number of bytes of a text that are searched.
  private static let longest = 1000
  private var entries: [Entry] = []
  private let pathwayCount: Int

  init(_ database: MetabolicDatabase) {
    pathwayCount = database.pathways.count
    for (index, pathway) in database.pathways.enumerated() {
      add(.pathway, pathway.name, nil, [index])
      add(.pathway, pathway.id.text, nil, [index])
      for synonym in pathway.synonyms { add(.pathwaySynonym, synonym, nil, [index]) }
    }
    addMetabolites(of: database)
    for (index, process) in database.processes.enumerated() {
      let pathways = Array(database.links.pathwaysOfProcesses[index])
      add(.process, process.name, process.id, pathways)
      if let enzyme = process.enzyme {
        add(
          .enzyme, enzyme, process.id, pathways,
          reason: "\(SanitizedText.line(enzyme)) \(SanitizedText.line(process.name))")
      }
      for gene in process.genes {
        add(
          .gene, gene, process.id, pathways, reason: "\(SanitizedText.line(gene)): \(SanitizedText.line(process.name))")
      }
    }
  }

  private mutating func addMetabolites(of database: MetabolicDatabase) {
    for (index, metabolite) in database.metabolites.enumerated() {
      let sorted = database.pathways(ofPools: database.links.poolsOfMetabolites[index]).sorted()
      add(.metabolite, metabolite.name, metabolite.id, sorted)
      for synonym in metabolite.synonyms {
        let reason = "\(SanitizedText.line(synonym)) = \(SanitizedText.line(metabolite.name))"
        add(.synonym, synonym, metabolite.id, sorted, reason: reason)
      }
    }
  }

  private mutating func add(
    _ kind: Kind, _ text: String, _ subject: Identifier?, _ pathways: [Int], reason: String? = nil
  ) {
    if pathways.isEmpty { return }
    entries.append(
      Entry(
        kind: kind, folded: FoldedText.typed(text, limit: Self.longest), reason: reason ?? SanitizedText.line(text),
        subject: subject, pathways: pathways))
  }

  /// Returns the pathways that match a text, best first; empty for a text without words.
  func hits(_ text: String) -> [Hit] {
    let whole = text.split(separator: " ").joined(separator: " ")
    if whole.isEmpty { return [] }
    var best = found(FoldedText.typed(whole, limit: Self.longest))
    let terms = whole.split(separator: " ").map { FoldedText.typed(String($0), limit: Self.longest) }
    if terms.count > 1 { addHits(of: terms, to: &best) }
    return best.indices.compactMap { index in best[index].map { (index, $0) } }
      .sorted { ($0.1.rank, $0.0) < ($1.1.rank, $1.0) }
      .map { index, match in
        let entry = entries[match.entry]
        return Hit(pathway: index, kind: entry.kind, reason: entry.reason, subject: entry.subject)
      }
  }

  private struct Match {
    var rank: Int
    var entry: Int
  }

  /// Adds the pathways that contain each of several terms in different entries; they rank below the others.
  private func addHits(of terms: [[UInt8]], to best: inout [Match?]) {
    let each = terms.map(found)
    for pathway in best.indices where best[pathway] == nil {
      let matches = each.compactMap { $0[pathway] }
      guard matches.count == terms.count, let worst = matches.max(by: { $0.rank < $1.rank }) else { continue }
      best[pathway] = Match(rank: 100 + matches.reduce(0) { $0 + $1.rank }, entry: worst.entry)
    }
  }

  /// Returns the best match of each pathway.
  private func found(_ pattern: [UInt8]) -> [Match?] {
    var best = [Match?](repeating: nil, count: pathwayCount)
    for (number, entry) in entries.enumerated() {
      guard let fit = Self.fit(pattern, entry.folded) else { continue }
      let rank = entry.kind.rawValue * 4 + fit
      for pathway in entry.pathways where rank < best[pathway]?.rank ?? .max {
        best[pathway] = Match(rank: rank, entry: number)
      }
    }
    return best
  }

  /// Returns the rank of a match: 0 if equal, 1 at the start, 2 at the start of a word, 3 elsewhere; nil without a
  /// match.
  private static func fit(_ pattern: [UInt8], _ text: [UInt8]) -> Int? {
    if pattern.isEmpty { return nil }
    var result: Int?
    var remaining = text[...]
    while let start = ByteSearch.firstIndex(of: pattern, in: remaining) {
      if start == 0 { return pattern.count == text.count ? 0 : 1 }
      if !isWordByte(text[start - 1]) { return 2 }
      result = 3
      remaining = text[(start + 1)...]
    }
    return result
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
