import PluginText

/// Something a simulated lab has, as a table row shows it and as a V3 server keeps it.
struct SimulatedEntity: Sendable {
  /// A property of an entity.
  struct Property: Sendable, Hashable {
    var key: String
    var label: String
    /// Nil is sent as null.
    var value: String?

    init(_ key: String, _ label: String, _ value: String?) {
      (self.key, self.label, self.value) = (key, label, value)
    }
  }

  var permID: String
  /// A JSON document.
  var refcon: String
  var category: String
  var header: String
  var summary: String
  var identifier: String
  /// The ids of what is listed below; nil is sent as null.
  var children: [String?] = []
  var properties: [Property] = []
  var image = SimulatedImage.none
  var isRoot = false
  /// When it came and when it was changed last, in milliseconds since 1970.
  var registered = SimulatedTime.birth
  var modified = SimulatedTime.birth
  var native = Native()

  /// What a V3 server says of it beside that.
  struct Native: Sendable {
    var kind = SimulatedKind.sample
    var permID = ""
    var code = ""
    var typeCode = ""
    /// Which of the lab's experiments it is in.
    var experiment = 0
    /// The lab's indexes of the samples it was made of, and of those made of it.
    var parents: [Int] = []
    var children: [Int] = []
  }

  /// The ids of what is listed below, as JSON.
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

/// The kinds of what a V3 server keeps.
enum SimulatedKind: String, Sendable, CaseIterable {
  case sample = "SAMPLE"
  case experiment = "EXPERIMENT"
  case dataSet = "DATA_SET"
}

/// Moments of the simulated world, in milliseconds since 1970.
enum SimulatedTime {
  /// 2024-01-01 12:00:00 UTC, when every simulated lab was filled.
  static let birth = 1_704_110_400_000
}

/// Where an entity's picture is.
enum SimulatedImage: Sendable, Hashable {
  /// The cell is empty.
  case none
  /// The cell has an object without pictures.
  case empty
  /// The cell says that there is no address.
  case null
  /// At a path of this server.
  case path(String)
  /// The first at a path of this server, the others beside it.
  case tiled(String, [String])
  /// Within the cell, drawn from that seed.
  case inline(UInt64)

  /// The cell.
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
