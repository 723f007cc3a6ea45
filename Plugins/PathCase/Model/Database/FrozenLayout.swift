/// Where somebody placed the nodes of a pathway's picture.
///
/// Lengths are of no unit but one with another; x grows to the right and y downwards, and places are centres.
struct FrozenLayout: Sendable, Hashable {
  var pathway: Identifier
  var width: Double?
  var height: Double?
  var nodes: [FrozenNode] = []
  var paths: [FrozenPath] = []
}

/// The place of a pool or a process.
struct FrozenNode: Sendable, Hashable {
  /// The pool or process.
  var ref: Identifier
  /// Tells nodes of the same pool apart; "" for the only one.
  var clone = ""
  var x: Double
  var y: Double
  var width: Double?
  var height: Double?
}

/// The line between a process and one of its pools.
struct FrozenPath: Sendable, Hashable {
  /// A place on the line.
  struct Point: Sendable, Hashable {
    var x: Double
    var y: Double
  }

  var process: Identifier
  var pool: Identifier
  /// Where the line bends, from the process on.
  var points: [Point] = []
}
