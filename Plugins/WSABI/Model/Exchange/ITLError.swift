import PluginAPI

/// The reason a file is not an ANSI/NIST-ITL transaction, or none can be created.
enum ITLError: Error, Equatable, ReportableError {
  /// The file ends within a record, or a length is malformed.
  case cut(record: Int, offset: Int)
  /// Unexpected bytes in place of a field.
  case badField(record: Int, offset: Int)
  /// The first record lists other records than there are.
  case badContents(expected: Int, found: Int)
  /// The first record is not Type-1, or there is no record.
  case noTransaction
  /// A text of the first record that is empty, or has other letters than those of ASCII; which field it is.
  case badEnvelope(field: String, text: String)
  /// More records than 99 picture records can be numbered.
  case tooMany(Int)

  var report: ErrorReport {
    switch self {
    case .cut(let record, let offset):
      make("record \(record) of the file is cut off at byte \(offset)", "copy the file again")
    case .badField(let record, let offset):
      make("record \(record) of the file has no field at byte \(offset), where one should be", "copy the file again")
    case .badContents(let expected, let found):
      make("the file should have \(expected) records and has \(found)", "copy the file again")
    case .noTransaction:
      make("the file does not begin with a Type-1 record", "name a file of ANSI/NIST-ITL in its traditional encoding")
    case .badEnvelope(let field, let text):
      ErrorReport(
        code: "wsabi.itl", kind: .usage, "'\(text)' can be no \(field) of a transaction",
        advice: "write it in printable letters of ASCII, one at least")
    case .tooMany(let count):
      make("\(count) pictures are too many for one file, which takes 99", "export fewer items")
    }
  }

  private func make(_ message: String, _ advice: String) -> ErrorReport {
    ErrorReport(code: "wsabi.itl", kind: .failure, message, advice: advice)
  }

  /// The stable codes.
  static let errorCodes = [ErrorCodeDescription("wsabi.itl", "a file is no transaction of ANSI/NIST-ITL, or none fits")]
}
