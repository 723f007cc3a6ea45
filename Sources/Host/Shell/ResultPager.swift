import Glibc
import PluginAPI
import Synchronization

/// The choice of a pager for long results.
enum PagerChoice: String, Sendable, Hashable, CaseIterable, ParameterValue {
  case auto, never
}

/// Shows the results of a shell's commands, those that are longer than the screen in a pager.
@MainActor final class ResultPager: CommandAttendant {
  private let streams: StandardStreams
  private let interrupts: ShellInterrupts
  private let choice: () -> PagerChoice
  /// The result that is held back now; nil if there is none.
  private var held: HeldResult?

  /// Creates a pager.
  ///
  /// - Parameter choice: Returns the user's setting, which may change while the shell runs.
  init(_ streams: StandardStreams, _ interrupts: ShellInterrupts, choice: @escaping () -> PagerChoice) {
    (self.streams, self.interrupts, self.choice) = (streams, interrupts, choice)
  }

  func attend(
    _ entry: CommandEntry, _ options: GlobalOptions, output: any CommandOutput,
    _ body: (any CommandOutput) async throws -> Void
  ) async throws {
    guard held == nil, choice() == .auto, streams.output.isTerminal, Self.isPaged(entry, options),
      let result = HeldResult(folder: streams.temporaryFolder)
    else { return try await body(output) }
    defer { result.close() }
    try streams.output.redirect(to: result.descriptor, isTerminal: true)
    held = result
    let outcome: Result<Void, any Error>
    do {
      try await body(HeldOutput(output) { [weak self] in try self?.release() })
      outcome = .success(())
    } catch {
      outcome = .failure(error)
    }
    try await show()
    try outcome.get()
  }

  /// Returns true for a command whose result may go to a pager: a finished text that does not command the terminal.
  static func isPaged(_ entry: CommandEntry, _ options: GlobalOptions) -> Bool {
    let declaration = entry.declaration
    return !declaration.output.isStream && !declaration.givesPicture && !entry.runsOthers && !entry.writesOutput
      && !entry.showsScreens && !options.isPlain
  }

  /// Writes the text held back so far, and stops holding text back, because the command asks a question.
  private func release() throws {
    guard let result = held else { return }
    held = nil
    try streams.output.endRedirection()
    try result.copy(to: streams.output)
  }

  private func show() async throws {
    guard let result = held else { return }
    held = nil
    try streams.output.endRedirection()
    let window = Self.window
    if !Task.isCancelled, result.isTaller(than: window), let command = Self.command(streams.environment) {
      interrupts.setPaging(true)
      defer { interrupts.setPaging(false) }
      if await PagerProcess.run(command, input: result.descriptor, environment: streams.environment) { return }
    }
    try result.copy(to: streams.output)
  }

  /// Runs less; without it, `sh` says nothing.
  private static let standard = "command -v less >/dev/null || exit 127; exec less"

  /// Returns the line for the system's shell that starts the pager; nil if the user wants none.
  static func command(_ environment: [String: String]) -> String? {
    guard let pager = environment["PAGER"] else { return standard }
    let trimmed = pager.split(separator: " ").joined(separator: " ")
    return trimmed.isEmpty || trimmed == "cat" ? nil : pager
  }

  private static var window: Size {
    var size = winsize()
    guard ioctl(StandardOutput.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else {
      return Size(width: 80, height: 24)
    }
    return Size(width: max(1, Int(size.ws_col)), height: Int(size.ws_row))
  }
}

/// A receiver that stops holding back a result before its command asks something.
private struct HeldOutput: CommandOutput {
  private let output: any CommandOutput
  private let release: @MainActor @Sendable () throws -> Void

  init(_ output: any CommandOutput, release: @escaping @MainActor @Sendable () throws -> Void) {
    (self.output, self.release) = (output, release)
  }

  func emit(_ value: Value) async throws { try await output.emit(value) }
  func report(_ progress: Progress) { output.report(progress) }
  func warn(_ diagnostic: Diagnostic) { output.warn(diagnostic) }

  func request(_ request: CommandRequest) async throws -> Value {
    try await release()
    return try await output.request(request)
  }
}

/// A result in a file without a name.
struct HeldResult {
  /// The descriptor of the file.
  let descriptor: Int32
  /// A part of it that fills every screen.
  private static let largestScreen = 1 << 20
  private static let chunk = 1 << 16

  /// Creates an empty one; nil if the folder takes no file.
  init?(folder: String) {
    guard let own = try? HostFile.makeTemporaryFolder(under: folder, prefix: "workbench-result-") else { return nil }
    defer { rmdir(own) }
    let path = own + "/result"
    guard let descriptor = try? HostFile.open(path, O_RDWR | O_CREAT | O_EXCL) else { return nil }
    unlink(path)
    self.descriptor = descriptor
  }

  func close() { Glibc.close(descriptor) }

  private var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Returns true if the result takes as many rows as a screen has, one of which is the next prompt's.
  func isTaller(than window: Size) -> Bool {
    let size = size
    if size > Self.largestScreen { return true }
    guard let bytes = try? HostFile.read(descriptor, at: 0, count: size, named: "the result") else { return false }
    return Self.rowCount(bytes, columns: window.width) >= window.height
  }

  /// Returns the number of rows of a text on a terminal.
  static func rowCount(_ bytes: [UInt8], columns: Int) -> Int {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().reduce(0) { count, line in
      let width = TextWidth.columns(withoutColors(line))
      return count + max(1, (width + columns - 1) / max(1, columns))
    }
  }

  /// Returns a line without its escape sequences for colors, which end with an `m`.
  private static func withoutColors(_ line: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    var isEscape = false
    for byte in line {
      if byte == 0x1B { isEscape = true }
      if !isEscape { text.append(byte) }
      if byte == UInt8(ascii: "m") { isEscape = false }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Writes the result to a stream.
  func copy(to sink: ByteSink) throws {
    let size = size
    var offset = 0
    while offset < size {
      let part = try HostFile.read(
        descriptor, at: offset, count: min(Self.chunk, size - offset), named: "the result")
      try sink.write(part)
      offset += part.count
    }
    try sink.flush()
  }
}
