import Glibc
import Synchronization

/// The log of user actions without their values: rotated, and readable by the user only.
final class InteractionLog: Sendable {
  /// The folder of the files, as an absolute path; `interactions.txt` is the newest, `interactions.1.txt` the one before.
  private let folder: String
  /// The size at which a file is full, in bytes.
  private let limitInBytes: Int
  /// The number of files kept, the newest included.
  private let keptFiles: Int
  private let turn = Mutex(())

  init(folder: String, limitInBytes: Int = 1 << 20, keptFiles: Int = 8) {
    self.folder = folder
    self.limitInBytes = limitInBytes
    self.keptFiles = keptFiles
  }

  /// Writes a line; a failure is ignored, as it must not stop the work.
  func add(_ interaction: Interaction) {
    let bytes = Array((interaction.line + "\n").utf8)
    turn.withLock { _ in
      var descriptor = openNewest()
      var status = stat()
      if fstat(descriptor, &status) == 0, Int(status.st_size) + bytes.count > limitInBytes {
        close(descriptor)
        rotate()
        descriptor = openNewest()
      }
      guard descriptor >= 0 else { return }
      write(descriptor, bytes, bytes.count)
      close(descriptor)
    }
  }

  private func openNewest() -> Int32 {
    open(path(0), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  /// Returns the columns of the newest entries, oldest first; malformed lines are left out.
  func entries(_ most: Int) -> [[String]] {
    turn.withLock { _ in
      var found: [[String]] = []
      for number in 0..<keptFiles where found.count < most {
        let entries = lines(path(number)).map { line in
          line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        found = entries.filter { $0.count == Interaction.columns.count }.suffix(most - found.count) + found
      }
      return found
    }
  }

  private func path(_ number: Int) -> String {
    folder + (number == 0 ? "/interactions.txt" : "/interactions.\(number).txt")
  }

  /// Renames each file to the next number; the oldest one is removed.
  private func rotate() {
    unlink(path(keptFiles - 1))
    for number in stride(from: keptFiles - 2, through: 0, by: -1) { rename(path(number), path(number + 1)) }
  }

  private func lines(_ path: String) -> [Substring] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: limitInBytes)
    var count = 0
    while count < bytes.count {
      let read = bytes.withUnsafeMutableBytes { room in
        Glibc.read(descriptor, room.baseAddress.map { $0 + count }, room.count - count)
      }
      if read <= 0 { break }
      count += read
    }
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
  }
}
