import PluginAPI

/// The representation of entities in command output.
enum EntityValue {
  /// The fields of an entity.
  static let fields: [ValueSchema.Field] = [
    .init("permId", .text, "names the entity for ever"),
    .init("category", .text, "by which it is grouped; empty if there is none"),
    .init("summaryHeader", .text, "first line in lists"),
    .init("summary", .text, "second line in lists"),
    .init("identifier", .optional(.text), "the identifier; null if no details came yet"),
    .init(
      "children", .optional(.list(.text)), "ids of what is listed below it, in the order of lists; null if unknown"),
    .init(
      "properties", .optional(.list(.record(propertyFields))), "in the server's order; null if no details came yet"),
    .init("images", .optional(.list(.record(imageFields))), "its images; null if no details came yet"),
    .init("state", .list(.choice(EntityFlags.named.map(\.name))), "what holds of it beside"),
    .init("updatedAt", .optional(.date), "when a server last spoke of it"),
  ]

  private static let propertyFields: [ValueSchema.Field] = [
    .init("key", .text, "the server's name for it"), .init("label", .text, "what people read"),
    .init("value", .text, "the value as text; HTML is left as it came"),
  ]

  private static let imageFields: [ValueSchema.Field] = [
    .init("role", .choice(EntityImage.Role.allCases.map(\.rawValue)), "where it is shown"),
    .init("address", .optional(.text), "where it is fetched, as the server wrote it; null if its bytes came along"),
    .init("sha256", .optional(.text), "of bytes that came along, in hexadecimal digits"),
    .init("problem", .optional(.text), "why it cannot be shown; null if it can"),
  ]

  /// Returns the value of an entity.
  ///
  /// - Parameter children: The ids of its children; nil if its children are unknown.
  static func value(_ entity: Entity, children: PackedTexts?) -> Value {
    [
      "permId": .text(entity.permID), "category": .text(entity.category), "summaryHeader": .text(entity.summaryHeader),
      "summary": .text(entity.summary), "identifier": .optional(entity.identifier),
      "children": children.map { .list($0.map(Value.text)) } ?? .null,
      "properties": entity.properties.map { .list($0.map(value)) } ?? .null,
      "images": entity.images.map { .list($0.map(value)) } ?? .null,
      "state": .list(entity.flags.names.map(Value.text)),
      "updatedAt": entity.updatedAt.map(Value.date) ?? .null,
    ]
  }

  private static func value(_ property: Property) -> Value {
    ["key": .text(property.key), "label": .text(property.label), "value": .text(property.value)]
  }

  private static func value(_ image: EntityImage) -> Value {
    var (address, digest, problem): (String?, String?, String?)
    switch image.source {
    case .address(let text): address = text
    case .stored(let text): digest = text
    case .unusable(let reason): problem = reason
    case .bytes: problem = "its bytes are not kept"
    }
    return [
      "role": .text(image.role.rawValue), "address": .optional(address), "sha256": .optional(digest),
      "problem": .optional(problem),
    ]
  }
}
