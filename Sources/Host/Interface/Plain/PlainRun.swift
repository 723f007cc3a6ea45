import Glibc
import PluginAPI

/// Runs screens as lines of text, for screen readers, dumb terminals and pipes.
///
/// Prints the outline of the front screen, then reads a line: the number of an item chooses it. Nothing is drawn or
/// overwritten, and no escape sequence is written; the same input lines give the same output lines.
@MainActor enum PlainRun {
  /// Runs until the user leaves or the input ends.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - launch: The screen.
  ///   - setup: The user's keys, unusable plugins.
  ///   - readLine: Returns the next line without its end, nil at the end of the input; called on a thread of its own.
  ///   - readSecret: Returns the next line without showing it, nil at the end; nil if the input is not a terminal.
  ///   - prompts: True if the possible answers are printed before a line is read, which is useful only at a terminal.
  ///   - print: Writes a line.
  ///   - note: Writes a line about work that starts, runs or ends.
  /// - Returns: The exit status.
  static func run(
    session: HostSession, _ launch: ScreenLaunch, setup: Navigator.Setup = Navigator.Setup(),
    readLine: @escaping @Sendable () -> String? = { Swift.readLine() },
    readSecret: (@Sendable () async throws -> String?)? = nil, prompts: Bool = true,
    print: @escaping @MainActor (String) -> Void = { PlainRun.writeLine($0, to: StandardOutput.descriptor) },
    note: @escaping @MainActor (String) -> Void = { PlainRun.writeLine($0, to: STDERR_FILENO) }
  ) async -> Int32 {
    InterfaceRun.remember(launch, in: session)
    let display = HeadlessDisplay(size: ScreenLaunch.Headless.standardSize)
    let navigator = Navigator(session: session, display: display, setup: setup)
    let conversation = PlainConversation(
      navigator: navigator, session: session, prompts: prompts, print: print, note: note)
    navigator.start(launch)
    let reader = PlainReader(readLine)
    await navigator.endingWhenCancelled {
      await conversation.showScreen()
      while navigator.exitStatus == nil {
        let line: String?
        if conversation.asksForSecret, let readSecret {
          line = try? await readSecret()
        } else {
          line = await reader.next()
        }
        guard let line else { break }
        await conversation.take(line)
      }
    }
    navigator.end(status: 0)
    return navigator.exitStatus ?? 0
  }

  /// Returns a function that reads a line which a terminal does not show; nil for other input.
  static func secretReader(isTerminal: Bool) -> (@Sendable () async throws -> String?)? {
    guard isTerminal else { return nil }
    let sink = ByteSink(descriptor: STDERR_FILENO)
    return { try await InputLines.line(isShown: false, sink) }
  }

  /// Writes a line at once.
  private static func writeLine(_ line: String, to descriptor: Int32) {
    // Text that a plugin read from a file may hold sequences that a terminal obeys.
    _ = HostFile.writeAll(Array((StyledTextWriter.harmless(line) + "\n").utf8), to: descriptor)
  }
}

/// Reads lines on a thread of its own, one when asked for.
@MainActor final class PlainReader {
  private let readLine: @Sendable () -> String?
  private let queue = WorkQueue("lines of input")
  private var waiting: CheckedContinuation<String?, Never>?

  init(_ readLine: @escaping @Sendable () -> String?) {
    self.readLine = readLine
  }

  /// Returns the next line; nil at the end, or when the task is canceled.
  func next() async -> String? {
    if Task.isCancelled { return nil }
    let readLine = self.readLine
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting = continuation
        queue.async {
          let line = readLine()
          MainQueue.async { self.answer(line) }
        }
      }
    } onCancel: {
      // The thread may continue to wait for the line.
      MainQueue.async { self.answer(nil) }
    }
  }

  private func answer(_ line: String?) {
    waiting?.resume(returning: line)
    waiting = nil
  }
}
