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
