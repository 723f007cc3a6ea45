extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element that satisfies a condition, the end if there is none.
  ///
  /// Elements that satisfy the condition follow those that do not.
  /// - Complexity: logarithmic in the elements.
  @inline(__always)
  func partitioningIndex(where belongsAfter: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Ranges of numbers, merged for many look-ups.
struct MergedRanges<Number: Comparable> {
  /// Disjoint ranges in ascending order.
  private var ranges: [ClosedRange<Number>] = []

  init(_ all: [ClosedRange<Number>]) {
    for range in all.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
  }

  /// Returns true if one of the ranges contains a number.
  ///
  /// - Complexity: logarithmic in the ranges.
  func contains(_ number: Number) -> Bool {
    let index = ranges.partitioningIndex { !($0.upperBound < number) }
    return index < ranges.count && ranges[index].contains(number)
  }
}
