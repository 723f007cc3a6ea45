import PluginAPI
import PluginJSON

/// The parameters of V3 calls: objects with their `@type`, and without the object numbers of responses.
///
/// - Source: the openBIS V3 API, packages `as.dto` and `dss.dto`.
enum NativeRequest {
  /// Returns an object of a type.
  static func object(_ type: String, _ fields: [Record.Field] = []) -> Value {
    .record(Record([.init("@type", .text(type))] + fields))
  }

  // MARK: Criteria

  /// Returns the criteria of a kind, all of which must match.
  static func criteria(_ kind: NativeKind, _ criteria: [Value] = []) -> Value {
    let fields: [Record.Field] =
      criteria.isEmpty ? [] : [.init("operator", "AND"), .init("criteria", .list(criteria))]
    return object("as.dto.\(kind.package).search.\(kind.name)SearchCriteria", fields)
  }

  /// Returns criteria for a range of times of change, in milliseconds since 1970; its end is exclusive.
  ///
  /// Servers store microseconds and report milliseconds: adjacent ranges have no gap between them.
  static func modified(since: Int?, before: Int?) -> [Value] {
    [(since, "LaterThanOrEqualTo"), (before, "EarlierThan")].compactMap { time, comparison in
      time.map { time in
        object(
          "as.dto.common.search.ModificationDateSearchCriteria",
          [
            .init("fieldName", "modification_date"), .init("fieldType", "ATTRIBUTE"),
            .init(
              "fieldValue",
              object("as.dto.common.search.DateObject\(comparison)Value", [.init("value", .integer(time))])),
          ])
      }
    }
  }

  /// Returns criteria for the objects among which a page is taken.
  static func window(_ page: NativePageRequest) -> [Value] {
    let bounds = [(page.permIDFrom, "GreaterThanOrEqualTo"), (page.permIDBefore, "LessThan")]
    return modified(since: page.modifiedSince, before: page.modifiedBefore)
      + bounds.compactMap { bound, comparison in bound.map { hasPermID($0, comparison) } }
  }

  /// Returns criteria for objects with a relation to any of the given objects; nil if objects of the kind do not have
  /// the relation.
  ///
  /// - Source: the openBIS V3 API, `SampleSearchCriteria`, `DataSetSearchCriteria` and similar classes.
  static func belonging(_ edge: Mapping.Edge, to permIDs: [String]) -> Value? {
    let target = edge.relation.target(of: edge.kind)
    let type: String
    switch (edge.kind, edge.relation) {
    case (.project, .space), (.experiment, .project), (.sample, .space), (.sample, .project), (.sample, .experiment),
      (.dataSet, .experiment), (.dataSet, .sample):
      type = target.name
    case (.sample, .container), (.dataSet, .container): type = target.name + "Container"
    case (.sample, .parents), (.dataSet, .parents): type = target.name + "Parents"
    default: return nil
    }
    let ids = permIDs.map { target == .space ? code($0) : hasPermID($0) }
    return criteria(
      edge.kind,
      [
        object(
          "as.dto.\(target.package).search.\(type)SearchCriteria",
          [.init("operator", "OR"), .init("criteria", .list(ids))])
      ])
  }

  /// Returns the criterion for a permId.
  ///
  /// - Parameter comparison: The comparison of permIds with the given one, in the order of the server.
  /// - Source: openBIS, `AttributesMapper`: 'perm id' names the column of each kind; data sets have no 'perm_id'.
  private static func hasPermID(_ text: String, _ comparison: String = "EqualTo") -> Value {
    object(
      "as.dto.common.search.PermIdSearchCriteria",
      [
        .init("fieldName", "perm id"), .init("fieldType", "ATTRIBUTE"),
        .init("fieldValue", object("as.dto.common.search.String\(comparison)Value", [.init("value", .text(text))])),
      ])
  }

  /// Returns the criterion for a code.
  static func code(_ code: String) -> Value {
    object(
      "as.dto.common.search.CodeSearchCriteria",
      [
        .init("fieldName", "code"), .init("fieldType", "ATTRIBUTE"),
        .init("fieldValue", object("as.dto.common.search.StringEqualToValue", [.init("value", .text(code))])),
      ])
  }

  /// Returns the criteria for objects that contain all words of a text.
  ///
  /// A single criterion with several words matches any of them.
  ///
  /// - Source: openBIS, `GlobalSearchTextCriteria.thatContains`.
  static func text(_ text: String) -> Value {
    let fields = text.split(whereSeparator: \.isWhitespace).map { word in
      object(
        "as.dto.global.search.GlobalSearchTextCriteria",
        [
          .init("fieldName", "anything"), .init("fieldType", "ANY_FIELD"),
          .init(
            "fieldValue", object("as.dto.common.search.StringContainsValue", [.init("value", .text(String(word)))])),
        ])
    }
    return object(
      "as.dto.global.search.GlobalSearchCriteria", [.init("criteria", .list(fields)), .init("operator", "AND")])
  }

  /// Returns the criteria for the files of a data set.
  static func files(of dataSet: String) -> Value {
    let owner = object(
      "as.dto.dataset.search.DataSetSearchCriteria",
      [.init("relation", "DATASET"), .init("operator", "OR"), .init("criteria", .list([code(dataSet)]))])
    return object(
      "dss.dto.datasetfile.search.DataSetFileSearchCriteria",
      [.init("operator", "AND"), .init("criteria", .list([owner]))])
  }

