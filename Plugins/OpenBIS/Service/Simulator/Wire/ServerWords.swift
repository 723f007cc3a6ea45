/// The messages of openBIS servers, word for word; clients meet exactly these.
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

  static let notAllowed =
    "Authorization failure: ERROR: \"None of method roles '[PROJECT_OBSERVER, SPACE_OBSERVER]' could be found in roles "
    + "of user.\"."

  /// The messages of data stores.
  static let downloadExpired = "Download session expired."

  static func notAccessible(_ dataSet: String) -> String { "Data set '\(dataSet)' is not accessible." }

  static func missing(_ path: String, in dataSet: String) -> String {
    "Resource '\(path)' does not exist in data set '\(dataSet)'."
  }

  /// The messages of Spring's HTTP invoker, by which an application server calls data stores.
  static let dataStoreUnreached =
    "Could not connect to HTTP invoker remote service at [http://127.0.0.1:1/datastore_server/data-store-service]; "
    + "nested exception is java.net.ConnectException: Connection refused"

  /// The messages of jsonrpc4j.
  static let badParameters = """
    method parameters invalid
    """
  static let badRequest = """
    invalid request
    """
}
