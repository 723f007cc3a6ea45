import PluginAPI

/// Writes a subtree as one JSON document that says all that is kept of it.
///
/// `{"format": "openbis-export", "version": 1, "root", "title", "server", "madeAt", "entities": [{"permId", "depth",
/// "refcon", "category", "summaryHeader", "summary", "identifier", "children", "properties": [{"key", "label",
/// "value"}], "images": [{"role", "format", "address" | "sha256" | "base64" | "reason"}], "flags", "updatedAt"}, …]}`.
/// The server's own words (`refcon`) are a text with every byte of theirs. What was never told is left out; what is known
/// to be empty is empty. Characters that could command a terminal or reorder text are written as `\u` escapes, which
/// change nothing for whoever reads the document.
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
    out.field("format", "openbis-export")
    out.name("version")
    out.raw("1")
    out.field("root", origin.root)
    out.field("title", origin.title)
    out.field("server", origin.server)
    out.field("madeAt", origin.madeAt)
    out.name("entities")
    out.raw("[")
    return out.bytes
  }

  mutating func add(_ exported: ExportedEntity) -> [UInt8] {
    let entity = exported.entity
    var out = JSONTextWriter()
    out.raw(isFirst ? "\n" : ",\n")
    isFirst = false
    out.open("{")
    out.field("permId", entity.permID)
    out.name("depth")
    out.raw("\(exported.depth)")
    if let refcon = entity.refcon { out.field("refcon", refcon) }
    out.field("category", entity.category)
    out.field("summaryHeader", entity.summaryHeader)
    out.field("summary", entity.summary)
    if let identifier = entity.identifier { out.field("identifier", identifier) }
    if entity.childCount != nil || !exported.children.isEmpty {
      out.name("children")
      out.list(exported.children) { $0.text($1) }
    }
    if let properties = entity.properties {
      out.name("properties")
      out.list(properties, Self.write)
    }
    if entity.images != nil {
      out.name("images")
      out.list(exported.images, Self.write)
    }
    let flags = Self.flags(entity.flags)
    if !flags.isEmpty {
      out.name("flags")
      out.list(flags) { $0.text($1) }
    }
    if let updatedAt = entity.updatedAt { out.field("updatedAt", updatedAt.description) }
    out.close("}")
    return out.bytes
  }

  mutating func end() -> [UInt8] { Array("\n]}\n".utf8) }

  private static func write(_ out: inout JSONTextWriter, _ property: Property) {
    out.open("{")
    out.field("key", property.key)
    out.field("label", property.label)
    out.field("value", property.value)
    out.close("}")
  }

  private static func write(_ out: inout JSONTextWriter, _ exported: ExportedEntity.Image) {
    let image = exported.image
    out.open("{")
    out.field("role", image.role.rawValue)
    if !image.format.isEmpty { out.field("format", image.format) }
    switch image.source {
    case .address(let address): out.field("address", address)
    case .stored(let hash): out.field("sha256", hash)
    case .bytes(let bytes): out.field("base64", DataAddress.base64(bytes))
    case .unusable(let reason): out.field("reason", reason)
    }
    out.close("}")
  }

  private static func flags(_ flags: EntityFlags) -> [String] {
    let named: [(EntityFlags, String)] = [
      (.notLoaded, "notLoaded"), (.rootLevel, "rootLevel"), (.navigation, "navigation"),
      (.childrenUnreadable, "childrenUnreadable"), (.missingOnServer, "missingOnServer"), (.detailed, "detailed"),
    ]
    return named.filter { flags.contains($0.0) }.map(\.1)
  }
}
