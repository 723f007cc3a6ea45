/// The reason a part of the body was not captured, or not captured well.
///
/// - Source: ANSI/NIST-ITL 1-2011, field 14.018 (`AMP`), codes XX and UP.
enum PartCondition: String, CaseIterable, Sendable {
  /// All is well.
  case present
  /// Amputated (XX).
  case amputated
  /// There, but no print can be taken of it (UP).
  case unprintable
  /// Bandaged (UP, with a remark in the notes of an export).
  case bandaged

  /// The code of the standard; nil for a part that is present.
  var code: String? {
    switch self {
    case .present: nil
    case .amputated: "XX"
    case .unprintable, .bandaged: "UP"
    }
  }
}
