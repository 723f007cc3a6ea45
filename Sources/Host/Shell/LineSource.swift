import PluginAPI
import Synchronization

/// A reader of the lines that a user types at a prompt.
protocol LineSource: Sendable {
  /// Reads a line; ends soon after the task is canceled.
  ///
  /// - Parameter prompt: The text before it.
  func line(_ prompt: ShellPrompt) async -> TypedLine

  /// Gives up the line that is being typed; safe on every thread.
  func interrupt()

  /// Releases the reader's resources, once no line is being read.
  func close() async
}

/// The outcome of reading a line.
enum TypedLine: Sendable, Equatable {
  /// A line, without its end.
  case text(String)
  /// The user gave the line up with Ctrl-C; true if nothing is known to have been typed.
  case interrupted(isEmpty: Bool)
  /// The line has more characters than a line may have, and is not complete.
  case tooLong
  /// The user left with Ctrl-D, or the terminal is gone.
  case end
}

/// A reader without keys to edit with: the terminal's own lines.
final class PlainLineReader: LineSource {
  private let streams: StandardStreams
  private let reading = Mutex<Task<String?, any Error>?>(nil)

  init(_ streams: StandardStreams) { self.streams = streams }

  func line(_ prompt: ShellPrompt) async -> TypedLine {
    try? streams.error.write(prompt.plain)
    try? streams.error.flush()
    let task = Task { try await InputLines.line(isShown: true, nil) }
    reading.withLock { $0 = task }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    reading.withLock { $0 = nil }
    if !Task.isCancelled, case .success(let text?) = result { return .text(text) }
    // The line that was begun has no end.
    try? streams.error.write("\n")
    try? streams.error.flush()
    if case .failure = result, !Task.isCancelled { return .interrupted(isEmpty: true) }
    return .end
  }

  func interrupt() { reading.withLock { $0 }?.cancel() }

  func close() async {}
}

/// The text before a line.
struct ShellPrompt: Sendable, Equatable {
  /// The width of prompts, in columns.
  private static let name = "workbench"

  /// The exit status of the last line; 0 if it succeeded.
  var status: Int32 = 0
  /// A Boolean value indicating whether the line continues an unfinished one.
  var continues = false
  /// The escape sequence of the color of a status, and the one that ends it; empty without colors.
  var color = (on: "", off: "")

  /// The prompt as plain text.
  var plain: String { text(mark: "") }

  /// The prompt for the line editor, in which escape sequences are between two marks.
  var marked: String { text(mark: "\u{1}") }

  private func text(mark: String) -> String {
    if continues { return String(repeating: " ", count: Self.name.count - 3) + "...> " }
    if status == 0 { return Self.name + "> " }
    if mark.isEmpty || color.on.isEmpty { return "\(Self.name) [\(status)]> " }
    return "\(Self.name) \(mark)\(color.on)\(mark)[\(status)]\(mark)\(color.off)\(mark)> "
  }

  static func == (first: ShellPrompt, second: ShellPrompt) -> Bool {
    (first.status, first.continues) == (second.status, second.continues) && first.color == second.color
  }
}
