/// When something of a kind last changed.
struct NativeModification: Sendable, Hashable {
  /// What happened.
  enum Operation: String, Sendable, Hashable {
    case createOrDelete = "CREATE_OR_DELETE"
    case update = "UPDATE"
  }

  /// The server's word, such as `SAMPLE`; more kinds than are browsed.
  var kind: String
  var operation: Operation
  /// Milliseconds since 1970.
  var at: Int
}

/// An object that a search over everything found.
struct NativeMatch: Sendable, Hashable {
  var kind: NativeKind
  var permID: String
  /// `/SPACE/PROJECT/CODE`; "" if there is none.
  var identifier: String
  /// The words that fit, as the server puts them; "" if it says nothing.
  var text: String
}

/// A data store server.
struct NativeDataStore: Sendable, Hashable {
  var code: String
  /// Where files are fetched from, such as `https://host:444`; as the server wrote it.
  var downloadAddress: String
}

/// A personal access token, as its owner lists it.
struct NativeAccessToken: Sendable, Hashable {
  /// The token itself; it names itself at the server.
  var token: Secret
  /// A part of its checksum, by which people name it.
  var id: String
  /// Its purpose.
  var name: String
  /// Milliseconds since 1970; nil if the server does not say.
  var from: Int?
  /// Milliseconds since 1970; nil if the server does not say.
  var to: Int?
  /// Milliseconds since 1970; nil if it was never used, or the server does not say.
  var usedAt: Int?
}

/// A service of a data store that answers with a table.
struct NativeAggregationService: Sendable, Hashable {
  /// The name it is called by.
  var key: String
  /// The code of its data store.
  var dataStore: String
  /// What people read.
  var label: String
}

/// A service of the application server.
struct NativeCustomService: Sendable, Hashable {
  /// The name it is called by.
  var code: String
  /// What people read.
  var label: String
}
