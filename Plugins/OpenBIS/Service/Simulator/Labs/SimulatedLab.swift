import PluginAPI

/// The content of a simulated server before any changes.
protocol SimulatedLab: Sendable {
  var shape: SimulatorShape { get }
  /// The first rows that a table client requests.
  var categories: [SimulatedCategory] { get }
  /// The spaces, projects and experiments of V3, and its types.
  var frame: SimulatedFrame { get }
  /// The number of entities.
  var count: Int { get }
  /// Returns the entity at an index from 0.
  func entity(_ index: Int) -> SimulatedEntity
  /// Returns the time of an entity's last change, in milliseconds since 1970.
  func modified(_ index: Int) -> Int
  /// Returns the index of the entity with a PERM_ID.
  func index(ofPermID permID: String) -> Int?
  /// Returns the index of the object with a V3 id.
  func index(ofNativePermID permID: String) -> Int?
  /// Returns the indices of the entities in the ROOT response of a category.
  func members(of category: Int) -> SimulatedIndexes
}

/// A row of NAVIGATION.
struct SimulatedCategory: Sendable {
  var permID: String
  /// The CATEGORY column.
  var category: String
  var header: String
  var refcon: String
}

/// Indices in a lab: every n-th one, or a list.
enum SimulatedIndexes: Sendable {
  case every(step: Int, from: Int, below: Int)
  case list([Int])

  var count: Int {
    switch self {
    case .every(let step, let from, let end): from < end ? (end - from + step - 1) / step : 0
    case .list(let indexes): indexes.count
    }
  }

  subscript(position: Int) -> Int {
    switch self {
    case .every(let step, let from, _): from + position * step
    case .list(let indexes): indexes[position]
    }
  }
}

/// The shapes of labs.
enum SimulatorShape: String, Sendable, CaseIterable, ParameterValue {
  case demo, yeastlab, plain
  case tagBrowser = "tag-browser"
}

/// The dialects of the tables.
enum SimulatorDialect: String, Sendable, CaseIterable, ParameterValue {
  /// Deletions are reported: ROOT has a DELETED column.
  case final
  /// ROOT is complete for its category.
  case mid
  /// NAVIGATION is unknown; CATEGORIES responds instead.
  case seed
  /// Neither is known: a single ROOT request returns everything.
  case preCategory = "pre-category"
}

/// The spaces, projects, experiments and types of a lab, as V3 reports them.
struct SimulatedFrame: Sendable {
  struct Project: Sendable {
    var permID: String
    var code: String
    var space: Int
  }
  struct Experiment: Sendable {
    var permID: String
    var code: String
    var project: Int
    var typeCode: String
  }
  struct TypeOfThings: Sendable {
    var code: String
    var description: String
    var properties: [PropertyType]
  }
  struct PropertyType: Sendable, Hashable {
    var code: String
    var label: String
    var dataType = "VARCHAR"
  }

  var spaces: [String]
  var projects: [Project]
  var experiments: [Experiment]
  var sampleTypes: [TypeOfThings]
  var experimentTypes = [
    TypeOfThings(
      code: "COLLECTION", description: "Things that belong together",
      properties: [
        PropertyType(code: "$NAME", label: "Name")
      ])
  ]
  var dataSetTypes = [
    TypeOfThings(
      code: "RAW_DATA", description: "As the instrument wrote it",
      properties: [
        PropertyType(code: "$NAME", label: "Name"),
        PropertyType(code: "NOTES", label: "Notes", dataType: "MULTILINE_VARCHAR"),
      ])
  ]

  func space(ofExperiment index: Int) -> String { spaces[projects[experiments[index].project].space] }
  func project(ofExperiment index: Int) -> Project { projects[experiments[index].project] }
  func identifier(ofProject index: Int) -> String { "/\(spaces[projects[index].space])/\(projects[index].code)" }
  func identifier(ofExperiment index: Int) -> String {
    identifier(ofProject: experiments[index].project) + "/" + experiments[index].code
  }

  /// Returns a frame of a number of spaces with two projects each and one experiment in each project.
  static func usual(spaces: [String], sampleTypes: [TypeOfThings]) -> SimulatedFrame {
    var frame = SimulatedFrame(spaces: spaces, projects: [], experiments: [], sampleTypes: sampleTypes)
    for space in spaces.indices {
      for number in 1...2 {
        let place = frame.projects.count
        frame.projects.append(
          Project(permID: "20240101120000000-9\(place + 100)", code: "PROJECT_\(number)", space: space))
        frame.experiments.append(
          Experiment(
            permID: "20240101120000000-8\(place + 100)", code: "COLLECTION_\(number)", project: place,
            typeCode: "COLLECTION"))
      }
    }
    return frame
  }
}
