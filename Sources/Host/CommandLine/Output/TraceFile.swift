import Glibc
import PluginAPI

/// Writes each step of a run as a line of JSON: `{time, event, command, …}`.
final class TraceFile: Sendable {
  private let descriptor: Int32
  private let command: String

  /// Opens the file for one command; lines of several commands follow each other.
  ///
  /// - Throws: ``HostFileError``.
  init(path: String, command: String) throws(HostFileError) {
    descriptor = try HostFile.open(path, O_WRONLY | O_CREAT | O_APPEND, mode: HostFile.resultMode)
    self.command = command
  }

  deinit { close(descriptor) }

  /// Adds a line.
  func add(_ event: String, _ details: Record = Record()) {
    var record: Record = ["time": .date(.now), "event": .text(event), "command": .text(command)]
    for field in details.fields { record[field.name] = field.value }
    let bytes = JSONWriter.bytes(of: .record(record)) + [0x0A]
    // One write per line: lines of several processes do not mix. A full device must not stop the command.
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }
}
