import PluginXML

/// The open glyphs while a layout is read.
struct LayoutState {
  /// The indices of the glyphs, outermost first.
  var open: [Int] = []
}

/// The elements of the layout package.
extension SBMLBuilder {
  func beginLayout(_ tag: SBMLTag, _ element: XMLElement) throws {
    if tag == .layout {
      layout = LayoutState()
      document.model.layouts.append(ModelLayout(id: Identifier(element["id"] ?? ""), name: element["name"] ?? ""))
      return
    }
    let last = document.model.layouts.count - 1
    guard last >= 0 else { return }
    if let kind = Self.kind(of: tag) { return beginGlyph(kind, element, in: last) }
    switch tag {
    case .dimensions: try takeSize(element, in: last)
    case .position, .start, .end, .basePoint1, .basePoint2: try takePoint(tag, element, in: last)
    case .curveSegment:
      guard let glyph = layout.open.last else { return }
      let origin = LayoutPoint(x: 0, y: 0)
      document.model.layouts[last].glyphs[glyph].segments.append(LayoutSegment(start: origin, end: origin))
    default: break
    }
  }

  func endLayout(_ tag: SBMLTag) {
    if Self.kind(of: tag) != nil { layout.open.removeLast(layout.open.isEmpty ? 0 : 1) }
  }

  private static func kind(of tag: SBMLTag) -> LayoutGlyph.Kind? {
    switch tag {
    case .compartmentGlyph: .compartment
    case .speciesGlyph: .species
    case .reactionGlyph: .reaction
    case .textGlyph: .text
    case .generalGlyph, .graphicalObject: .general
    case .speciesReferenceGlyph: .speciesReference
    case .referenceGlyph: .reference
    default: nil
    }
  }

  private func beginGlyph(_ kind: LayoutGlyph.Kind, _ element: XMLElement, in place: Int) {
    let object: String? =
      switch kind {
      case .compartment: element["compartment"]
      case .species: element["species"]
      case .reaction: element["reaction"]
      case .text: element["originOfText"]
      case .speciesReference: element["speciesReference"]
      case .general, .reference: element["reference"]
      }
    let target = element["speciesGlyph"] ?? element["glyph"] ?? element["graphicalObject"]
    var glyph = LayoutGlyph(kind: kind, id: Identifier(element["id"] ?? ""))
    glyph.object = object.map { Identifier($0) }
    glyph.target = target.map { Identifier($0) }
    glyph.owner = layout.open.last
    glyph.role = element["role"]
    glyph.text = kind == .text ? element["text"] : nil
    layout.open.append(document.model.layouts[place].glyphs.count)
    document.model.layouts[place].glyphs.append(glyph)
  }

  private func takeSize(_ element: XMLElement, in place: Int) throws {
    guard let width = try finite("width", of: element), let height = try finite("height", of: element) else { return }
    let size = LayoutSize(width: width, height: height)
    if let glyph = layout.open.last {
      document.model.layouts[place].glyphs[glyph].size = size
    } else {
      document.model.layouts[place].size = size
    }
  }

  private func takePoint(_ tag: SBMLTag, _ element: XMLElement, in place: Int) throws {
    guard let glyph = layout.open.last, let x = try finite("x", of: element), let y = try finite("y", of: element)
    else { return }
    let point = LayoutPoint(x: x, y: y)
    if tag == .position {
      document.model.layouts[place].glyphs[glyph].corner = point
      return
    }
    let segment = document.model.layouts[place].glyphs[glyph].segments.count - 1
    guard segment >= 0 else { return }
    switch tag {
    case .start: document.model.layouts[place].glyphs[glyph].segments[segment].start = point
    case .end: document.model.layouts[place].glyphs[glyph].segments[segment].end = point
    case .basePoint1: document.model.layouts[place].glyphs[glyph].segments[segment].first = point
    default: document.model.layouts[place].glyphs[glyph].segments[segment].second = point
    }
  }

  private func finite(_ name: String, of element: XMLElement) throws -> Double? {
    guard let number = try number(name, of: element) else { return nil }
    if number.isFinite { return number }
    throw refuse("typ-001", id: element["id"], "\(name) of a place is not finite")
  }
}
