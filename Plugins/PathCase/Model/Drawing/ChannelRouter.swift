/// Routes lines through the channel between two rows: down, across on a track, and down again.
///
/// Lines share cells only where they cross, or where they have a common end and leave it at the same column.
///
/// - Source: A. Hashimoto, J. Stevens, Design Automation Workshop 1971, 155, for tracks; D. N. Deutsch, Design
///   Automation Conference 1976, 425, for doglegs.
struct ChannelRouter {
  /// A line from one end of the channel to another.
  struct Net: Hashable {
    var route: Int
    /// The column at the upper side.
    var top: Int
    /// The column at the lower side, or the second column at the upper side for a line that turns back.
    var bottom: Int
    var turnsRound = false
  }

  /// The part of a net that lies on one track.
  private struct Part {
    var net: Int
    var from: Int
    var to: Int
    /// True if the part connects to the first end of its net rather than to another part.
    var isFirst = true
    var isLast = true
    var track = 0
    var low: Int { min(from, to) }
    var high: Int { max(from, to) }
  }

  private let nets: [Net]
  private var parts: [Part] = []
  /// The number of tracks across the channel, in rows of cells.
  private(set) var trackCount = 0
  private var partsOfNet: [[Int]] = []
  private var used: Set<Int> = []

  init(_ nets: [Net]) {
    self.nets = nets
    partsOfNet = [[Int]](repeating: [], count: nets.count)
    for (index, net) in nets.enumerated() {
      used.insert(net.top)
      used.insert(net.bottom)
      if net.top == net.bottom && !net.turnsRound { continue }
      partsOfNet[index] = [parts.count]
      parts.append(Part(net: index, from: net.top, to: net.bottom))
    }
    assignTracks()
  }

  /// Returns the wires of all nets, given the rows of the channel and the row of the first track.
  func wires(channel: Range<Int>, tracksFrom first: Int) -> [TextDrawing.Wire] {
    var result: [TextDrawing.Wire] = []
    for (index, net) in nets.enumerated() {
      // The cells outside the channel's borders join the lines to those of the rows.
      if partsOfNet[index].isEmpty {
        result.append(vertical(net.route, net.top, channel.lowerBound - 1, channel.upperBound))
        continue
      }
      for number in partsOfNet[index] {
        let part = parts[number]
        let row = first + part.track
        result.append(
          .init(route: net.route, column: part.low, row: row, length: part.high - part.low + 1, isVertical: false))
        if part.isFirst { result.append(vertical(net.route, part.from, channel.lowerBound - 1, row)) }
        if net.turnsRound {
          result.append(vertical(net.route, part.to, channel.lowerBound - 1, row))
        } else if part.isLast {
          result.append(vertical(net.route, part.to, row, channel.upperBound))
        } else if let other = partsOfNet[index].last {
          result.append(vertical(net.route, part.to, row, first + parts[other].track))
        }
      }
    }
    return result
  }

  private func vertical(_ route: Int, _ column: Int, _ top: Int, _ bottom: Int) -> TextDrawing.Wire {
    .init(route: route, column: column, row: top, length: bottom - top + 1, isVertical: true)
  }

  /// Returns the vertical constraints: a part that enters from above at a column must lie above parts that leave
  /// downward there.
  private func constraints() -> (after: [[Int]], waits: [Int]) {
    var tops: [Int: [Int]] = [:]
    for (number, part) in parts.enumerated() {
      if part.isFirst { tops[part.from, default: []].append(number) }
      if nets[part.net].turnsRound { tops[part.to, default: []].append(number) }
    }
    var after = [[Int]](repeating: [], count: parts.count)
    var waits = [Int](repeating: 0, count: parts.count)
    for (number, part) in parts.enumerated() where !nets[part.net].turnsRound {
      var above = part.isLast ? tops[part.to, default: []] : []
      if !part.isFirst { above += partsOfNet[part.net].first.map { [$0] } ?? [] }
      for other in above where other != number {
        after[other].append(number)
        waits[number] += 1
      }
    }
    return (after, waits)
  }

  /// Returns whether a part is placed before another.
  ///
  /// Parts that run right come first, by descending start, then the others by ascending start, so that lines nest.
  private func precedes(_ left: Int, _ right: Int) -> Bool {
    let (first, second) = (parts[left], parts[right])
    let isRight = (first.from < first.to, second.from < second.to)
    if isRight.0 != isRight.1 { return isRight.0 }
    if first.from != second.from { return isRight.0 ? first.from > second.from : first.from < second.from }
    return first.to != second.to ? abs(first.to - first.from) < abs(second.to - second.from) : left < right
  }

  /// Assigns the parts to tracks in an order that satisfies the constraints; a dogleg breaks a cycle of constraints.
  private mutating func assignTracks() {
    while let stuck = tryTracks() { split(stuck) }
  }

  /// - Returns: A part of a cycle of constraints; nil if all parts are placed.
  private mutating func tryTracks() -> Int? {
    var (after, waits) = constraints()
    let order = parts.indices.sorted { precedes($0, $1) }
    var rank = [Int](repeating: 0, count: parts.count)
    for (index, number) in order.enumerated() { rank[number] = -index }
    var queue = BestFirstQueue()
    for number in parts.indices where waits[number] == 0 { queue.add(number, score: rank[number]) }
    var skyline = ChannelSkyline()
    var isPlaced = [Bool](repeating: false, count: parts.count)
    while let (number, _) = queue.next() {
      isPlaced[number] = true
      parts[number].track = skyline.add(from: parts[number].low, to: parts[number].high)
      for other in after[number] {
        waits[other] -= 1
        if waits[other] == 0 { queue.add(other, score: rank[other]) }
      }
      after[number] = []
    }
    trackCount = skyline.height
    let stuck = parts.indices.filter { !isPlaced[$0] }
    return stuck.first { isInCycle($0, after, isPlaced) } ?? stuck.first
  }

  /// Returns whether an undivided part lies on a cycle of constraints.
  private func isInCycle(_ start: Int, _ after: [[Int]], _ isPlaced: [Bool]) -> Bool {
    if !parts[start].isFirst || !parts[start].isLast || nets[parts[start].net].turnsRound { return false }
    var (seen, waiting): (Set<Int>, [Int]) = ([], after[start])
    while let next = waiting.popLast() {
      if next == start { return true }
      if !isPlaced[next], seen.insert(next).inserted { waiting += after[next] }
    }
    return false
  }

  /// Splits a part into two that are joined at a free column.
  private mutating func split(_ number: Int) {
    let part = parts[number]
    var column = (part.from + part.to) / 2
    var step = 1
    while used.contains(column) {
      column += step
      step = step > 0 ? -(step + 1) : -(step - 1)
    }
    used.insert(column)
    partsOfNet[part.net].append(parts.count)
    parts.append(Part(net: part.net, from: column, to: part.to, isFirst: false, isLast: true))
    parts[number].to = column
    parts[number].isLast = false
  }
}

/// The lowest occupied track of a channel at each column.
private struct ChannelSkyline {
  private var tracks: [[ClosedRange<Int>]] = []

  var height: Int { tracks.count }

  /// Occupies the first track below everything between two columns.
  ///
  /// - Returns: The track, from 0.
  mutating func add(from low: Int, to high: Int) -> Int {
    var track = tracks.count
    while track > 0, !tracks[track - 1].contains(where: { $0.lowerBound <= high && low <= $0.upperBound }) {
      track -= 1
    }
    if track == tracks.count { tracks.append([]) }
    tracks[track].append(low...high)
    return track
  }
}
