import PluginAPI
import PluginText

/// An export of a subtree as one JSON document with all cached data.
///
/// `{"format": "openbis-export", "version": 1, "root", "title", "server", "madeAt", "entities": [{"permId", "depth",
/// "refcon", "category", "summaryHeader", "summary", "identifier", "children", "properties": [{"key", "label",
/// "value"}], "images": [{"role", "format", "address" | "sha256" | "base64" | "reason"}], "state", "updatedAt"}, …]}`.
/// The server's reference (`refcon`) is a text with every one of its bytes. Fields that were never reported are left
/// out; fields known to be empty are empty. Characters that could control a terminal or reorder text are written as
/// `\u` escapes, which JSON readers decode.
/// - Source: RFC 8259.
struct JSONExport: EntityExport {
  private let origin: ExportOrigin
  private var isFirst = true

  init(_ origin: ExportOrigin) {
    self.origin = origin
  }

  mutating func begin() -> [UInt8] {
    var out = JSONTextWriter()
    out.open("{")
    for field in Self.head(origin).fields {
      out.name(field.name)
      out.value(field.value)
    }
    out.name("entities")
    out.raw("[")
    return out.bytes
  }

  mutating func add(_ exported: ExportedEntity) -> [UInt8] {
    var out = JSONTextWriter()
    out.raw(isFirst ? "\n" : ",\n")
    isFirst = false
    out.value(.record(Self.record(exported)))
    return out.bytes
  }

  mutating func end() -> [UInt8] { Array("\n]}\n".utf8) }

  /// Returns the fields before the entities.
  static func head(_ origin: ExportOrigin) -> Record {
    [
      "format": "openbis-export", "version": 1, "root": .text(origin.root), "title": .text(origin.title),
      "server": .text(origin.server), "madeAt": .text(origin.madeAt),
    ]
  }

  /// Returns the record of an entity in the document.
  static func record(_ exported: ExportedEntity) -> Record {
    let entity = exported.entity
    var record: Record = ["permId": .text(entity.permID), "depth": .integer(exported.depth)]
    if let refcon = entity.refcon { record["refcon"] = .text(refcon) }
    record["category"] = .text(entity.category)
    record["summaryHeader"] = .text(entity.summaryHeader)
    record["summary"] = .text(entity.summary)
    if let identifier = entity.identifier { record["identifier"] = .text(identifier) }
    if entity.childCount != nil || !exported.children.isEmpty {
      record["children"] = .list(exported.children.map(Value.text))
    }
    if let properties = entity.properties { record["properties"] = .list(properties.map(value)) }
    if entity.images != nil { record["images"] = .list(exported.images.map(value)) }
    if !entity.flags.names.isEmpty { record["state"] = .list(entity.flags.names.map(Value.text)) }
    if let updatedAt = entity.updatedAt { record["updatedAt"] = .text(updatedAt.description) }
    return record
  }

  private static func value(_ property: Property) -> Value {
    ["key": .text(property.key), "label": .text(property.label), "value": .text(property.value)]
  }

  private static func value(_ exported: ExportedEntity.Image) -> Value {
    let image = exported.image
    var record: Record = ["role": .text(image.role.rawValue)]
    if !image.format.isEmpty { record["format"] = .text(image.format) }
    switch image.source {
    case .address(let address): record["address"] = .text(address)
    case .stored(let hash): record["sha256"] = .text(hash)
    case .bytes(let bytes): record["base64"] = .text(Base64.text(bytes))
    case .unusable(let reason): record["reason"] = .text(reason)
    }
    return .record(record)
  }
}
