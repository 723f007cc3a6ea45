import PluginAPI

/// The kinds of openBIS objects that are browsed.
enum NativeKind: String, Sendable, Hashable, CaseIterable, FieldValue {
  case space = "SPACE"
  case project = "PROJECT"
  case experiment = "EXPERIMENT"
  case sample = "SAMPLE"
  case dataSet = "DATA_SET"

  /// The name of one object for people, followed by the openBIS term since 2019 in brackets.
  var title: String {
    switch self {
    case .space: "Space"
    case .project: "Project"
    case .experiment: "Experiment (collection)"
    case .sample: "Sample (object)"
    case .dataSet: "Data set"
    }
  }

  /// The name of several objects for people, within a sentence.
  var plural: String {
    switch self {
    case .space: "spaces"
    case .project: "projects"
    case .experiment: "experiments (collections)"
    case .sample: "samples (objects)"
    case .dataSet: "data sets"
    }
  }
}

/// An openBIS object of V3, reduced to the data that the browser needs.
///
/// - Source: the openBIS V3 API, classes `Space`, `Project`, `Experiment`, `Sample`, `DataSet`.
struct NativeObject: Sendable, Hashable {
  var kind: NativeKind
  /// The permId; of a space its code.
  var permID: String
  var code: String
  /// The identifier `/SPACE/PROJECT/CODE`; "" if there is none.
  var identifier = ""
  /// The code of its type; "" for spaces and projects.
  var type = ""
  var description = ""
  /// The properties in the order of the response; a value of several texts is joined with line feeds.
  var properties: [NativeProperty] = []
  /// The identifiers of the objects it belongs to, as far as they were fetched: the code of its space, and the permIds
  /// of its project, experiment, sample and container.
  var space: String?
  var project: String?
  var experiment: String?
  var sample: String?
  var container: String?
  /// The permIds of its parents, of its own kind.
  var parents: [String] = []
  /// The time of registration, in milliseconds since 1970; 0 if unknown.
  var registeredAt = 0
  var modifiedAt = 0
  /// The name of the user who registered it; "" if unknown.
  var registrator = ""
  /// The code of the data store that holds a data set; nil for other kinds.
  var dataStore: String?
}

/// The code and text of a property.
struct NativeProperty: Sendable, Hashable {
  var code: String
  var value: String
}

/// The labels of a property type.
struct NativePropertyType: Sendable, Hashable {
  var code: String
  var label: String
  /// The data type, such as `VARCHAR`, `MULTILINE_VARCHAR`, `XML` and `CONTROLLEDVOCABULARY`.
  var dataType: String
  /// The labels of the terms of a controlled vocabulary, by code.
  var terms: [String: String] = [:]

  /// Returns a value for people: a term by its label, a sample by the id of its entity.
  func readable(_ value: String) -> String {
    if dataType == "SAMPLE", !value.isEmpty { return NativeObject.entityID(.sample, value) }
    return terms[value] ?? value
  }
}

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
    Field("id", \.id, "Part of the token's checksum", heading: "Id")
    Field("name", \.name, "Name of the token", heading: "Name")
    Field("from", { date($0.from) }, "Start of its validity", heading: "From")
    Field("to", { date($0.to) }, "End of its validity", heading: "To")
    Field(
      "usedAt", { date($0.usedAt) }, "Time of last use; null if never, or if the server does not report it",
      heading: "Used")
  }

  private static func date(_ milliseconds: Int?) -> Instant? { milliseconds.map(NativeTime.instant) }
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

/// Times of V3: milliseconds since 1970.
enum NativeTime {
  /// Returns a time without the milliseconds.
  static func instant(_ milliseconds: Int) -> Instant { Instant(seconds: Int64(milliseconds / 1000)) }

  /// Returns a time as `2026-11-21T09:30:00Z`, without the milliseconds; "" for 0, which means unknown.
  static func text(_ milliseconds: Int) -> String {
    if milliseconds == 0 { return "" }
    return instant(milliseconds).description
  }
}
