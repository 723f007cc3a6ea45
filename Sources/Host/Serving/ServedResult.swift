import PluginAPI
import Synchronization

/// Receives the output of a command that a program called: its values as JSON, or each as a notification.
final class ServedResult: CommandOutput {
  /// The form of values.
  enum Form: String, Sendable, CaseIterable {
    /// That of `--json`.
    case json
    /// Values keep their kinds; see ``WireValue``.
    case wire
  }

  /// The wishes of the client.
  struct Presentation: Sendable {
    var form = Form.json
    /// A Boolean value indicating whether each value is sent as it is made.
    var streams = false
    /// A Boolean value indicating whether the client answers questions.
    var answersQuestions = false
  }

  private struct State {
    /// The values as JSON; those of a list in parts without its brackets.
    var pieces: [[UInt8]] = []
    var bytes = 0
    var count = 0
    var lastProgressInSeconds = -Double.infinity
  }

  private let id: Value
  private let client: ServedClient
  private let presentation: Presentation
  private let pictures: PictureResult
  private let isStream: Bool
  private let isListInParts: Bool
  private let finishes: Bool
  private let state = Mutex(State())

  /// Creates the receiver for a call of a command.
  init(
    of declaration: CommandDescription, for request: ServedRequest, _ presentation: Presentation,
    pictures: PictureResult
  ) {
    (id, client, self.presentation, self.pictures) = (request.id, request.client, presentation, pictures)
    isStream = declaration.output.isStream
    isListInParts = declaration.output.isListInParts
    finishes = declaration.finishesWhenInterrupted
  }

  func emit(_ value: Value) async throws {
    if !finishes { try Task.checkCancellation() }
    let value = try formed(value)
    guard !presentation.streams else { return try await send(value) }
    var piece = JSONWriter.bytes(of: value)
    let isPart = isListInParts && presentation.form == .json && piece.first == UInt8(ascii: "[")
    if isPart { piece = Array(piece.dropFirst().dropLast()) }
    let limit = client.limits.resultBytes
    let isTooLarge = state.withLock { state in
      state.count += 1
      state.bytes += piece.count
      if state.bytes > limit {
        state.pieces = []
        return true
      }
      // An empty part adds nothing to the list.
      if !isPart || !piece.isEmpty { state.pieces.append(piece) }
      return false
    }
    if isTooLarge { throw ServeError.resultTooLarge(limit: limit) }
  }

  private func send(_ value: Value) async throws {
    let parameters: Value = ["id": id, "value": value]
    let line = RPCMessage.notification(method: "emit", parameters: parameters).line
    let limit = client.limits.resultBytes
    if line.count > limit { throw ServeError.resultTooLarge(limit: limit) }
    if finishes, Task.isCancelled {
      // The final values of a command that finishes its work must not stop it.
      client.notify("emit", parameters)
    } else {
      try await client.send(line)
    }
    state.withLock { $0.count += 1 }
  }

  /// Returns a value in the form that the client wants.
  private func formed(_ value: Value) throws -> Value {
    switch presentation.form {
    case .wire: WireValue.json(value)
    case .json: try value.picture.map { .record(try pictures.record($0, to: nil, number: 1)) } ?? value
    }
  }

  /// Takes the result as JSON, after the end of the command.
  ///
  /// A large one is joined off the actor of the caller.
  nonisolated(nonsending) func takeJSON() async -> [UInt8] {
    let bytes = state.withLock { $0.bytes }
    return bytes > ServeLimits.quickBytes ? await joinedOffActor() : joined()
  }

  @concurrent private func joinedOffActor() async -> [UInt8] { joined() }

  private func joined() -> [UInt8] {
    state.withLock { state in
      defer { state.pieces = [] }
      if presentation.streams { return Array(#"{"emitted":\#(state.count)}"#.utf8) }
      if !isStream, state.pieces.count <= 1 { return state.pieces.first ?? Array("null".utf8) }
      var json = [UInt8(ascii: "[")]
      json.reserveCapacity(state.bytes + state.pieces.count + 2)
      for (index, piece) in state.pieces.enumerated() {
        if index > 0 { json.append(UInt8(ascii: ",")) }
        json += piece
      }
      json.append(UInt8(ascii: "]"))
      return json
    }
  }

  func report(_ progress: Progress) {
    let now = MonotonicClock.seconds
    let isDue = state.withLock { state in
      guard now - state.lastProgressInSeconds >= client.limits.progressSeconds else { return false }
      state.lastProgressInSeconds = now
      return true
    }
    guard isDue else { return }
    client.notify(
      "progress", ["id": id, "label": .text(progress.label), "fraction": .optional(progress.fraction)])
  }

  func warn(_ diagnostic: Diagnostic) {
    client.notify(
      "warn",
      [
        "id": id, "severity": .text(diagnostic.severity.rawValue), "code": .text(diagnostic.code),
        "message": .text(diagnostic.message), "advice": .optional(diagnostic.advice),
        "line": .optional(diagnostic.line), "column": .optional(diagnostic.column),
      ])
  }

  func request(_ request: CommandRequest) async throws -> Value {
    switch request {
    case .prompt(let prompt):
      guard presentation.answersQuestions else { return nil }
      let answer = try await client.ask(
        "ask",
        [
          "id": id, "title": .text(prompt.title), "secret": .bool(prompt.isSecret), "text": .text(prompt.text),
        ])
      return .optional(answer.text)
    // Standard input carries messages, and there is no keyboard.
    case .inputLine, .key: return nil
    @unknown default: return nil
    }
  }
}
