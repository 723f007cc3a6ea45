import PluginAPI

/// A measured quantity and its points.
struct Measurement: Model {
  /// A selection that is measured as one point.
  struct Point: Model {
    let selection: String
    let atoms: Int
    let label: String?
    let conformers: [String]
    let place: SIMD3<Double>

    static let typeName = "molecules.measured-point"
    static let fields = Fields<Point> {
      Field("selection", \.selection, "Selection as written")
      Field("atoms", \.atoms, "Number of selected atoms")
      Field("label", \.label, "Atom, such as A/CYS3/SG or A/CYS3/SG@B; null for the center of several")
      Field("conformers", \.conformers, "Alternate locations of these atoms; empty if they have none")
      Field("place", \.place.coordinates, "Coordinates x, y and z in angstrom")
    }
  }

  let value: Double
  let unit: MeasuredQuantity.Unit
  let points: [Point]

  static let typeName = MoleculeValueType.measurement
  static let fields = Fields<Measurement> {
    Field("value", \.value, .single, "Distance in angstrom or angle in degrees, rounded to 0.000001")
    Field("unit", \.unit, "Unit of the value")
    Field("points", \.points, "Measured points")
  }
}
