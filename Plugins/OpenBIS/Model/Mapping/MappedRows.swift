import PluginText

/// The entities that a mapping makes from objects.
struct MappedRows: Sendable, Hashable {
  /// The entities; those below an object follow it directly.
  var rows: [EntityRow] = []
  /// The groups that list the entities.
  var groups: [EntityRow] = []
}

extension Mapping {
  /// Returns the entities made from objects.
  func rows(of objects: [NativeObject], _ surroundings: MappingSurroundings) -> MappedRows {
    var mapped = MappedRows()
    mapped.rows.reserveCapacity(objects.count)
    var groups: Set<ExactText> = []
    for object in objects {
      guard let rule = rule(for: object), rule.isShown else { continue }
      var parents = rule.parents(of: object)
      if let name = rule.group?.filled(object), !name.isEmpty {
        let group = Self.group(name)
        parents.append(group.permID)
        if groups.insert(ExactText(group.permID)).inserted { mapped.groups.append(group) }
      }
      var row = rule.row(for: object, surroundings)
      row.parents = PackedTexts(parents)
      row.isRootLevel = rule.isRoot
      mapped.rows.append(row)
      if let pages = rule.pages { mapped.rows += Self.pages(pages, of: object, surroundings) }
    }
    return mapped
  }

  /// Returns a group of the first screen.
  private static func group(_ name: String) -> EntityRow {
    var row = EntityRow("GROUP." + name)
    row.refcon = Refcon.text(kind: "GROUP", permID: name, type: "")
    row.category = "Groups"
    row.summaryHeader = name
    row.isRootLevel = true
    return row
  }

  /// Returns the entities of an object's files that match a pattern.
  private static func pages(
    _ pattern: FilePattern, of object: NativeObject, _ surroundings: MappingSurroundings
  ) -> [EntityRow] {
    let files = surroundings.files[object.permID] ?? []
    return files.filter { !$0.isFolder && pattern.matches($0.path) }.map { file in
      var row = EntityRow("FILE.\(object.permID)/\(file.path)")
      row.refcon = Refcon.text(kind: "FILE", permID: object.permID, type: file.path)
      row.category = "Images"
      row.summaryHeader = String(file.path.split(separator: "/").last ?? "")
      row.summary = object.code
      row.identifier = object.permID + "/" + file.path
      row.parents = [object.entityID]
      row.images = [EntityImage(role: .marquee, source: .address(file.address))]
      row.properties = [Property(key: "size", label: "Size in bytes", value: String(file.size))]
      return row
    }
  }
}

extension MappingRule {
  /// Returns the ids of the entities below which an object is listed, each once.
  fileprivate func parents(of object: NativeObject) -> [String] {
    var ids: [String] = []
    for alternatives in under {
      let found = alternatives.lazy.map { object.related($0) }.first { !$0.isEmpty } ?? []
      for id in found where !ids.contains(id) { ids.append(id) }
    }
    return ids
  }

  /// Returns the row of an object, made from the object itself.
  fileprivate func row(for object: NativeObject, _ surroundings: MappingSurroundings) -> EntityRow {
    var row = EntityRow(object.entityID)
    row.refcon = Refcon.text(kind: object.kind.rawValue, permID: object.permID, type: object.type)
    row.object = ObjectStamp(kind: object.kind, modifiedAt: object.modifiedAt)
    row.category = category.filled(object)
    row.summaryHeader = HTMLText.plain(header.filled(object))
    row.summary = HTMLText.plain(summary.filled(object))
    row.identifier = object.identifier.isEmpty ? object.code : object.identifier
    var shown = properties(of: object, surroundings)
    for id in takes.flatMap({ object.related($0) }) {
      guard let other = surroundings.related[id] else { continue }
      shown += Self.taken(other, surroundings)
    }
    row.properties = shown
    row.images = images(of: object, surroundings)
    return row
  }

  private func properties(of object: NativeObject, _ surroundings: MappingSurroundings) -> [Property] {
    let types = surroundings.propertyTypes[object.kind]?[object.type] ?? []
    let labeled = Self.labeled(object.properties, types)
    guard let wanted = properties else { return labeled }
    return wanted.compactMap { code in labeled.first { $0.key == code } }
  }

