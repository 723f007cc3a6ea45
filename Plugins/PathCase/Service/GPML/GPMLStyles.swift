/// The names of elements and attributes in the versions of GPML.
///
/// - Source: GPML2013a.xsd and GPML2021.xsd of PathVisio (https://github.com/PathVisio/GPML).
struct GPMLVersion {
  /// A Boolean value indicating whether attribute names start with a lowercase letter and elements of a kind are in a
  /// list.
  var is2021: Bool

  /// The supported namespaces.
  static let namespaces = ["http://pathvisio.org/GPML/2013a", "http://pathvisio.org/GPML/2021"]

  /// Creates the version of a namespace; nil if it is not supported.
  init?(namespace: String) {
    switch namespace {
    case Self.namespaces[0]: is2021 = false
    case Self.namespaces[1]: is2021 = true
    default: return nil
    }
  }

  var title: String { is2021 ? "title" : "Name" }
  var organism: String { is2021 ? "organism" : "Organism" }
  var id: String { is2021 ? "elementId" : "GraphId" }
  var reference: String { is2021 ? "elementRef" : "GraphRef" }
  var groupID: String { is2021 ? "elementId" : "GroupId" }
  var groupReference: String { is2021 ? "groupRef" : "GroupRef" }
  var groupStyle: String { is2021 ? "type" : "Style" }
  var label: String { is2021 ? "textLabel" : "TextLabel" }
  var type: String { is2021 ? "type" : "Type" }
  var x: String { is2021 ? "x" : "X" }
  var y: String { is2021 ? "y" : "Y" }
  var arrowHead: String { is2021 ? "arrowHead" : "ArrowHead" }
  var position: String { is2021 ? "position" : "Position" }
  var centerX: String { is2021 ? "centerX" : "CenterX" }
  var centerY: String { is2021 ? "centerY" : "CenterY" }
  var width: String { is2021 ? "width" : "Width" }
  var height: String { is2021 ? "height" : "Height" }
  var boardWidth: String { is2021 ? "boardWidth" : "BoardWidth" }
  var boardHeight: String { is2021 ? "boardHeight" : "BoardHeight" }
  var shapeType: String { is2021 ? "shapeType" : "ShapeType" }
  var borderColor: String { is2021 ? "borderColor" : "Color" }
  var borderStyle: String { is2021 ? "borderStyle" : "LineStyle" }
  var textColor: String { is2021 ? "textColor" : "Color" }
  var fillColor: String { is2021 ? "fillColor" : "FillColor" }
  var lineColor: String { is2021 ? "lineColor" : "Color" }
  var lineStyle: String { is2021 ? "lineStyle" : "LineStyle" }
  var relativeX: String { is2021 ? "relX" : "RelX" }
  var relativeY: String { is2021 ? "relY" : "RelY" }
  var referenceID: String { is2021 ? "identifier" : "ID" }
  var referenceSource: String { is2021 ? "dataSource" : "Database" }
}

/// The styles of drawn elements: colors, line styles, outlines.
extension GPMLReader {
  /// Returns the style of a node, label, shape or state; nil if it is the default.
  ///
  /// Editors write black borders and texts on white by default; these are left to the program.
  func style(of index: Int) -> GraphStyle? {
    guard let graphics = tree.child(of: index, named: "Graphics") else { return nil }
    var style = GraphStyle()
    let stroke = GPMLColor.color(graphics[version.borderColor])
    let fill = GPMLColor.color(graphics[version.fillColor])
    let text = version.is2021 ? GPMLColor.color(graphics[version.textColor]) : stroke
    let isChosen =
      (stroke ?? GPMLColor.black) != GPMLColor.black || (fill ?? GPMLColor.white) != GPMLColor.white
      || (text ?? GPMLColor.black) != GPMLColor.black
    if isChosen {
      style.stroke = stroke ?? GPMLColor.black
      style.text = text ?? GPMLColor.black
      style.fill = fill ?? (tree[index].name == "DataNode" ? GPMLColor.white : nil)
    }
    style.outline = outline(of: index, graphics)
    style.line = line(graphics[version.borderStyle], of: index)
    return style == GraphStyle() ? nil : style
  }

  /// Returns the style of a line.
  func lineStyle(of index: Int) -> GraphStyle? {
    guard let graphics = tree.child(of: index, named: "Graphics") else { return nil }
    var style = GraphStyle()
    let color = GPMLColor.color(graphics[version.lineColor])
    if color != GPMLColor.black { style.stroke = color }
    style.line = line(graphics[version.lineStyle], of: index) ?? .solid
    return style
  }

