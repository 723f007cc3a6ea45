import BenchmarkSupport
import PluginAPI

@testable import OpenBIS

/// Rows of a made-up laboratory: entity n has the children 3n + 1, 3n + 2 and 3n + 3, counted round.
struct LabRows: RowSource {
  let count: Int
  private let state: State

  // Only one thread requests rows.
  private final class State: @unchecked Sendable {
    var next = 0
    var prepared: [[EntityRow]] = []
  }

  private static let batch = 512
  private static let words = [
    "alpha", "protein", "sample", "buffer", "cell", "mouse", "liver", "gradient", "sequence", "plasmid", "yeast",
    "culture", "medium", "frozen", "antibody", "human", "kidney", "assay", "control", "treated", "Zürich", "enzyme",
  ]

  /// - Parameter isPrepared: True if all rows are made now.
  init(count: Int, isPrepared: Bool = false) {
    self.count = count
    state = State()
    if isPrepared {
      var batches: [[EntityRow]] = []
      while let rows = make() { batches.append(rows) }
      state.prepared = batches.reversed()
    }
  }

  func next() throws -> [EntityRow]? {
    if let rows = state.prepared.popLast() { return rows }
    return make()
  }

  private func make() -> [EntityRow]? {
    if state.next >= count { return nil }
    let numbers = state.next..<min(state.next + Self.batch, count)
    state.next = numbers.upperBound
    return numbers.map { Self.row($0, of: count) }
  }

  static func permID(_ number: Int) -> String { "20260101120000-" + padded(number, 7) }

  static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Returns words for a number, the same in each run.
  static func words(_ number: Int, _ count: Int) -> String {
    var state = UInt64(number) &* 0x9e37_79b9_7f4a_7c15 &+ 1
    var text = ""
    for _ in 0..<count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      text += (text.isEmpty ? "" : " ") + words[Int(state >> 33) % words.count]
    }
    return text
  }

  static func row(_ number: Int, of count: Int) -> EntityRow {
    var row = EntityRow(permID(number))
    row.category = number % 10 == 0 ? "Experiment" : "Sample"
    row.summaryHeader = "Sample " + padded(number, 7) + " run 1"
    row.summary = words(number, 8) + " " + String(number &* 7919 % 100_003)
    row.refcon =
      "{\"code\":\"S" + padded(number, 7)
      + "\",\"entityKind\":\"SAMPLE\",\"entityType\":\"PROBE\",\"permId\":\"\(number)\"}"
    row.identifier = "/LAB/PROJECT/S" + padded(number, 7)
    row.properties = [
      Property(key: "ORGANISM", label: "Organism", value: words(number + 1, 2)),
      Property(key: "MASS", label: "Mass", value: String(number &* 31 % 9973) + " mg"),
    ]
    row.children = .ids(PackedTexts((1...3).map { permID((3 * number + $0) % count) }))
    row.isRootLevel = number % 1000 == 0
    return row
  }

  /// Returns a category whose children are the first entities.
  static func category(children: Int) -> EntityRow {
    var row = EntityRow("CATEGORY")
    row.category = "Navigation"
    row.summaryHeader = "Everything"
    row.children = .ids(PackedTexts((0..<children).lazy.map(permID)))
    row.isRootLevel = true
    return row
  }
}
