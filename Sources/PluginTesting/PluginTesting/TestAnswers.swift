public import PluginAPI
internal import Synchronization

/// The simulated user of a command under test: it answers questions and provides standard input.
///
/// ```swift
/// plugin.answers.say("wonderland")
/// _ = try await plugin.run(line: "login https://lab.example.org --user alice")
/// #expect(plugin.answers.questions.map(\.isSecret) == [true])
/// ```
public final class TestAnswers: Sendable {
  private struct State {
    var waiting: [String] = []
    var questions: [PromptRequest] = []
    var input: String?
    var pressesKeys = false
  }

  private let state = Mutex(State())

  /// Creates a user who answers nothing.
  public init() {}

  /// Queues answers to the next questions, in order; questions beyond them are dismissed.
  public func say(_ answers: String...) { state.withLock { $0.waiting += answers } }

  /// The line that every command reads from standard input; nil for none.
  public var inputLine: String? {
    get { state.withLock { $0.input } }
    set { state.withLock { $0.input = newValue } }
  }

  /// A Boolean value indicating whether a key is pressed as soon as a command waits for one; false for no keyboard.
  public var pressesKeys: Bool {
    get { state.withLock { $0.pressesKeys } }
    set { state.withLock { $0.pressesKeys = newValue } }
  }

  /// The questions asked so far.
  public var questions: [PromptRequest] { state.withLock { $0.questions } }

  /// Answers a question.
  func answer(_ request: PromptRequest) -> String? {
    state.withLock { state in
      state.questions.append(request)
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
  }
}
