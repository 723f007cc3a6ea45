import PluginAPI

/// The last change of a kind of objects.
struct NativeModification: Sendable, Hashable {
  /// The operation that made the change.
  enum Operation: String, Sendable, Hashable {
    case createOrDelete = "CREATE_OR_DELETE"
    case update = "UPDATE"
  }

  /// The server's name of the kind, such as `SAMPLE`; includes kinds that are not browsed.
  var kind: String
  var operation: Operation
  /// The time of the change, in milliseconds since 1970.
  var at: Int
}

/// An object found by a search over everything.
struct NativeMatch: Sendable, Hashable {
  var kind: NativeKind
  var permID: String
  /// The identifier `/SPACE/PROJECT/CODE`; "" if there is none.
  var identifier: String
  /// The matching text as the server formats it; "" if there is none.
  var text: String
}

/// A data store server.
struct NativeDataStore: Sendable, Hashable {
  var code: String
  /// The address from which files are fetched, such as `https://host:444`, as the server wrote it.
  var downloadAddress: String
}

/// A personal access token, as its owner lists it.
struct NativeAccessToken: Model, Hashable {
  /// The token itself, which is also its identifier at the server.
  var token: Secret
  /// A part of its checksum, by which users refer to it.
  var id: String
  /// The purpose of the token.
  var name: String
  /// The beginning of its validity, in milliseconds since 1970; nil if the server does not report it.
  var from: Int?
  /// The end of its validity, in milliseconds since 1970; nil if the server does not report it.
  var to: Int?
  /// The time of its last use, in milliseconds since 1970; nil if it was never used, or the server does not report it.
  var usedAt: Int?

  static let typeName = "openbis.token"
  static let fields = Fields<NativeAccessToken> {
    Field("id", \.id, "a part of its checksum", heading: "Id")
    Field("name", \.name, "what it was for", heading: "Name")
    Field("from", { date($0.from) }, "since when it is good", heading: "From")
    Field("to", { date($0.to) }, "until when it is good", heading: "To")
    Field(
      "usedAt", { date($0.usedAt) }, "when it was used last; null if never, or if the server does not say",
      heading: "Used")
  }

  private static func date(_ milliseconds: Int?) -> Instant? {
    milliseconds.map { Instant(seconds: Int64($0 / 1000)) }
  }
}

/// A service of a data store that responds with a table.
struct NativeAggregationService: Sendable, Hashable {
  /// The name by which it is called.
  var key: String
  /// The code of its data store.
  var dataStore: String
  /// The name shown to people.
  var label: String
}

/// A service of the application server.
struct NativeCustomService: Sendable, Hashable {
  /// The name by which it is called.
  var code: String
  /// The name shown to people.
  var label: String
}
