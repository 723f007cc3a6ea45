/// Errors of decoding a WSQ file.
enum WSQError: Error, Equatable {
  /// The file ends too early.
  case truncated(reason: String)
  /// The file breaks the rules of its format.
  case damaged(reason: String)
  /// The file uses a part of the format that is not decoded.
  case unsupported(reason: String)

  /// The cause as text.
  var reason: String {
    switch self {
    case .truncated(let reason), .damaged(let reason), .unsupported(let reason): reason
    }
  }
}
