/// Moves atoms as little as needed to give bonds, angles and contacts their ideal values.
///
/// The energy is a sum of squares: bond lengths, distances across angles, distance goals, volumes of chiral centres,
/// shifts of anchored atoms, and overlaps of atoms more than two bonds apart. It is minimised with the limited-memory
/// BFGS method.
///
/// - Source: J. Nocedal and S. Wright, Numerical Optimization, 2nd ed., algorithm 7.5.
struct Regularizer {
  private struct Term {
    var first: Int
    var second: Int
    var distance: Double
    var weight: Double
  }

  private var pulls: [Term] = []
  private var contacts: [Term] = []
  private var near: [Term] = []
  private let chirality: [ChiralCenter]
  private let anchors: [(atom: Int, weight: Double)]
  private let start: [Vector]

  /// The volume of a tetrahedral carbon with bonds of 1.5 Å, in Å³.
  private static let chiralVolume = 2.5

  init(_ structure: Structure) {
    start = structure.atoms.map(\.position)
    chirality = structure.chirality
    anchors = structure.anchors
    let lengths = Dictionary(
      structure.bonds.flatMap { [([$0.first, $0.second], $0.length), ([$0.second, $0.first], $0.length)] },
      uniquingKeysWith: { first, _ in first })
    pulls = structure.bonds.map { Term(first: $0.first, second: $0.second, distance: $0.length, weight: 100) }
    for angle in structure.angles {
      guard let a = lengths[[angle.first, angle.center]], let b = lengths[[angle.center, angle.second]] else {
        continue
      }
      pulls.append(
        Term(
          first: angle.first, second: angle.second, distance: thirdSide(a, b, degrees: angle.degrees), weight: 40))
    }
    pulls += structure.goals.map {
      Term(first: $0.first, second: $0.second, distance: $0.distance, weight: $0.weight)
    }
    contacts = Contacts(structure).pairs.map {
      Term(first: $0.first, second: $0.second, distance: $0.distance, weight: 20)
    }
  }

  /// The coordinates after at most so many steps.
  mutating func regularized(steps: Int) -> [Vector] {
    var x = start
    refresh(x)
    var (energy, gradient) = evaluate(x)
    var history: [(s: [Vector], y: [Vector], rho: Double)] = []
    for step in 0..<steps {
      if step % 20 == 19 {
        refresh(x)
        (energy, gradient) = evaluate(x)
        history = []
      }
      var direction = Self.direction(gradient, history)
      var slope = Self.dot(direction, gradient)
      if slope >= 0 {
        direction = gradient.map { -$0 }
        slope = Self.dot(direction, gradient)
      }
      guard -slope > 1e-16 else { break }
      let longest = direction.reduce(0) { max($0, $1.length) }
      var scale = min(1, 0.2 / max(longest, 1e-12))
      var next = (x, energy, gradient)
      for _ in 0..<30 {
        let moved = zip(x, direction).map { $0 + scale * $1 }
        let (value, slopeThere) = evaluate(moved)
        next = (moved, value, slopeThere)
        if value <= energy + 1e-4 * scale * slope { break }
        scale *= 0.5
      }
      guard next.1 < energy else { break }
      let s = zip(next.0, x).map { $0 - $1 }
      let y = zip(next.2, gradient).map { $0 - $1 }
      let curvature = Self.dot(s, y)
      if curvature > 1e-12 { history.append((s, y, 1 / curvature)) }
      if history.count > 8 { history.removeFirst() }
      (x, energy, gradient) = next
    }
    return x
  }

  private static func dot(_ a: [Vector], _ b: [Vector]) -> Double {
    var sum = 0.0
    for index in a.indices { sum += (a[index] * b[index]).sum() }
    return sum
  }

