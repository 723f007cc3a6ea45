internal import CHost
import Glibc
import PluginAPI

/// The rows of a query of a SQLite database, which is only read.
struct DatabaseRows: Sendable, Equatable {
  let path: String
  let query: String

  /// Calls a function with each row, in the order of the query; NULL is an empty text.
  ///
  /// - Parameter begin: Called once before the first row with the names of the columns.
  /// - Throws: ``ErrorReport`` with the code `batch.bad-items` or `host.library-missing`.
  func forEach(begin: ([String]) throws -> Void, _ body: ([String]) throws -> Void) throws {
    var database = chost_sqlite()
    defer { _ = chost_sqlite_end(&database, false) }
    var isMissing = false
    let problem = chost_sqlite_query(&database, uri, query, &isMissing)
    if isMissing { throw ResultDatabase.missingLibrary(advice: "give the items in a file") }
    try check(problem)
    let columns = 0..<chost_sqlite_columns(&database)
    try begin(columns.map { chost_sqlite_name(&database, $0).map { String(cString: $0) } ?? "" })
    while true {
      var hasRow = false
      try check(chost_sqlite_next(&database, &hasRow))
      guard hasRow else { return }
      try body(columns.map { try text(of: $0, &database) })
    }
  }

  private func text(of column: Int32, _ database: inout chost_sqlite) throws -> String {
    var count: Int32 = 0
    guard let start = chost_sqlite_text(&database, column, &count) else { return "" }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(count))
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw BatchError.badItems("a value of '\(path)' is not UTF-8 text")
    }
    return text
  }

  private func check(_ problem: UnsafePointer<CChar>?) throws(ErrorReport) {
    guard let problem else { return }
    throw BatchError.badItems(
      "'\(path)' cannot be queried: \(String(cString: problem))",
      advice: "name a SQLite database and one query, as in --sql FILE 'SELECT id FROM models'")
  }

  /// The location of the database.
  ///
  /// A reader of a database with a write-ahead log needs files beside it. Where it cannot make them and there is no
  /// log, nothing writes the database.
  private var uri: String {
    let absolute = HostFile.absolute(path)
    let isFixed = access(FilePath.folder(of: absolute), W_OK) != 0 && access(absolute + "-wal", F_OK) != 0
    let encoded = absolute.utf8.map { $0 == UInt8(ascii: "/") ? "/" : "%" + ContentHash.digits([$0]) }
    return "file:" + encoded.joined() + (isFixed ? "?immutable=1" : "")
  }
}