  /// Returns the style of a group, by its kind.
  ///
  /// - Source: PathVisio 3, `org.pathvisio.core.view.GroupPainterRegistry`: complexes have cut corners, groups of no kind
  ///   a dashed frame, `Group` (in 2021 `Transparent`) none.
  func groupStyle(of index: Int, kind: String) -> GraphStyle {
    var style = style(of: index) ?? GraphStyle()
    let isHidden = version.is2021 ? kind == "Transparent" : kind == "Group"
    switch kind {
    case "Complex": style.outline = .octagon
    case "Pathway": style.outline = .roundedRectangle
    default: style.outline = isHidden ? GraphStyle.Outline.none : style.outline ?? .rectangle
    }
    if !isHidden, style.outline == .rectangle { style.line = style.line ?? .dashed }
    return style
  }

  /// Returns the outline of a node or shape; nil if it is the default of its kind.
  ///
  /// - Source: libGPML, class `ShapeType`. Mitochondria are drawn without their folds, reticula as the default shape.
  private func outline(of index: Int, _ graphics: MarkupTree.Element) -> GraphStyle.Outline? {
    let name = (graphics[version.shapeType] ?? "").lowercased()
    let isNode = tree[index].name == "DataNode"
    switch name {
    case "rectangle": return isNode ? nil : .rectangle
    case "roundedrectangle": return isNode ? nil : .roundedRectangle
    case "oval", "ellipse", "circle", "nucleus", "vesicle", "mitochondria", "cella", "organa", "organb", "organc":
      return .oval
    case "hexagon", "ribosome", "proteinb": return .hexagon
    case "pentagon": return .pentagon
    case "triangle": return .triangle
    case "octagon": return .octagon
    case "none": return isNode ? nil : GraphStyle.Outline.none
    default: return tree[index].name == "Label" ? GraphStyle.Outline.none : nil
    }
  }

  private func line(_ name: String?, of index: Int) -> GraphStyle.Line? {
    for child in tree.children(of: index, named: "Attribute")
    where tree[child]["Key"] == "org.pathvisio.DoubleLineProperty" { return .double }
    switch name {
    case "Broken", "Dashed", "Dots": return .dashed
    case "Double": return .double
    default: return nil
    }
  }
}

/// The shape types that represent components of a cell.
///
/// - Source: libGPML (https://github.com/PathVisio/libGPML), class `ShapeType`: version 2021 stores a component as the
///   type of its shape, version 2013a mostly as a property.
enum GPMLComponent {
  /// Returns the name of the component that a shape type represents; nil if it is another shape.
  static func name(ofShape type: String) -> String? { names[key(type)] }

  private static let names = Dictionary(
    [
      "Cell", "Nucleus", "Nucleolus", "Organelle", "Mitochondria", "Vesicle", "Vacuole", "Lysosome", "Membrane",
      "Sarcoplasmic Reticulum", "Endoplasmic Reticulum", "Golgi Apparatus", "Cytosol region", "Extracellular region",
    ].map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })

  /// Returns a name without the spaces that version 2021 leaves out, in lowercase.
  private static func key(_ name: String) -> String { name.lowercased().filter { $0 != " " } }
}

/// Parses the colors of GPML.
///
/// - Source: GPML2013a.xsd, type `ColorType`: six hexadecimal digits or a name; GPML2021.xsd: eight digits with the
///   opacity last too.
enum GPMLColor {
  static let black = PictureColor(0, 0, 0)
  static let white = PictureColor(255, 255, 255)

  /// Returns the color in a text; nil if the text is not a color.
  static func color(_ text: String?) -> PictureColor? {
    guard let text else { return nil }
    return PictureColor(hexadecimal: names[text.lowercased()] ?? text)
  }

  private static let names = [
    "transparent": "ffffff00", "aqua": "00ffff", "black": "000000", "blue": "0000ff", "fuchsia": "ff00ff",
    "gray": "808080", "green": "008000", "lime": "00ff00", "maroon": "800000", "navy": "000080", "olive": "808000",
    "purple": "800080", "red": "ff0000", "silver": "c0c0c0", "teal": "008080", "white": "ffffff", "yellow": "ffff00",
  ]
}
