/// Finds the minimum of a function of a few numbers without derivatives.
///
/// Step is the size of the first simplex, steps the number of times it is moved.
///
/// - Source: J. A. Nelder and R. Mead, Computer Journal 7 (1965) 308.
func minimum(from start: [Double], step: Double, steps: Int, of function: ([Double]) -> Double) -> [Double] {
  var points =
    [start]
    + start.indices.map { index in
      var point = start
      point[index] += step
      return point
    }
  var values = points.map(function)
  for _ in 0..<steps {
    let order = points.indices.sorted { (values[$0], $0) < (values[$1], $1) }
    points = order.map { points[$0] }
    values = order.map { values[$0] }
    let last = points.count - 1
    let middle = start.indices.map { axis in points[..<last].reduce(0) { $0 + $1[axis] } / Double(last) }
    func along(_ share: Double) -> [Double] {
      start.indices.map { middle[$0] + share * (points[last][$0] - middle[$0]) }
    }
    let reflected = along(-1)
    let value = function(reflected)
    if value < values[0] {
      let expanded = along(-2)
      let better = function(expanded)
      (points[last], values[last]) = better < value ? (expanded, better) : (reflected, value)
    } else if value < values[last - 1] {
      (points[last], values[last]) = (reflected, value)
    } else {
      let contracted = along(value < values[last] ? -0.5 : 0.5)
      let smaller = function(contracted)
      if smaller < min(value, values[last]) {
        (points[last], values[last]) = (contracted, smaller)
      } else {
        for index in 1...last {
          points[index] = start.indices.map { points[0][$0] + 0.5 * (points[index][$0] - points[0][$0]) }
          values[index] = function(points[index])
        }
      }
    }
  }
  let best = points.indices.min { values[$0] < values[$1] } ?? 0
  return points[best]
}
