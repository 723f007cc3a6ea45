import PluginAPI
import Synchronization

/// Receives the output of a command that an agent called.
final class ToolOutput: CommandOutput {
  /// The part of the output that a tool wants.
  enum Form: Sendable {
    case json
    /// Rows of fields separated by tabs; only these columns, unless the list is empty.
    case rows(ValueSchema, columns: [String])
    case picture
  }

  private struct State {
    var items: [[UInt8]] = []
    var bytes = 0
    var isList = false
    var rows = DelimitedWriter(.tab)
    var picture: Picture?
    var notes: [String] = []
    /// The requested columns that no row has had so far.
    var missingColumns: [String]
    /// The columns of the first rows.
    var knownColumns: [String] = []
    var lastProgress = 0.0
  }

  private static let mostBytes = 64 << 20
  private static let mostNotes = 20
  private static let mostNamedColumns = 50

  private let form: Form
  private let client: ServedClient
  /// The token for progress notifications; null if the agent does not want them.
  private let progressToken: Value
  private let finishes: Bool
  private let state: Mutex<State>

  /// Creates the receiver for a call of a command.
  init(_ form: Form, of declaration: CommandDescription, client: ServedClient, progressToken: Value) {
    (self.form, self.client, self.progressToken) = (form, client, progressToken)
    finishes = declaration.finishesWhenInterrupted
    let columns = if case .rows(_, let columns) = form { columns } else { [String]() }
    state = Mutex(State(missingColumns: columns))
  }

  func emit(_ value: Value) async throws {
    if !finishes { try Task.checkCancellation() }
    let isTooLarge = state.withLock { state in
      switch form {
      case .json: Self.add(value, &state)
      case .rows(let schema, let columns):
        if !state.missingColumns.isEmpty { Self.findColumns(in: ResultRows.table(in: value), &state) }
        state.rows.write(Self.selecting(columns, of: value), schema: schema)
        state.bytes = state.rows.bytes.count
      case .picture: state.picture = value.picture ?? state.picture
      }
      return state.bytes > Self.mostBytes
    }
    if isTooLarge { throw ServeError.resultTooLarge(limit: Self.mostBytes) }
  }

  private static func add(_ value: Value, _ state: inout State) {
    let isList = value.list != nil || value.table != nil
    state.isList = state.isList || isList
    for element in isList ? value.elements : [value] {
      let item = JSONWriter.bytes(of: element)
      state.bytes += item.count
      state.items.append(item)
    }
  }

  private static func findColumns(in rows: Value, _ state: inout State) {
    let names = rows.table?.columns.map(\.name) ?? rows.elements.flatMap { $0.record?.names ?? [] }
    let found = Set(names)
    state.missingColumns.removeAll(where: found.contains)
    if state.knownColumns.isEmpty {
      state.knownColumns = rows.table == nil ? rows.elements.first?.record?.names ?? [] : names
    }
  }

  private static func selecting(_ columns: [String], of value: Value) -> Value {
    if columns.isEmpty { return value }
    let rows = ResultRows.table(in: value)
    if let table = rows.table { return .table(Table(columns: columns.compactMap { table[$0] })) }
    return .list(
      rows.elements.map { element in
        .record(Record(columns.map { Record.Field($0, element[$0]) }))
      })
  }

  func report(_ progress: Progress) {
    guard !progressToken.isNull, let fraction = progress.fraction else { return }
    // Each must be larger than the one before.
    let isDue = state.withLock { state in
      guard fraction - state.lastProgress >= 0.01 else { return false }
      state.lastProgress = fraction
      return true
    }
    guard isDue else { return }
    client.notify(
      "notifications/progress",
      [
        "progressToken": progressToken, "progress": .number(fraction), "total": 1, "message": .text(progress.label),
      ])
  }

  func warn(_ diagnostic: Diagnostic) {
    if diagnostic.severity == .debug { return }
    state.withLock { state in
      guard state.notes.count < Self.mostNotes else { return }
      let advice = diagnostic.advice.map { "; " + $0 } ?? ""
      state.notes.append(diagnostic.severity.rawValue + ": " + diagnostic.message + advice)
    }
  }

  /// Returns the text of the result, after the end of the command.
  ///
  /// A large one is made off the actor of the caller.
  nonisolated(nonsending) func text() async -> ToolText {
    let bytes = state.withLock { $0.bytes }
    return bytes > ServeLimits.quickBytes ? await textOffActor() : joined()
  }

  @concurrent private func textOffActor() async -> ToolText { joined() }

  private func joined() -> ToolText {
    state.withLock { state in
      switch form {
      case .json, .picture:
        return ToolText(state.items, state.isList || state.items.count > 1 ? .list : .whole)
      case .rows:
        let lines = state.rows.bytes.split(separator: UInt8(ascii: "\n")).map { line in
          Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
        return ToolText(Array(lines.dropFirst()), .rows(header: lines.first ?? []))
      }
    }
  }

  /// The last picture; nil if there was none.
  var picture: Picture? { state.withLock { $0.picture } }

  /// Notes and warnings, as text; after the end of the command also one about requested columns that no row has.
  var notes: [String] {
    state.withLock { state in
      if state.knownColumns.isEmpty || state.missingColumns.isEmpty { return state.notes }
      let missing = state.missingColumns.map { "'\($0)'" }.joined(separator: ", ")
      let known = state.knownColumns.prefix(Self.mostNamedColumns).joined(separator: ", ")
      return state.notes + ["warning: there is no column \(missing); there are \(known)"]
    }
  }
}