  private static func direction(
    _ gradient: [Vector], _ history: [(s: [Vector], y: [Vector], rho: Double)]
  ) -> [Vector] {
    var q = gradient
    var alphas: [Double] = []
    for pair in history.reversed() {
      let alpha = pair.rho * dot(pair.s, q)
      alphas.append(alpha)
      for index in q.indices { q[index] -= alpha * pair.y[index] }
    }
    if let last = history.last {
      let scale = 1 / (last.rho * dot(last.y, last.y))
      for index in q.indices { q[index] *= scale }
    }
    for (pair, alpha) in zip(history, alphas.reversed()) {
      let beta = pair.rho * dot(pair.y, q)
      for index in q.indices { q[index] += (alpha - beta) * pair.s[index] }
    }
    return q.map { -$0 }
  }

  /// Keeps the contacts that can matter for the next steps.
  private mutating func refresh(_ x: [Vector]) {
    near = contacts.filter { (x[$0.first] - x[$0.second]).length < $0.distance + 1.5 }
  }

  private func evaluate(_ x: [Vector]) -> (Double, [Vector]) {
    var gradient = [Vector](repeating: .zero, count: x.count)
    var energy = 0.0
    for term in pulls { energy += add(term, x, &gradient) }
    for term in near where (x[term.first] - x[term.second]).length < term.distance {
      energy += add(term, x, &gradient)
    }
    for anchor in anchors {
      let shift = x[anchor.atom] - start[anchor.atom]
      energy += anchor.weight * (shift * shift).sum()
      gradient[anchor.atom] += 2 * anchor.weight * shift
    }
    for center in chirality { energy += add(center, x, &gradient) }
    return (energy, gradient)
  }

  private func add(_ term: Term, _ x: [Vector], _ gradient: inout [Vector]) -> Double {
    let between = x[term.first] - x[term.second]
    let distance = max(between.length, 1e-6)
    let off = distance - term.distance
    let force = 2 * term.weight * off / distance * between
    gradient[term.first] += force
    gradient[term.second] -= force
    return term.weight * off * off
  }

  /// Holds the signed volume of a centre at or beyond the ideal one.
  private func add(_ center: ChiralCenter, _ x: [Vector], _ gradient: inout [Vector]) -> Double {
    let sign = center.isPositive ? 1.0 : -1.0
    let a = x[center.first] - x[center.center]
    let b = x[center.second] - x[center.center]
    let c = x[center.third] - x[center.center]
    let short = Self.chiralVolume - sign * Starters.dot(a, cross(b, c))
    guard short > 0 else { return 0 }
    let force = -2 * 5 * short * sign
    let (da, db, dc) = (force * cross(b, c), force * cross(c, a), force * cross(a, b))
    gradient[center.first] += da
    gradient[center.second] += db
    gradient[center.third] += dc
    gradient[center.center] -= da + db + dc
    return 5 * short * short
  }
}

/// The side of a triangle opposite to an angle in degrees.
func thirdSide(_ a: Double, _ b: Double, degrees: Double) -> Double {
  (a * a + b * b - 2 * a * b * cosine(ofDegrees: degrees)).squareRoot()
}

/// Pairs of atoms more than two bonds apart and how near they may come.
struct Contacts {
  private(set) var pairs: [(first: Int, second: Int, distance: Double)] = []

  init(_ structure: Structure) {
    let neighbors = structure.neighbors
    for first in structure.atoms.indices {
      let close = Set(neighbors[first] + neighbors[first].flatMap { neighbors[$0] })
      let fourth = Set(close.flatMap { neighbors[$0] })
      for second in structure.atoms.indices where second > first && !close.contains(second) {
        let limit = Self.limit(structure.atoms[first].element, structure.atoms[second].element)
        pairs.append((first, second, fourth.contains(second) ? min(limit, 2.55) : limit))
      }
    }
  }

  /// Contacts found in crystals: hydrogen bonds allowed between nitrogen and oxygen, else little below van der Waals.
  private static func limit(_ a: String, _ b: String) -> Double {
    switch [a, b].sorted() {
    case ["H", "H"]: 2.0
    case let pair where pair.contains("H"): 2.2
    case ["N", "N"], ["N", "O"], ["O", "O"]: 2.75
    case ["C", "O"]: 3.0
    case ["C", "N"]: 3.1
    case ["C", "C"]: 3.3
    default: 3.2
    }
  }
}
