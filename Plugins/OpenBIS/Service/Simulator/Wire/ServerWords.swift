/// What openBIS servers say, word for word; clients meet exactly these.
enum ServerWords {
  static func wrongToken(_ token: String) -> String {
    """
    Session token '\(token)' is invalid: wrong token. Please login again.
    """
  }

  static func notLoggedIn(_ token: String) -> String {
    """
    Session token '\(token)' is invalid: user is not logged in.
    """
  }

  static func malformed(_ token: String) -> String {
    "Session token '\(token)' is malformed. Please login again."
  }

  static let expired = "Session no longer available. Please login again."

  /// Of jsonrpc4j.
  static let badParameters = """
    method parameters invalid
    """
  static let badRequest = """
    invalid request
    """
}