  /// Returns the parameters that start a fast download of files.
  ///
  /// The data store interprets `filePath` as the id of the file, which begins with the data set.
  static func fastDownload(_ files: [DataSetFile], streams: Int) -> [[UInt8]] {
    let ids = files.map { file in
      object(
        "dss.dto.datasetfile.id.DataSetFilePermId",
        [
          .init("dataSetId", permID(.dataSet, file.dataSet)),
          .init("filePath", .text("\(file.dataSet)/\(file.path)")),
        ])
    }
    let options = object(
      "dss.dto.datasetfile.fastdownload.FastDownloadSessionOptions",
      [.init("wishedNumberOfStreams", .integer(streams))])
    return [Value.list(ids).json, options.json]
  }

  /// Returns the criteria for changes of any type to objects of some kinds.
  static func modifications(_ kinds: [NativeKind]) -> Value {
    let package = "as.dto.objectkindmodification.search."
    return object(
      package + "ObjectKindModificationSearchCriteria",
      [
        .init("operator", "AND"),
        .init(
          "criteria",
          .list([
            object(package + "ObjectKindCriteria", [.init("objectKinds", .list(kinds.map { .text($0.rawValue) }))]),
            object(package + "OperationKindCriteria", [.init("operationKinds", ["CREATE_OR_DELETE", "UPDATE"])]),
          ])),
      ])
  }

  // MARK: Ids

  /// Returns an object's permId.
  static func permID(_ kind: NativeKind, _ text: String) -> Value {
    object("as.dto.\(kind.package).id.\(kind.name)PermId", [.init("permId", .text(text))])
  }

  // MARK: Fetch options

  /// Returns the fetch options for objects of a kind.
  ///
  /// - Parameters:
  ///   - page: The page, in the order of their changes; nil for all objects.
  ///   - idsOnly: True to leave out the data of other objects.
  static func fetching(_ kind: NativeKind, page: NativePageRequest? = nil, idsOnly: Bool = false) -> Value {
    var fields: [Record.Field] = []
    if let page {
      fields += [.init("from", .integer(page.from)), .init("count", .integer(page.count)), .init("sort", sort(kind))]
    }
    if !idsOnly { fields += relations(kind) }
    return options(kind, fields)
  }

  /// Returns the sort options: the oldest change first; without the second key the order of equal times is undefined.
  ///
  /// The permId of a data set is its code: servers cannot sort data sets by PERM_ID.
  private static func sort(_ kind: NativeKind) -> Value {
    let ascending = object("as.dto.common.fetchoptions.SortOrder", [.init("asc", true)])
    let sortings = ["MODIFICATION_DATE", kind == .dataSet ? "CODE" : "PERM_ID"].map { field in
      object("as.dto.common.fetchoptions.Sorting", [.init("field", .text(field)), .init("order", ascending)])
    }
    return object(
      "as.dto.\(kind.package).fetchoptions.\(kind.name)SortOptions", [.init("sortings", .list(sortings))])
  }

  /// Returns the fetch options of a search that only counts.
  static func counting(_ kind: NativeKind) -> Value { options(kind, [.init("from", 0), .init("count", 0)]) }

  private static func options(_ kind: NativeKind, _ fields: [Record.Field] = []) -> Value {
    object("as.dto.\(kind.package).fetchoptions.\(kind.name)FetchOptions", fields)
  }

  private static func relations(_ kind: NativeKind) -> [Record.Field] {
    let type = Record.Field("type", object("as.dto.\(kind.package).fetchoptions.\(kind.name)TypeFetchOptions"))
    let properties = Record.Field("properties", object("as.dto.property.fetchoptions.PropertyFetchOptions"))
    let registrator = Record.Field("registrator", object("as.dto.person.fetchoptions.PersonFetchOptions"))
    let (space, project) = (Record.Field("space", options(.space)), Record.Field("project", options(.project)))
    let (experiment, sample) = (
      Record.Field("experiment", options(.experiment)), Record.Field("sample", options(.sample))
    )
    let parents = Record.Field("parents", options(kind))
    switch kind {
    case .space: return [registrator]
    case .project: return [space, registrator]
    case .experiment: return [type, .init("project", options(.project, [space])), properties, registrator]
    case .sample:
      return [type, space, project, experiment, .init("container", options(.sample)), parents, properties, registrator]
    case .dataSet:
      return [
        type, experiment, sample, .init("containers", options(.dataSet)), parents,
        .init("dataStore", object("as.dto.datastore.fetchoptions.DataStoreFetchOptions")), properties, registrator,
      ]
    }
  }

  /// Returns the fetch options for types with their properties.
  static func fetchingTypes(_ kind: NativeKind) -> Value {
    let terms = object("as.dto.vocabulary.fetchoptions.VocabularyTermFetchOptions")
    let vocabulary = object("as.dto.vocabulary.fetchoptions.VocabularyFetchOptions", [.init("terms", terms)])
    let propertyType = object(
      "as.dto.property.fetchoptions.PropertyTypeFetchOptions", [.init("vocabulary", vocabulary)])
    let assignments = object(
      "as.dto.property.fetchoptions.PropertyAssignmentFetchOptions", [.init("propertyType", propertyType)])
    return object(
      "as.dto.\(kind.package).fetchoptions.\(kind.name)TypeFetchOptions", [.init("propertyAssignments", assignments)])
  }
}

extension NativeKind {
  /// The name of the kind in class names.
  var name: String {
    switch self {
    case .space: "Space"
    case .project: "Project"
    case .experiment: "Experiment"
    case .sample: "Sample"
    case .dataSet: "DataSet"
    }
  }

  /// The name of the kind in package names.
  var package: String { name.lowercased() }
}
