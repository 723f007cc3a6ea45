/// The reasons for which a document of the contract cannot be used.
enum ContractError: Error, Equatable {
  /// The document is not well-formed XML.
  case notWellFormed(document: String, line: Int, column: Int, reason: String)
  /// It has a document type, which is never fetched, or is a web page.
  case documentType(document: String, reason: String)
  /// Elements, names or attributes exceed the limits.
  case beyondLimits(document: String, reason: String)
  /// Its bytes are not valid in the declared encoding; the offset counts from 0 and is nil if unknown.
  case encoding(document: String, offset: Int?, reason: String)
  /// It exceeds the size limit, compressed or uncompressed.
  case tooLarge(document: String, limitInBytes: Int)
  /// Its compressed data are truncated or damaged.
  case packing(document: String, reason: String)
  /// Its root element is not that of the contract.
  case otherRoot(document: String, found: String, line: Int)
  /// It is of another type than the requested one.
  case otherType(document: String, found: String, expected: ContractType?)
  /// It follows another version of the contract.
  case otherVersion(document: String, found: String)
  /// Records in it are unusable; at most 100 issues are kept.
  case records(document: String, issues: [RecordIssue], total: Int)
  /// The service responded with a fault instead of a document.
  case fault(document: String, text: String)
  /// The XML library of the system is missing.
  case libraryMissing(reason: String)
}
