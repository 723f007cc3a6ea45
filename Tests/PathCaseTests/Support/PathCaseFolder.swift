import Foundation

@testable import PathCase

/// A temporary folder of a test, removed with it.
final class PathCaseFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("pathcase-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var path: String { url.path }

  /// The names of the files in it, sorted.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  /// Writes the documents of a database to a subfolder.
  func write(_ records: DatabaseRecords, into name: String) throws {
    let folder = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("layouts"), withIntermediateDirectories: true)
    for document in ContractWriter.documents(of: records) {
      try Data(document.bytes).write(to: folder.appendingPathComponent(document.path))
    }
  }

  /// Returns a copy of the present contents.
  func copy() throws -> PathCaseFolder {
    let other = try PathCaseFolder()
    for name in names {
      try FileManager.default.copyItem(
        at: url.appendingPathComponent(name), to: other.url.appendingPathComponent(name))
    }
    return other
  }
}
