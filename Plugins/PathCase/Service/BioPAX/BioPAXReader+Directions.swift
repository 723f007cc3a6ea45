/// The direction in which a conversion runs.
///
/// - Source: BioPAX level 3, `conversionDirection`, `stepDirection` and `catalysisDirection`; files of Pathway Commons
///   have underscores instead of hyphens.
enum BioPAXDirection: String, Sendable {
  case leftToRight = "LEFT-TO-RIGHT"
  case rightToLeft = "RIGHT-TO-LEFT"
  case reversible = "REVERSIBLE"

  /// Creates a direction from the text of a file; nil if the text is not a direction.
  init?(file text: String) {
    let letters = text.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
    self.init(rawValue: String(decoding: letters, as: UTF8.self).uppercased())
  }

  /// Returns the direction of a conversion that is run in both of two directions.
  func joined(_ other: BioPAXDirection) -> BioPAXDirection { self == other ? self : .reversible }
}

extension BioPAXReader {
  /// Finds the direction of each conversion: that of its steps, or else of its catalyses, or else its own.
  ///
  /// A conversion that steps run in opposite directions is reversible.
  mutating func findDirections() {
    let sources = [
      (type: "BiochemicalPathwayStep", property: "stepDirection", conversions: "stepConversion"),
      (type: "Catalysis", property: "catalysisDirection", conversions: "controlled"),
    ]
    for source in sources {
      var found: [Identifier: BioPAXDirection] = [:]
      for object in objects.objects where object.type == source.type {
        guard let direction = direction(source.property, of: object) else { continue }
        for conversion in object.references(source.conversions) {
          found[conversion] = found[conversion]?.joined(direction) ?? direction
        }
      }
      directions.merge(found) { known, _ in known }
    }
    for object in objects.objects where BioPAXClass.isProcess(object.type) {
      guard let direction = direction("conversionDirection", of: object) else { continue }
      if direction == .reversible { reversibles.insert(object.key) }
      if directions[object.key] == nil { directions[object.key] = direction }
    }
  }

  /// Returns the direction given by a property of an object; warns of an unknown one.
  private mutating func direction(_ property: String, of object: BioPAXObjects.Object) -> BioPAXDirection? {
    guard let text = object.text(property) else { return nil }
    let direction = BioPAXDirection(file: text)
    if direction == nil {
      builder.warn(
        "typ-003", "'\(text)' is not a value of \(property) of '\(object.label)'; it is left out",
        advice: "write LEFT-TO-RIGHT, RIGHT-TO-LEFT or REVERSIBLE")
    }
    return direction
  }
}
