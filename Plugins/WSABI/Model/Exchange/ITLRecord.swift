/// A logical record of an ANSI/NIST-ITL transaction: numbered fields, and for pictures the data of field 999.
///
/// - Source: ANSI/NIST-ITL 1-2011 (NIST SP 500-290), section 7.
struct ITLRecord: Sendable, Hashable {
  /// 1 for the first record, 2 for descriptive text, 10, 14 and 17 for pictures of faces, fingers and irises.
  var type: Int
  /// All but 1 (its length), which is made when it is written, and 999.
  var fields: [ITLField]
  /// Field 999; nil if it is missing.
  var data: [UInt8]?

  init(_ type: Int, _ fields: [ITLField], data: [UInt8]? = nil) {
    self.type = type
    self.fields = fields
    self.data = data
  }

  /// The first item of a field; nil if the field is not there.
  subscript(number: Int) -> String? { fields.first { $0.number == number }?.subfields.first?.first }

  /// Returns the complete text of a field; empty if it is missing.
  func subfields(_ number: Int) -> [[String]] { fields.first { $0.number == number }?.subfields ?? [] }
}
