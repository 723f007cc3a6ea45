/// Ranges of residue numbers, prepared for many look-ups.
///
/// It requires that only single residues have insertion codes.
struct ResidueNumberIndex {
  private var singles: Set<Int64> = []
  /// Disjoint ranges of numbers in ascending order.
  private var ranges: [ClosedRange<Int32>] = []

  init(_ list: [ResidueNumberRange]) {
    var open: [ClosedRange<Int32>] = []
    for range in list {
      if range.isSingle, !range.takesAnyCode {
        singles.insert(Self.key(range.first.number, range.first.code))
      } else {
        open.append(min(range.first.number, range.last.number)...max(range.first.number, range.last.number))
      }
    }
    for range in open.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
  }

  /// Returns true if a residue is in one of the ranges.
  ///
  /// - Complexity: logarithmic in the ranges.
  func contains(number: Int32, code: UInt8) -> Bool {
    if !singles.isEmpty, singles.contains(Self.key(number, code)) { return true }
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(number)
  }

  private static func key(_ number: Int32, _ code: UInt8) -> Int64 { Int64(number) << 8 | Int64(code) }
}
