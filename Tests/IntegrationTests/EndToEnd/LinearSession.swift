import Foundation
import Testing

/// Screens as lines of text on a dumb terminal, read and answered as a person does: by numbers and by names.
final class LinearSession {
  /// The front screen, and what can be done on it.
  struct Shown {
    /// The path to the screen, such as `Molecules > Library`.
    var path = ""
    /// The lines below the path.
    var lines: [String] = []
    /// The numbered items, such as `1. Open it with a key file`.
    var items: [String] = []
    /// The numbered actions, such as `a1 Open`.
    var actions: [String] = []

    /// The text below the path; each line begins after a line feed and ends with one.
    var text: String { "\n" + lines.joined(separator: "\n") + "\n" }

    /// The row that actions apply to; nil if the screen does not say it.
    var selected: String? { lines.last { $0.hasPrefix("selected: ") } }
  }

  /// The last line of the help for a screen.
  private static let end = "b goes back, q quits\n"

  private let process: CommandLineProcess
  /// All that was printed so far.
  private(set) var written = ""
  /// The first part of each path: the name of the plugin.
  private var root: String?

  /// Starts screens.
  ///
  /// - Parameter home: The folder with the settings and stores.
  init(_ words: [String], home: URL) throws {
    process = try CommandLineProcess(words, environment: ["TERM": "dumb", "WORKBENCH_HOME": home.path])
  }

  /// Sends a line.
  func send(_ line: String) { process.write(line + "\n") }

  /// Returns the front screen after its work has ended; a question must not be in front.
  func show() throws -> Shown {
    // An empty line prints the screen, though it may be unchanged.
    send("")
    send("?")
    var new = ""
    while !new.hasSuffix(Self.end) {
      let more = process.readSome()
      written += more
      try #require(!more.isEmpty, "the screens ended: \(written.suffix(1000))")
      new += more
    }
    return try shown(in: new.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
  }

  /// Finds the last screen in lines that end with the help.
  private func shown(in lines: [String]) throws -> Shown {
    if root == nil { root = lines.count > 1 ? lines[1].components(separatedBy: " > ")[0] : nil }
    let root = try #require(root)
    let start = try #require(lines.indices.dropLast().last { lines[$0].isEmpty && lines[$0 + 1].hasPrefix(root) })
    let end = lines[(start + 2)...].firstIndex { line in
      line.hasPrefix("a1 ") || line.hasPrefix(":") || line.hasPrefix("NUMBER chooses an item")
    }
    let (body, help) = (lines[(start + 2)..<(end ?? lines.endIndex)], lines[(end ?? lines.endIndex)...])
    return Shown(
      path: lines[start + 1], lines: Array(body), items: body.filter { Self.number(of: $0, after: "") != nil },
      actions: help.filter { Self.number(of: $0, after: "a") != nil })
  }

  /// Returns the number of `12. Item` or `a12 Action`; nil for another line.
  private static func number(of line: String, after prefix: String) -> Int? {
    guard line.hasPrefix(prefix) else { return nil }
    let digits = line.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
    let rest = line.dropFirst(prefix.count + digits.count)
    return rest.hasPrefix(prefix.isEmpty ? ". " : " ") ? Int(digits) : nil
  }

  /// Sends the number of the first item with a text.
  func choose(_ text: String, on shown: Shown) throws {
    let item = try #require(shown.items.first { $0.contains(text) }, "no item '\(text)': \(shown.text)")
    send(String(item.prefix { $0 != "." }))
  }

  /// Sends the number of an action.
  func perform(_ title: String, on shown: Shown) throws {
    let action = try #require(
      shown.actions.first { $0.hasSuffix(" " + title) && $0.dropFirst().drop(while: \.isNumber) == " " + title },
      "no action '\(title)': \(shown.actions)")
    send(String(action.prefix { $0 != " " }))
  }

  /// Leaves the screens.
  ///
  /// - Returns: The outcome, with all that was printed.
  func quit() throws -> CommandLineProcess.Outcome {
    send("q")
    var outcome = try process.finish()
    outcome.output = written + outcome.output
    return outcome
  }
}
