internal import Glibc

/// Compares a text, such as a screen or a rendered value, with the one that is recorded beside the test.
///
/// ```swift
/// try expectSnapshot(screen.text, named: "stations.txt")
/// ```
/// The record is the file `Snapshots/NAME` in the folder of the test's file. With `RECORD_SNAPSHOTS=1` in the environment,
/// the file is written and the test passes; look at the changes before you commit them.
/// - Parameters:
///   - text: The text.
///   - name: The name of the file.
///   - isRecording: True to write the file; nil to follow the environment.
///   - file: The file of the test.
/// - Throws: ``SnapshotMismatch`` if the text differs from the record, or there is none.
public func expectSnapshot(
  _ text: String, named name: String, isRecording: Bool? = nil, file: String = #filePath
) throws {
  let isRequested = getenv("RECORD_SNAPSHOTS").map { String(cString: $0) } == "1"
  try Snapshot(name, beside: file).compare(text, isRecording: isRecording ?? isRequested)
}

/// An error for a text that differs from its record.
public struct SnapshotMismatch: Error, Equatable, CustomStringConvertible {
  /// The file of the record.
  public var path: String
  /// The difference in words.
  public var difference: String

  /// Creates an error.
  public init(path: String, difference: String) { (self.path, self.difference) = (path, difference) }

  /// The error in words.
  public var description: String {
    "\(path): \(difference); if the new text is right, record it with RECORD_SNAPSHOTS=1"
  }
}

/// A file with a recorded text.
struct Snapshot {
  let path: String

  /// Names the record of a test.
  ///
  /// - Parameter file: The file of the test.
  init(_ name: String, beside file: String) {
    let folder = file.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(file[..<$0]) } ?? "."
    path = folder + "/Snapshots/" + name
  }

  /// Compares a text with the record, or writes the record.
  func compare(_ text: String, isRecording: Bool) throws(SnapshotMismatch) {
    if isRecording { return try write(text) }
    guard let recorded = read() else { throw SnapshotMismatch(path: path, difference: "there is no record") }
    if recorded != text {
      throw SnapshotMismatch(path: path, difference: Self.difference(of: text, from: recorded))
    }
  }

  /// Returns the first line that differs.
  private static func difference(of text: String, from recorded: String) -> String {
    func lines(_ text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    let (found, expected) = (lines(text), lines(recorded))
    let index = zip(found, expected).prefix { $0 == $1 }.count
    func quoted(_ lines: [Substring]) -> String { index < lines.count ? "'\(lines[index])'" : "the end" }
    return "line \(index + 1) is \(quoted(found)), recorded is \(quoted(expected))"
  }

  private func read() -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk[..<count]
    }
  }

  private func write(_ text: String) throws(SnapshotMismatch) {
    var slash = path.utf8.startIndex
    // The folders above the file, from the root on.
    while let next = path.utf8[slash...].dropFirst().firstIndex(of: UInt8(ascii: "/")) {
      slash = next
      mkdir(String(path[..<slash]), 0o777)
    }
    guard let file = fopen(path, "we") else {
      throw SnapshotMismatch(path: path, difference: "it cannot be written: " + String(cString: strerror(errno)))
    }
    let bytes = Array(text.utf8)
    let count = fwrite(bytes, 1, bytes.count, file)
    if fclose(file) != 0 || count < bytes.count {
      throw SnapshotMismatch(path: path, difference: "it cannot be written as a whole")
    }
  }
}
