/// Why a document of the contract cannot be used.
enum ContractError: Error, Equatable {
  /// It breaks a rule of XML.
  case notWellFormed(document: String, line: Int, column: Int, reason: String)
  /// It has a document type, or is a web page: nothing is looked up for it.
  case documentType(document: String, reason: String)
  /// Elements, names or attributes exceed what is read.
  case beyondLimits(document: String, reason: String)
  /// Its bytes are no text in the encoding it declares; the offset counts from 0 and is nil if it is not known.
  case encoding(document: String, offset: Int?, reason: String)
  /// It is larger than what is read, packed or unpacked.
  case tooLarge(document: String, limitInBytes: Int)
  /// It is packed and the packing is cut or damaged.
  case packing(document: String, reason: String)
  /// Its outermost element is another one.
  case otherRoot(document: String, found: String, line: Int)
  /// It is about something else than what was asked for.
  case otherType(document: String, found: String, expected: ContractType?)
  /// It follows another version of the contract.
  case otherVersion(document: String, found: String)
  /// Records in it cannot be used; at most 100 are kept of all.
  case records(document: String, issues: [RecordIssue], total: Int)
  /// A service answered with a failure instead of a document.
  case fault(document: String, text: String)
  /// The system lacks what XML is read with.
  case libraryMissing(reason: String)
}
