import Glibc
import PluginAPI
import Synchronization

/// Writes each step of a run as a line of JSON: `{time, event, command, …}`.
final class TraceFile: Sendable {
  private let descriptor: Mutex<Int32>
  private let command: String

  /// Opens the file for one command; lines of several commands follow each other.
  ///
  /// - Throws: ``HostFileError``.
  init(path: String, command: String) throws(HostFileError) {
    descriptor = Mutex(try HostFile.open(path, O_WRONLY | O_CREAT | O_APPEND, mode: HostFile.resultMode))
    self.command = command
  }

  /// Closes the file.
  ///
  /// A command that still emits after its end adds no lines.
  func close() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { Glibc.close(descriptor) }
      descriptor = -1
    }
  }

  /// Adds a line.
  func add(_ event: String, _ details: Record = Record()) {
    var record: Record = ["time": .date(.now), "event": .text(event), "command": .text(command)]
    for field in details.fields { record[field.name] = field.value }
    let bytes = JSONWriter.bytes(of: .record(record)) + [0x0A]
    // One write per line: lines of several processes do not mix. A full device must not stop the command.
    descriptor.withLock { descriptor in
      _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
  }
}
