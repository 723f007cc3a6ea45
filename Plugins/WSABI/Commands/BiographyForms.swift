import PluginAPI
import PluginText

/// A biography that is typed or read from a file, so that it does not appear in a command's arguments.
struct BiographyForms: Sendable {
  private let call: CommandCall

  init(_ call: CommandCall) { self.call = call }

  /// The most bytes of a file: a biography is a page.
  private static let mostBytes = 1 << 20

  /// Returns the texts by the names of their options, in input order; empty if no form is named.
  ///
  /// - Throws: ``StationError/badFormLine(_:_:nearest:)``, ``StationError/formLineWithoutName(_:)``,
  ///   ``StationError/missing(_:)`` without a terminal, ``ExchangeError`` for a file that cannot be read.
  func texts() async throws -> [String: [String]] {
    var texts: [String: [String]] = [:]
    let source = call.text("from")
    if !source.isEmpty { texts = try Self.parse(source == "-" ? try await typedLines() : try Self.lines(of: source)) }
    if call.flag("ask") { texts.merge(try await answers()) { $0 + $1 } }
    return texts
  }

  /// Parses the lines of a form; blank lines and lines that begin with '#' are ignored.
  static func parse(_ lines: [String]) throws(StationError) -> [String: [String]] {
    let names = RecordValue.biography.map(\.name) + RecordValue.lists.map(\.name)
    var texts: [String: [String]] = [:]
    for (index, line) in lines.enumerated() {
      let line = line.trimmed()
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      // Without a colon the whole line may be personal data: no error repeats it.
      guard parts.count == 2 else { throw .formLineWithoutName(index + 1) }
      let name = parts[0].trimmed().lowercased()
      guard names.contains(name) else {
        throw .badFormLine(index + 1, name, nearest: Suggestion.nearest(to: name, in: names))
      }
      texts[name, default: []].append(parts[1].trimmed())
    }
    return texts
  }

  private static func lines(of path: String) throws -> [String] {
    let bytes = try FileReader.open(path) { file in
      guard file.size <= mostBytes else {
        throw ExchangeError.file(path: path, number: 0, reason: "it is larger than a form of 1 MiB")
      }
      return try file.bytes(0..<file.size)
    }
    return String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
  }

  private func typedLines() async throws -> [String] {
    var (lines, count) = ([String](), 0)
    while count <= Self.mostBytes, let line = try await call.inputLine() {
      lines.append(line)
      count += line.utf8.count + 1
    }
    return lines
  }

  private func answers() async throws -> [String: [String]] {
    var texts: [String: [String]] = [:]
    let fields =
      RecordValue.biography.map { ($0.name, $0.summary) } + RecordValue.lists.map { ($0.name, $0.summary) }
    for (name, summary) in fields {
      let title = name.split(separator: "-").joined(separator: " ")
      guard let answer = try await call.ask(PromptRequest("\(title) (\(summary)); empty for nothing")) else {
        throw StationError.missing(name)
      }
      if !answer.isEmpty { texts[name] = [answer] }
    }
    return texts
  }
}
