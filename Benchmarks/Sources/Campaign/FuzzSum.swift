/// The summary of many inputs, without the findings.
struct FuzzSum {
  var accepted = 0
  /// The longest time of an input, in milliseconds.
  var slowest = Most()
  /// The maximum number of bytes allocated per byte of an input.
  var ratio = Most()
  /// The most memory of a process, in KiB.
  var memory = 0.0

  /// The largest figure, and the number of the input it is of.
  struct Most: Comparable {
    var figure = 0.0
    var number = 0

    init(_ figure: Double = 0, _ number: Int = 0) {
      self.figure = figure
      self.number = number
    }

    static func < (one: Most, other: Most) -> Bool { one.figure < other.figure }
  }

  init() {}

  /// Reads the last output of a child; nil if it did not get that far.
  init?(words text: some StringProtocol) {
    let words = text.split(separator: " ").compactMap { Double($0) }
    guard words.count == 6 else { return nil }
    accepted = Int(words[0])
    slowest = Most(words[1], Int(words[2]))
    ratio = Most(words[3], Int(words[4]))
    memory = words[5]
  }

  /// All of it in a line.
  var words: String { "\(accepted) \(slowest.figure) \(slowest.number) \(ratio.figure) \(ratio.number) \(memory)" }

  /// Adds the summary of other inputs.
  mutating func add(_ other: FuzzSum) {
    accepted += other.accepted
    slowest = max(slowest, other.slowest)
    ratio = max(ratio, other.ratio)
    memory = max(memory, other.memory)
  }
}
