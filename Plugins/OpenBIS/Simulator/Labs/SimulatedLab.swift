public import PluginAPI
import PluginText

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
  /// Returns the V3 id of the object at an index.
  func nativePermID(_ index: Int) -> String
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
public enum SimulatorShape: String, Sendable, CaseIterable, ParameterValue {
  case demo, yeastlab, plain
  case tagBrowser = "tag-browser"
}

/// The dialects of the tables.
public enum SimulatorDialect: String, Sendable, CaseIterable, ParameterValue {
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
    /// The terms of its controlled vocabulary.
    var terms: [Term] = []
  }
  struct Term: Sendable, Hashable {
    var code: String
    var label: String
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
        let projectIndex = frame.projects.count
        frame.projects.append(
          Project(permID: "20240101120000000-9\(projectIndex + 100)", code: "PROJECT_\(number)", space: space))
        frame.experiments.append(
          Experiment(
            permID: "20240101120000000-8\(projectIndex + 100)", code: "COLLECTION_\(number)", project: projectIndex,
            typeCode: "COLLECTION"))
      }
    }
    return frame
  }
}

/// An entity of a simulated lab, as a table row shows it and as a V3 server stores it.
struct SimulatedEntity: Sendable {
  /// A property of an entity.
  struct Property: Sendable, Hashable {
    var key: String
    var label: String
    /// The value; nil is sent as null.
    var value: String?

    init(_ key: String, _ label: String, _ value: String?) {
      (self.key, self.label, self.value) = (key, label, value)
    }
  }

  var permID: String
  /// The reference, a JSON document.
  var refcon: String
  var category: String
  var header: String
  var summary: String
  var identifier: String
  /// The ids of the children; nil is sent as null.
  var children: [String?] = []
  var properties: [Property] = []
  var image = SimulatedImage.none
  var isRoot = false
  /// The times of registration and of the last change, in milliseconds since 1970.
  var registered = SimulatedTime.birth
  var modified = SimulatedTime.birth
  var native = Native()

  /// The additional data of a V3 server.
  struct Native: Sendable {
    var kind = SimulatedKind.sample
    var permID = ""
    var code = ""
    var typeCode = ""
    /// The index of its experiment in the lab.
    var experiment = 0
    /// The indices in the lab of the samples it was made from, and of those made from it.
    var parents: [Int] = []
    var children: [Int] = []
    /// The properties that tables do not show.
    var properties: [Property] = []
  }

  /// The ids of the children, as JSON.
  var childrenText: String {
    if children.isEmpty { return "[]" }
    return "[" + children.map { $0?.asSimulatedJSON ?? "null" }.joined(separator: ",") + "]"
  }

  /// The properties as JSON.
  var propertiesText: String {
    var buffer = WireBuffer(reserving: 512)
    buffer.add("[")
    for (index, property) in properties.enumerated() {
      if index > 0 { buffer.add(",") }
      buffer.add("{\"key\":")
      buffer.add(quoted: property.key)
      buffer.add(",\"label\":")
      buffer.add(quoted: property.label)
      buffer.add(",\"value\":")
      if let value = property.value { buffer.add(quoted: value) } else { buffer.add("null") }
      buffer.add("}")
    }
    buffer.add("]")
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}

/// The kinds of objects that a V3 server stores.
enum SimulatedKind: String, Sendable, CaseIterable {
  case sample = "SAMPLE"
  case experiment = "EXPERIMENT"
  case dataSet = "DATA_SET"
}

/// Times of the simulated world, in milliseconds since 1970.
enum SimulatedTime {
  /// The time at which every simulated lab was filled, 2024-01-01 12:00:00 UTC.
  static let birth = 1_704_110_400_000
}

/// The location of an entity's picture.
enum SimulatedImage: Sendable, Hashable {
  /// An empty cell.
  case none
  /// A cell with an object without pictures.
  case empty
  /// A cell with null as address.
  case null
  /// A path on this server.
  case path(String)
  /// A path on this server for the first picture, and paths for the others.
  case tiled(String, [String])
  /// A picture within the cell, drawn from a seed.
  case inline(UInt64)

  /// Returns the text of the cell.
  func text(base: String) -> String {
    switch self {
    case .none: ""
    case .empty: "{}"
    case .null: #"{"MARQUEE":{"URL":null}}"#
    case .path(let path): #"{"MARQUEE":{"URL":\#((base + path).asSimulatedJSON)}}"#
    case .tiled(let path, let others):
      #"{"MARQUEE":{"URL":\#((base + path).asSimulatedJSON)},"TILED":["#
        + others.map { #"{"URL":\#((base + $0).asSimulatedJSON)}"# }.joined(separator: ",") + "]}"
    case .inline(let seed):
      #"{"MARQUEE":{"DATA":{"BASE64":""# + Base64.text(SimulatedPictures.png(seed, side: 48))
        + #"","FORMAT":"PNG"}}}"#
    }
  }
}

/// A random number generator for a simulated lab, deterministic for a seed.
struct SimulatedChance: Sendable {
  private var random: SplitMix64

  /// Creates a generator.
  ///
  /// - Parameter stream: Numbers of other streams of the same seed are unrelated.
  init(_ seed: UInt64, _ stream: Int = 0) {
    random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: stream) &* 0xD134_2543_DE82_EF95)
  }

  mutating func next() -> UInt64 { random.next() }

  /// Returns a number from 0 to below a bound.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

  /// Returns a sentence of a number of words in the lab's own language, the first word capitalized.
  mutating func sentence(_ count: Int) -> String {
    var text = ""
    for index in 0..<count {
      let word = pick(Self.words)
      if index == 0 {
        text = word.prefix(1).uppercased() + word.dropFirst()
      } else {
        text += " " + word
      }
    }
    return text
  }

  static let words = [
    "amber", "binding", "buffer", "calm", "channel", "clear", "coiled", "cold", "crystal", "dense", "double", "dry",
    "elastic", "faint", "filtered", "fine", "fluorescent", "folded", "frozen", "gel", "gentle", "glass", "granular",
    "heavy", "hollow", "kinase", "labelled", "lattice", "light", "linear", "mixed", "narrow", "neutral", "open", "pale",
    "pellet", "plate", "pure", "rapid", "receptor", "ring", "rough", "salt", "sealed", "sharp", "silent", "slow",
    "smooth", "soft", "spiral", "stable", "starter", "sterile", "strand", "sugar", "tagged", "thin", "trace", "vial",
    "warm", "washed", "weak", "white", "wide",
  ]
}
