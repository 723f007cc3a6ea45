internal import CPostgres

/// The functions of libpq, opened at first use.
// The table is filled once, before the first value exists, and never changes.
struct PostgresLibrary: @unchecked Sendable {
  let functions: cpostgres_functions

  /// Opens libpq at the first call.
  ///
  /// - Throws: ``PostgresError/libraryMissing(reason:)``.
  init() throws(PostgresError) {
    var problem: UnsafePointer<CChar>?
    let functions = cpostgres_open(&problem)
    if let problem { throw .libraryMissing(reason: String(cString: problem)) }
    guard let functions else { throw .libraryMissing(reason: "it has no functions") }
    self.functions = functions.pointee
  }
}
