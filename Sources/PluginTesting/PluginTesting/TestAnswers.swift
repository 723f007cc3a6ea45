public import PluginAPI
internal import Synchronization

/// The person before a command under test: answers its questions and gives its standard input.
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

  /// Creates a person who says nothing.
  public init() {}

  /// Answers the next questions, in order; a question behind them is put away.
  public func say(_ answers: String...) { state.withLock { $0.waiting += answers } }

  /// The line every command finds in its standard input; nil for none.
  public var inputLine: String? {
    get { state.withLock { $0.input } }
    set { state.withLock { $0.input = newValue } }
  }

  /// Whether a key is pressed as soon as a command waits for one; false for a caller without keys.
  public var pressesKeys: Bool {
    get { state.withLock { $0.pressesKeys } }
    set { state.withLock { $0.pressesKeys = newValue } }
  }

  /// What was asked so far.
  public var questions: [PromptRequest] { state.withLock { $0.questions } }

  /// The answer to a question.
  func answer(_ request: PromptRequest) -> String? {
    state.withLock { state in
      state.questions.append(request)
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
  }
}
