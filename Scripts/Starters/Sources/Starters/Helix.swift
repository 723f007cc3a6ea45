/// The screw that carries one part of a chain onto the next, and the line it turns about.
struct HelixAxis {
  /// A point of the axis.
  var origin: Vector
  /// The direction of the axis, along the chain, of length one.
  var direction: Vector
  /// The turn per part in degrees, -180 to 180, right-handed when positive.
  var twist: Double
  /// The shift along the axis per part in ångström.
  var rise: Double

  /// The screw that carries the first three atoms onto the second three.
  ///
  /// The axis is that of the rotation between the two local frames; a point of it solves
  /// (1 − R) p = t for the part of the shift at right angles to the axis.
  init(from first: Backbone, to second: Backbone) {
    let a = Self.frame(first)
    let b = Self.frame(second)
    // The rotation R = B Aᵀ, by its action on a vector.
    func rotated(_ v: Vector) -> Vector {
      dot(a.0, v) * b.0 + dot(a.1, v) * b.1 + dot(a.2, v) * b.2
    }
    let (x, y, z) = (rotated(Vector(1, 0, 0)), rotated(Vector(0, 1, 0)), rotated(Vector(0, 0, 1)))
    let cosine = min(max((x.x + y.y + z.z - 1) / 2, -1), 1)
    var axis = Vector(y.z - z.y, z.x - x.z, x.y - y.x)
    if axis.length < 1e-6 { axis = (rotated(b.0) + b.0).length > 1e-6 ? rotated(b.0) + b.0 : b.1 }
    axis = axis.normalized
    let shift = second.ca - first.ca
    let reversed = dot(shift, axis) < 0
    direction = reversed ? -axis : axis
    rise = abs(dot(shift, axis))
    let degrees = arcCosine(cosine)
    twist = reversed ? -degrees : degrees
    // The chord across the axis and half the turn give the distance of its middle from the axis.
    let chord = shift - dot(shift, direction) * direction
    let half = radians(twist / 2)
    let inwards = cross(direction, chord)
    origin = first.ca + chord / 2 + inwards / 2 / tangent(half)
  }

  private static func frame(_ part: Backbone) -> (Vector, Vector, Vector) {
    let first = (part.n - part.ca).normalized
    let third = cross(first, part.c - part.ca).normalized
    return (first, cross(third, first), third)
  }

  /// A point in the cylindrical frame of the axis: z along it, x towards a point of reference.
  func coordinates(of point: Vector, reference: Vector) -> Vector {
    let out = reference - origin
    let x = (out - dot(out, direction) * direction).normalized
    let y = cross(direction, x)
    let offset = point - origin
    return Vector(dot(offset, x), dot(offset, y), dot(offset, direction))
  }
}
