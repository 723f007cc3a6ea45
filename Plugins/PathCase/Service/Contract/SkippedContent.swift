/// Counts the unknown contents of a document, by name.
struct SkippedContent {
  /// The maximum number of names kept; others are only counted.
  private static let keptNames = 8

  private(set) var count = 0
  private var names: [Identifier: (count: Int, line: Int)] = [:]
  private var kind: String

  /// - Parameter kind: The kind of contents, for the message: `elements`.
  init(_ kind: String) { self.kind = kind }

  /// - Complexity: Constant, however much there is.
  mutating func note(_ name: Identifier, line: Int) {
    count += 1
    if let known = names[name] {
      names[name] = (known.count + 1, known.line)
    } else if names.count < Self.keptNames {
      names[name] = (1, line)
    }
  }

  /// Returns the warning; nil if there were no unknown contents.
  func issue(in document: String) -> RecordIssue? {
    if count == 0 { return nil }
    let listed = names.sorted { ($0.value.line, $0.key) < ($1.value.line, $1.key) }
      .map { "'\($0.key)' (\($0.value.count) from line \($0.value.line) on)" }
    let remaining = count - names.values.reduce(0) { $0 + $1.count }
    let text = listed.joined(separator: ", ") + (remaining > 0 ? " and \(remaining) others" : "")
    return RecordIssue(code: .unknownContent, message: "'\(document)' has unknown \(kind): \(text)")
  }
}
