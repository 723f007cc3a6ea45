/// The kinds of objects of openBIS that are browsed.
enum NativeKind: String, Sendable, Hashable, CaseIterable {
  case space = "SPACE"
  case project = "PROJECT"
  case experiment = "EXPERIMENT"
  case sample = "SAMPLE"
  case dataSet = "DATA_SET"

  /// What people call one of the kind; the words of openBIS since 2019 in brackets.
  var title: String {
    switch self {
    case .space: "Space"
    case .project: "Project"
    case .experiment: "Experiment (collection)"
    case .sample: "Sample (object)"
    case .dataSet: "Data set"
    }
  }

  /// What people call several of the kind, within a sentence.
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

/// An object of openBIS as V3 gives it, without what the browser does not need.
///
/// - Source: the openBIS V3 API, classes `Space`, `Project`, `Experiment`, `Sample`, `DataSet`.
struct NativeObject: Sendable, Hashable {
  var kind: NativeKind
  /// The permId; of a space its code.
  var permID: String
  var code: String
  /// `/SPACE/PROJECT/CODE`; "" if there is none.
  var identifier = ""
  /// The code of its type; "" for spaces and projects.
  var type = ""
  var description = ""
  /// In the order of the answer; a value of several texts is joined with line feeds.
  var properties: [NativeProperty] = []
  /// The permIds of what it belongs to, as far as they were fetched: its space's code, its project's, experiment's,
  /// sample's and container's permId.
  var space: String?
  var project: String?
  var experiment: String?
  var sample: String?
  var container: String?
  /// The permIds of its parents, of its own kind.
  var parents: [String] = []
  /// Milliseconds since 1970; 0 if not told.
  var registeredAt = 0
  var modifiedAt = 0
  /// The user's name who registered it; "" if not told.
  var registrator = ""
  /// The code of the data store a data set lies in; nil for other kinds.
  var dataStore: String?
}

/// A property's code and text.
struct NativeProperty: Sendable, Hashable {
  var code: String
  var value: String
}

/// What a property type is called.
struct NativePropertyType: Sendable, Hashable {
  var code: String
  var label: String
  /// Such as `VARCHAR`, `MULTILINE_VARCHAR`, `XML` and `CONTROLLEDVOCABULARY`.
  var dataType: String
  /// The labels of the terms of a controlled vocabulary, by code.
  var terms: [String: String] = [:]

  /// A value as people read it: a term by its label, a sample by the id of its entity.
  func readable(_ value: String) -> String {
    if dataType == "SAMPLE", !value.isEmpty { return NativeObject.entityID(.sample, value) }
    return terms[value] ?? value
  }
}

/// A file of a data set.
struct DataSetFile: Sendable, Hashable {
  var dataSet: String
  /// Without a slash at the beginning.
  var path: String
  var isFolder: Bool
  /// In bytes; 0 for folders.
  var size: Int
  /// CRC-32 as the data store keeps it; nil if it keeps none.
  var checksum: UInt32?
  /// The address of the data store server it lies on.
  var store: String

  /// A Boolean value indicating whether the path stays within the data set.
  ///
  /// An address with `..` in it would take the token elsewhere on the host.
  var isInDataSet: Bool {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    return segments.allSatisfy { $0 != ".." && $0 != "." } && dataSet.utf8.allSatisfy { $0 != UInt8(ascii: "/") }
      && dataSet != ".." && dataSet != "." && !dataSet.isEmpty
  }
}
