import Glibc
import PluginAPI

/// The mean positions of moon and sun at an instant; all angles in degrees, not reduced to a turn.
///
/// - Source: J. Meeus, "Astronomical Algorithms", 2nd edition, chapters 22, 25 and 47; linear terms. The time scale is
///   Universal Time: the difference to dynamical time moves the tide by less than a minute.
struct Astronomy {
  /// 15° per hour since midnight in Greenwich.
  let hourAngle: Double
  /// Mean longitudes of the moon, the sun, the moon's perigee and its ascending node.
  let moon: Double
  let sun: Double
  let perigee: Double
  let node: Double

  init(_ instant: Instant) {
    // 2000-01-01 12:00 is second 946 728 000 of Unix time.
    let hours = instant.seconds(since: Instant(seconds: 946_728_000)) / 3600
    let centuries = hours / (36_525 * 24)
    hourAngle = 15 * (hours + 12)
    moon = 218.316_447_7 + 481_267.881_234_21 * centuries
    sun = 280.466_46 + 36_000.769_83 * centuries
    perigee = 83.353_246_5 + 4_069.013_728_7 * centuries
    node = 125.044_547_9 - 1_934.136_289_1 * centuries
  }
}

/// Functions of angles in degrees.
enum Degrees {
  static func cos(_ angle: Double) -> Double { Glibc.cos(angle * .pi / 180) }

  static func sin(_ angle: Double) -> Double { Glibc.sin(angle * .pi / 180) }

  /// Returns the angle reduced to 0 ..< 360.
  static func reduced(_ angle: Double) -> Double { angle - 360 * (angle / 360).rounded(.down) }
}
