import Glibc

typealias Vector = SIMD3<Double>

extension SIMD3<Double> {
  var length: Double { dot(self, self).squareRoot() }
  var normalized: Vector { self / length }
}

func dot(_ a: Vector, _ b: Vector) -> Double { (a * b).sum() }

func cross(_ a: Vector, _ b: Vector) -> Vector {
  Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

/// The angle a-b-c in degrees.
func angle(_ a: Vector, _ b: Vector, _ c: Vector) -> Double {
  let cosine = dot((a - b).normalized, (c - b).normalized)
  return acos(min(max(cosine, -1), 1)) * 180 / .pi
}

/// The torsion angle a-b-c-d in degrees, -180 to 180, positive clockwise looking from b to c.
///
/// - Source: IUPAC-IUB, Biochemistry 9 (1970) 3471.
func torsion(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Double {
  let first = cross(b - a, c - b)
  let second = cross(c - b, d - c)
  return atan2(dot(b - a, second) * (c - b).length, dot(first, second)) * 180 / .pi
}

/// The point at a bond length from c, with angle b-c-d and torsion a-b-c-d in degrees.
///
/// - Source: natural extension reference frame, J. Parsons et al., J. Comput. Chem. 26 (2005) 1063.
func extended(_ a: Vector, _ b: Vector, _ c: Vector, length: Double, angle: Double, torsion: Double) -> Vector {
  let axis = (c - b).normalized
  let normal = cross(b - a, axis).normalized
  let side = cross(normal, axis)
  let bend = radians(angle)
  let turn = radians(torsion)
  return c + length * (-cos(bend) * axis + sin(bend) * cos(turn) * side + sin(bend) * sin(turn) * normal)
}

/// The point at a bond length from a centre that makes given angles in degrees with two of its bonds.
///
/// The side is 1 for that of the cross product of the bonds to a and to b, -1 for the other.
func branched(
  _ center: Vector, _ a: Vector, _ b: Vector, length: Double, angles: (Double, Double), side: Double
) -> Vector {
  let u = (a - center).normalized
  let v = (b - center).normalized
  let between = dot(u, v)
  let (p, q) = (cos(radians(angles.0)), cos(radians(angles.1)))
  let scale = 1 - between * between
  let alongU = (p - q * between) / scale
  let alongV = (q - p * between) / scale
  let flat = alongU * u + alongV * v
  let rise = max(0, 1 - dot(flat, flat)).squareRoot()
  return center + length * (flat + side * rise * cross(u, v).normalized)
}

/// A turn about the z axis by degrees, and a shift along it.
struct Screw {
  var twist: Double
  var rise: Double

  func applied(to point: Vector, times: Double = 1) -> Vector {
    let turn = radians(twist * times)
    let (s, c) = (sin(turn), cos(turn))
    return Vector(c * point.x - s * point.y, s * point.x + c * point.y, point.z + rise * times)
  }
}

func cosine(ofDegrees degrees: Double) -> Double { cos(radians(degrees)) }
func sine(ofDegrees degrees: Double) -> Double { sin(radians(degrees)) }

func arcCosine(_ cosine: Double) -> Double { acos(cosine) * 180 / .pi }
func tangent(_ radians: Double) -> Double { tan(radians) }
func arcSine(_ sine: Double) -> Double { asin(sine) }
