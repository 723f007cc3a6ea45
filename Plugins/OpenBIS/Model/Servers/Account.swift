import PluginAPI

/// A user at a server, with a cache of its own that is never shared with another user.
struct Account: Sendable, Hashable {
  /// The interface by which the server is queried.
  enum BackEnd: String, Sendable, Hashable, CaseIterable, ReadableField {
    /// Tables of `ipad-read-service-v1`, by the query API (V1).
    case tablesV1 = "tables-v1"
    /// Tables of `ipad-read-service-v1`, by `executeAggregationService` of V3.
    case tablesV3 = "tables-v3"
    /// V3 objects, mapped by the client.
    case native
  }

  /// The identifier of the account in the registry and in file names: letters, digits, `-`, `_` and `.`; no secrets.
  var id: String
  var server: ServerAddress
  /// The user's name; "" for a personal access token whose user is not known yet.
  var user: String
  /// The server's interface; nil before the first login.
  var backEnd: BackEnd?
  /// The data store that offers the table service; nil for the first one.
  var dataStore: String?
  /// The data stores that offered it at the last login, in their order.
  var dataStores: [String] = []
  /// The addresses of the server's data stores, as the server reported them: images and files are fetched there with
  /// the token.
  var dataStoreAddresses: [String] = []
  /// A Boolean value indicating whether a personal access token is used, which does not allow logging in again.
  var usesAccessToken = false
}

/// An account as commands list it.
struct ListedAccount: Model {
  var account: Account
  var isCurrent: Bool

  static let typeName = OpenBISValueType.account
  static let fields = Fields<ListedAccount> {
    Field("account", \.account.id, "Account id, for '--account'", heading: "Account")
    Field("server", \.account.server.base, "Address of the server", heading: "Server")
    Field("user", \.account.user, "Name of the user; empty if only a token is known", heading: "User")
    Field("backEnd", \.account.backEnd, "Interface of the server that is used", heading: "Back end")
    Field(
      "dataStore", \.account.dataStore, "Data store whose read service is used; null with a mapping file",
      heading: "Data store")
    Field("dataStores", \.account.dataStores, "All data stores with a read service", heading: "Data stores")
    Field("usesAccessToken", \.account.usesAccessToken, "True if a personal access token is used", heading: "Token")
    Field("isCurrent", \.isCurrent, "True if it is used without '--account'", heading: "Current")
  }
}

/// A token or a password, which is never printed unless its text is requested.
struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The secret itself, only for the network and for the file that stores it.
  let text: String

  /// Creates a secret.
  init(_ text: String) {
    self.text = text
  }

  var description: String { "•••" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}

/// The data in the text of a token: `<user>-<digits>x<digits>`, with `$pat-` before personal access tokens.
///
/// - Source: the sources of openBIS; user names may contain `-`.
struct SessionToken: Sendable, Hashable {
  /// A Boolean value indicating whether it is a personal access token, which a logout does not end.
  let isPersonal: Bool
  /// The token's user; nil if it does not look like an openBIS token.
  let user: String?

  /// Parses a token.
  init(_ token: Secret) {
    isPersonal = token.text.hasPrefix(Self.personalPrefix)
    let remaining = isPersonal ? token.text.dropFirst(Self.personalPrefix.count) : token.text[...]
    guard let hyphen = remaining.lastIndex(of: "-"), hyphen != remaining.startIndex else {
      user = nil
      return
    }
    let parts = remaining[remaining.index(after: hyphen)...].split(separator: "x", omittingEmptySubsequences: false)
    let isTimed = parts.count == 2 && !parts[0].isEmpty && parts[0].allSatisfy(\.isWholeNumber) && !parts[1].isEmpty
    user = isTimed ? String(remaining[..<hyphen]) : nil
  }

  private static let personalPrefix = "$pat-"
}
