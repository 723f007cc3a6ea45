/// The molecules that stand beside each box of a drawing.
struct DrawingStubs: Sendable {
  /// The number of columns between a box and a molecule beside it.
  static let gap = 3

  /// The stubs of each place from the top, on its left and on its right.
  private var left: [Int: [Int]] = [:]
  private var right: [Int: [Int]] = [:]
  private var places: [Int: Int] = [:]
  private var routesOf: [Int: [Int]] = [:]

  init(_ layout: GraphLayout) {
    for (number, place) in layout.places.enumerated() {
      guard let host = place.beside else { continue }
      if place.frame.x < layout.places[host].frame.x {
        left[host, default: []].append(number)
      } else {
        right[host, default: []].append(number)
      }
    }
    if left.isEmpty, right.isEmpty { return }
    for key in left.keys { left[key]?.sort { layout.places[$0].frame.y < layout.places[$1].frame.y } }
    for key in right.keys { right[key]?.sort { layout.places[$0].frame.y < layout.places[$1].frame.y } }
    for stubs in Array(left.values) + Array(right.values) {
      for (place, stub) in stubs.enumerated() { places[stub] = place }
    }
    for (number, route) in layout.routes.enumerated() {
      for end in [route.source, route.target] where layout.places[end].beside != nil {
        routesOf[end, default: []].append(number)
      }
    }
  }

  /// Returns the number of stubs on the side of a place that has more of them.
  func most(_ host: Int) -> Int { max(left[host]?.count ?? 0, right[host]?.count ?? 0) }

  func count(_ host: Int, isLeft: Bool) -> Int { (isLeft ? left : right)[host]?.count ?? 0 }

  /// Returns all stubs beside a place.
  func all(_ host: Int) -> [Int] { left[host, default: []] + right[host, default: []] }

  /// Returns the number of stubs above a stub on its side.
  func place(_ stub: Int) -> Int { places[stub, default: 0] }

  /// Returns the routes of a stub.
  func routes(_ stub: Int) -> [Int] { routesOf[stub, default: []] }
}
