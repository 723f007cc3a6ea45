/// A user at a server: whoever has an account has a cache of their own, never shared with another user.
struct Account: Sendable, Hashable {
  /// How the server is asked.
  enum BackEnd: String, Sendable, Hashable, CaseIterable {
    /// Tables of `ipad-read-service-v1`, by the query API (V1).
    case tablesV1 = "tables-v1"
    /// Tables of `ipad-read-service-v1`, by `executeAggregationService` of V3.
    case tablesV3 = "tables-v3"
    /// The objects of V3 themselves, by a mapping.
    case native
  }

  /// Names the account in the registry and in file names: letters, digits, `-`, `_` and `.`; no secrets in it.
  var id: String
  var server: ServerAddress
  /// The user's name; "" for a personal access token whose user is not known yet.
  var user: String
  /// nil until the first login found out.
  var backEnd: BackEnd?
  /// The data store that offers the table service; nil for the first.
  var dataStore: String?
  /// The data stores that offered it at the last login, in their order.
  var dataStores: [String] = []
  /// Where the server's data stores are, as it told: images and files are fetched there with the token.
  var dataStoreAddresses: [String] = []
  /// Whether a personal access token is used: nothing can log in anew then.
  var usesAccessToken = false
}
