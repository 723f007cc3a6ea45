import PluginAPI
import Synchronization

/// A command that lists ids, and the commands that take them.
///
/// Parameters declare the command that lists their values (`completed(by:)`), so that the host follows an id without
/// knowing any plugin.
struct IDList {
  /// A parameter that takes the ids.
  struct Taker {
    /// The command's name as a method.
    var method: String
    var parameter: String
  }

  /// The command, which only reads and needs no arguments.
  let entry: CommandEntry
  /// The declaration of the columns with ids.
  let completion: Parameter.Completion
  /// The commands that take the ids, in their order.
  private(set) var takers: [Taker]

  /// Returns the lists that parameters of commands name.
  ///
  /// - Parameters:
  ///   - entries: The commands that may take ids.
  ///   - find: Returns the command of a plugin with a method; nil if it may not be used.
  static func lists(of entries: [CommandEntry], find: (String) -> CommandEntry?) -> [IDList] {
    var lists: [IDList] = []
    for entry in entries {
      guard case .plugin(let plugin) = entry.owner else { continue }
      for parameter in entry.declaration.arguments + entry.declaration.options {
        guard let completion = parameter.completion else { continue }
        let taker = Taker(method: entry.method, parameter: parameter.name)
        let method = plugin + "." + completion.command.split(separator: " ").joined(separator: "-")
        if let index = lists.firstIndex(where: { $0.entry.method == method && $0.completion == completion }) {
          lists[index].takers.append(taker)
        } else if let source = find(method), source.declaration.effects.isSubset(of: [.reads]),
          !source.declaration.arguments.contains(where: \.isRequired)
        {
          lists.append(IDList(entry: source, completion: completion, takers: [taker]))
        }
      }
    }
    return lists
  }
}

/// Receives the rows of a list and keeps those that have an id.
final class LinkedRows: CommandOutput {
  private struct State {
    var reader = RowReader()
    var rows: [Value] = []
    var count = 0
  }

  /// The most rows that are kept.
  static let mostRows = 20
  /// The bytes of the longest text that is searched for words.
  private static let longestText = 4096

  private let list: IDList
  private let forms: Set<String>
  private let state = Mutex(State())

  /// Creates a receiver.
  ///
  /// - Parameter forms: The forms of the id, in small letters.
  init(_ list: IDList, forms: Set<String>) { (self.list, self.forms) = (list, forms) }

  func emit(_ value: Value) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      guard let rows = state.reader.rows(of: value, schema: list.entry.declaration.output.schema) else { return }
      let names = rows.columns.map(\.name)
      for index in 0..<rows.count {
        let row = rows.row(index)
        guard let column = names.indices.first(where: { matches(row[$0], names[$0]) }) else { continue }
        state.count += 1
        if state.rows.count < Self.mostRows { state.rows.append(found(row, names, field: names[column])) }
      }
    }
  }

  func report(_ progress: Progress) {}
  func warn(_ diagnostic: Diagnostic) {}

  /// The rows that have the id: its value for commands, a line about it, and the field that matches.
  var rows: [Value] { state.withLock { $0.rows } }

  /// The number of rows that have the id, also of those that are not kept.
  var count: Int { state.withLock { $0.count } }

  private func found(_ row: [Value], _ names: [String], field: String) -> Value {
    func cell(_ name: String) -> Value { names.firstIndex(of: name).map { row[$0] } ?? .null }
    var found: Record = ["id": cell(list.completion.column), "field": .text(field)]
    if let summary = list.completion.summaryColumn, summary != field { found["title"] = cell(summary) }
    return .record(found)
  }

  /// Returns true if a cell is the id, or has it among its words; numbers are ids only where they are declared as such.
  private func matches(_ value: Value, _ column: String) -> Bool {
    let isID = column == list.completion.column || list.completion.otherColumns.contains(column)
    if isID, let number = value.integer { return forms.contains(String(number)) }
    if let elements = value.list { return elements.contains { matches($0, column) } }
    guard let text = value.text, text.utf8.count <= Self.longestText else { return false }
    let lowercased = text.lowercased()
    if forms.contains(lowercased) { return true }
    // Words of titles are not ids.
    if isID || column == list.completion.summaryColumn { return false }
    return lowercased.split { $0 == " " || $0 == "," || $0 == ";" }.contains { forms.contains(String($0)) }
  }
}
