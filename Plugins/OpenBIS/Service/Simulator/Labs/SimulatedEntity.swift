import PluginText

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