  /// Returns properties in the order of the type, with their labels; properties missing in the type come last.
  private static func labeled(_ properties: [NativeProperty], _ types: [NativePropertyType]) -> [Property] {
    var byCode: [String: NativeProperty] = [:]
    for property in properties { byCode[property.code] = property }
    var labeled: [Property] = []
    labeled.reserveCapacity(properties.count)
    for type in types {
      guard let property = byCode.removeValue(forKey: type.code) else { continue }
      labeled.append(
        Property(
          key: type.code, label: type.label.isEmpty ? type.code : type.label, value: type.readable(property.value)))
    }
    for property in properties where byCode[property.code] != nil {
      labeled.append(Property(key: property.code, label: property.code, value: property.value))
    }
    return labeled
  }

  /// Returns the properties of an object that is shown with another one.
  private static func taken(_ other: NativeObject, _ surroundings: MappingSurroundings) -> [Property] {
    let prefix = other.kind.rawValue + "."
    let types = surroundings.propertyTypes[other.kind]?[other.type] ?? []
    let name = Property(
      key: prefix + "code", label: other.type.isEmpty ? other.kind.title : other.type, value: other.code)
    return [name]
      + labeled(other.properties, types).map {
        Property(key: prefix + $0.key, label: "\(other.code): \($0.label)", value: $0.value)
      }
  }

  /// Returns the images of an object; nil while the files of a data set that may be images are unknown.
  private func images(of object: NativeObject, _ surroundings: MappingSurroundings) -> [EntityImage]? {
    if images.isEmpty { return nil }
    var found: [EntityImage] = []
    for image in images {
      switch image.source {
      case .property(let code):
        let address = object.properties.first { $0.code == code }?.value ?? ""
        if !address.isEmpty { found.append(EntityImage(role: image.role, source: .address(address))) }
      case .files(let pattern):
        guard let files = surroundings.files[object.permID] else { return nil }
        for file in files where !file.isFolder && pattern.matches(file.path) {
          found.append(EntityImage(role: image.role, source: .address(file.address)))
        }
      }
    }
    return Self.withOneMarquee(found)
  }

  /// Returns the images with the first prominent one only; further prominent images become tiled.
  private static func withOneMarquee(_ images: [EntityImage]) -> [EntityImage] {
    var hasMarquee = false
    return images.map { image in
      var image = image
      if image.role == .marquee, hasMarquee { image.role = .tiled }
      hasMarquee = hasMarquee || image.role == .marquee
      return image
    }
  }
}

extension NativeObject {
  /// Returns the entity ids of the objects that have a relation to this one.
  func related(_ relation: MappingRule.Relation) -> [String] {
    func one(_ kind: NativeKind, _ permID: String?) -> [String] { permID.map { [Self.entityID(kind, $0)] } ?? [] }
    return switch relation {
    case .space: one(.space, space)
    case .project: one(.project, project)
    case .experiment: one(.experiment, experiment)
    case .sample: one(.sample, sample)
    case .container: one(kind, container)
    case .parents: parents.map { Self.entityID(kind, $0) }
    }
  }
}

/// The REFCON of entities that a mapping makes: `{"kind":…,"permId":…,"type":…}`.
enum Refcon {
  /// Returns the REFCON text of an object.
  static func text(kind: String, permID: String, type: String) -> String {
    "{\"kind\":\(quoted(kind)),\"permId\":\(quoted(permID)),\"type\":\(quoted(type))}"
  }

  /// Returns a text as a JSON string.
  private static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        out += "\\"
        out.unicodeScalars.append(scalar)
      case _ where scalar.value < 32:
        out += "\\u" + Hexadecimal.text(scalar.value, digits: 4)
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }

  /// Returns the object that an entity was made from, by the entity's id; nil for groups and entities not made by a
  /// mapping.
  static func object(of entityID: String) -> (kind: NativeKind, permID: String)? {
    for kind in NativeKind.allCases where entityID.hasPrefix(kind.rawValue + ".") {
      return (kind, String(entityID.dropFirst(kind.rawValue.count + 1)))
    }
    return nil
  }

  /// Returns the file that an entity was made from.
  static func file(of entityID: String) -> (dataSet: String, path: String)? {
    guard entityID.hasPrefix("FILE.") else { return nil }
    let remaining = entityID.dropFirst(5)
    guard let slash = remaining.firstIndex(of: "/") else { return nil }
    return (String(remaining[..<slash]), String(remaining[remaining.index(after: slash)...]))
  }
}
