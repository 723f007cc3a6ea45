internal import CHost
import Glibc
import PluginAPI
import Synchronization

/// The process's standard output, separated from text printed by plugins.
enum StandardOutput {
  /// A duplicate of the descriptor 1 the process was started with: results go there, whatever descriptor 1 is now.
  static var descriptor: Int32 { chost_standard_output() }

  private static let printed = Mutex<PrintedText?>(nil)

  /// Returns whether a path names standard output.
  ///
  /// Plugins cannot open it by name, as their descriptor 1 leads to the log.
  static func isNamed(_ path: String) -> Bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path)
  }

  /// Redirects further output to descriptor 1 into the log; once per process.
  static func divert(to log: HostLog) {
    printed.withLock { printed in
      guard printed == nil else { return }
      let descriptor = chost_divert_standard_output()
      guard descriptor >= 0 else {
        return log.write(.error, from: "host", "text printed by plugins may appear in results")
      }
      printed = PrintedText(descriptor, log: log)
    }
  }

  /// Logs the text printed so far, before the process ends.
  static func logRemaining() {
    printed.withLock { $0 }?.logRemaining()
  }
}

/// The text that plugins print, read from a pipe and logged line by line.
private final class PrintedText: Sendable {
  private let descriptor: Int32
  private let log: HostLog
  private let unfinishedLine = Mutex<[UInt8]>([])
  private let source: WorkSource
  /// A longer line is logged in pieces.
  private static let longestLine = 4096
  /// The chunks of 4096 bytes that a pipe holds.
  private static let chunksInPipe = 16

  init(_ descriptor: Int32, log: HostLog) {
    self.descriptor = descriptor
    self.log = log
    source = WorkSource(.readable(descriptor), on: WorkQueue("workbench.printed"))
    source.start { [weak self] in self?.read() }
  }

  func logRemaining() {
    read()
    unfinishedLine.withLock { line in
      if !line.isEmpty { write(line) }
      line = []
    }
  }

  /// Logs the lines that are in the pipe now, at most as many as it holds: a plugin may print without end.
  private func read() {
    unfinishedLine.withLock { line in
      var chunk = [UInt8](repeating: 0, count: 4096)
      for _ in 0..<Self.chunksInPipe {
        let count = Glibc.read(descriptor, &chunk, chunk.count)
        guard count > 0 else { return }
        for byte in chunk[..<count] {
          if byte != UInt8(ascii: "\n") { line.append(byte) }
          guard byte == UInt8(ascii: "\n") || line.count == Self.longestLine else { continue }
          write(line)
          line.removeAll(keepingCapacity: true)
        }
      }
    }
  }

  private func write(_ line: [UInt8]) {
    log.write(.note, from: CrashJournal.latestPlugin ?? "plugins", "printed: " + String(decoding: line, as: UTF8.self))
  }
}
