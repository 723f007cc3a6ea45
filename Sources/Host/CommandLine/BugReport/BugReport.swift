import PluginAPI

/// Facts about an installation, for finding the cause of a fault.
struct BugReport: Sendable, Equatable {
  /// A part of the report.
  struct Section: Sendable, Equatable {
    /// The heading.
    var title: String
    /// The lines, without secrets and personal data.
    var lines: [String]
  }

  /// The parts, most general first.
  var sections: [Section]

  /// The shape of ``value``.
  static let schema = ValueSchema.record([
    .init(
      "sections",
      .list(.record([.init("title", .text, "Heading"), .init("lines", .list(.text), "Facts, one per line")])))
  ])

  /// The report as a record.
  var value: Value {
    [
      "sections": .list(
        sections.map { ["title": .text($0.title), "lines": .list($0.lines.map(Value.text))] })
    ]
  }

  /// The report as text, as it is written to a file.
  var text: String { Self.text(of: value).plainText + "\n" }

  /// Returns a report's record as text, a heading for each section.
  static func text(of report: Value) -> StyledText {
    var text = StyledText()
    for section in report["sections"].list ?? [] {
      if !text.lines.isEmpty { text.add(.init("")) }
      text.add(.init(section["title"].text ?? "", .heading))
      let lines = (section["lines"].list ?? []).compactMap(\.text)
      for line in lines.isEmpty ? ["none"] : lines { text.add(.init("  " + line)) }
    }
    return text
  }
}
