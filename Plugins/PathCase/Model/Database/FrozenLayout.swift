/// The positions of a pathway's nodes as placed by hand.
///
/// Lengths have no unit and are relative to each other. The x axis points right, the y axis down; positions are
/// centers.
struct FrozenLayout: Sendable, Hashable {
  var pathway: Identifier
  var width: Double?
  var height: Double?
  var nodes: [FrozenNode] = []
  var paths: [FrozenPath] = []
}

/// The position of a pool or a process.
struct FrozenNode: Sendable, Hashable {
  /// The pool or process.
  var ref: Identifier
  /// A label that distinguishes nodes of the same pool; "" for the only one.
  var clone = ""
  var x: Double
  var y: Double
  var width: Double?
  var height: Double?
}

/// The line between a process and one of its pools.
struct FrozenPath: Sendable, Hashable {
  /// A point on the line.
  struct Point: Sendable, Hashable {
    var x: Double
    var y: Double
  }

  var process: Identifier
  var pool: Identifier
  /// The bends of the line, starting at the process.
  var points: [Point] = []
}
