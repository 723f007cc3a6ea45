internal import CBenchmark
@preconcurrency import Glibc

/// A terminal without a screen, which runs a program, responds to its queries, and reads its output.
public final class PseudoTerminal {
  /// The process that runs in it.
  public let process: Int32
  private let master: Int32
  /// The end of the output, which may be the beginning of a query.
  private var tail: [UInt8] = []

  /// The queries, and the responses of a terminal with 24-bit colors and synchronized output.
  private static let answers: [(question: String, answer: String)] = [
    ("\u{1B}[5n", "\u{1B}[0n"), ("\u{1B}[6n", "\u{1B}[1;1R"), ("\u{1B}[?6n", "\u{1B}[?1;1R"),
    ("\u{1B}[c", "\u{1B}[?62;22c"), ("\u{1B}[>c", "\u{1B}[>1;4000;0c"), ("\u{1B}[?2026$p", "\u{1B}[?2026;2$y"),
  ]

  /// Starts a program in a terminal of a size.
  ///
  /// - Returns: nil if no terminal is available or the program cannot be started.
  public init?(_ arguments: [String], environment: [String: String], columns: Int, rows: Int) {
    guard let opened = Self.open(columns: columns, rows: rows) else { return nil }
    master = opened.own
    var words = arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    process = cbenchmark_spawn(opened.name, &words, &variables)
    if process < 0 {
      close(master)
      return nil
    }
  }

  deinit { close(master) }

  /// Opens a terminal.
  ///
  /// - Returns: The file descriptor of its own side and the name of the other; nil if there is none to be had.
  public static func open(columns: Int, rows: Int) -> (own: Int32, name: String)? {
    var name = [CChar](repeating: 0, count: 128)
    let own = cbenchmark_open_terminal(Int32(columns), Int32(rows), &name, name.count)
    if own < 0 { return nil }
    return (own, String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// Types into the terminal.
  public func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Reads the program's output within a time, and responds to its queries.
  ///
  /// - Returns: nil if there was no output, or if the program has ended.
  public func read(milliseconds: Double) -> [UInt8]? {
    var poll = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&poll, 1, Int32(max(0, milliseconds.rounded(.up)))) > 0, poll.revents & Int16(POLLIN) != 0
    else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { room, count in
      count = max(0, Glibc.read(master, room.baseAddress, room.count))
    }
    answer(bytes)
    return bytes.isEmpty ? nil : bytes
  }

  /// Reads the output until there is none for a time.
  public func readUntilQuiet(milliseconds: Double, atMost: Double) {
    let end = Timing.milliseconds() + atMost
    while Timing.milliseconds() < end, read(milliseconds: milliseconds) != nil {}
  }

  /// Ends the program and waits for it.
  public func end() {
    kill(process, SIGTERM)
    let deadline = Timing.milliseconds() + 2000
    var status: Int32 = 0
    while Timing.milliseconds() < deadline {
      _ = read(milliseconds: 20)
      if waitpid(process, &status, WNOHANG) != 0 { return }
    }
    kill(process, SIGKILL)
    waitpid(process, &status, 0)
  }

  private func answer(_ bytes: [UInt8]) {
    let seen = tail + bytes
    for (question, answer) in Self.answers {
      let pattern = Array(question.utf8)
      var start = max(0, tail.count - pattern.count + 1)
      while let place = ByteSearch.first(pattern, in: seen, from: start) {
        type(answer)
        start = place + pattern.count
      }
    }
    tail = Array(seen.suffix(16))
  }
}

/// Looks for bytes in bytes.
public enum ByteSearch {
  /// Returns the first index of a pattern at or after an index.
  public static func first(_ pattern: [UInt8], in bytes: [UInt8], from start: Int = 0) -> Int? {
    guard start >= 0, start < bytes.count else { return nil }
    let place = bytes.withUnsafeBytes { buffer in
      cbenchmark_find(buffer.baseAddress.map { $0 + start }, buffer.count - start, pattern, pattern.count)
    }
    return place < 0 ? nil : start + place
  }
}
