/// A lab with any number of entities, which are generated on request and not stored.
///
/// Ten consecutive entities form a small tree: the first has three children, and each of these has two.
struct PlainLab: SimulatedLab {
  let shape = SimulatorShape.plain
  let categories: [SimulatedCategory]
  let frame: SimulatedFrame
  let count: Int
  private let seed: UInt64
  /// The number of entities with the same times.
  private let importSize: Int
  /// The numbers of the categories, with at least two digits, by category.
  private let numbers: [String]

  init(entities: Int, categories: Int, importSize: Int = 1, seed: UInt64) {
    count = entities
    self.importSize = max(1, importSize)
    self.seed = seed
    let numbers = (1...max(1, categories)).map { $0 < 10 ? "0\($0)" : "\($0)" }
    self.numbers = numbers
    self.categories = numbers.map { number in
      SimulatedCategory(
        permID: "TYPE_\(number)", category: "Navigation", header: "Type \(number)",
        refcon: #"{"code":"TYPE_\#(number)","entityKind":"NAVIGATION","entityType":"NAVIGATION"}"#)
    }
    frame = .usual(
      spaces: ["LAB_1", "LAB_2", "LAB_3"],
      sampleTypes: numbers.map { number in
        .init(
          code: "TYPE_\(number)", description: "Things of type \(number)",
          properties: [
            .init(code: "NAME", label: "Name"), .init(code: "AMOUNT", label: "Amount", dataType: "INTEGER"),
            .init(code: "NOTES", label: "Notes", dataType: "MULTILINE_VARCHAR"),
          ])
      })
  }

  func members(of category: Int) -> SimulatedIndexes { .every(step: categories.count, from: category, below: count) }

  func modified(_ index: Int) -> Int { SimulatedTime.birth + index / importSize }

  /// True if several entities have the same times.
  var hasTies: Bool { importSize > 1 }

  func nativePermID(_ index: Int) -> String { Self.permID(index) }

  func index(ofPermID permID: String) -> Int? {
    guard permID.hasPrefix(Self.prefix), let number = Int(permID.dropFirst(Self.prefix.count)),
      (1...max(1, count)).contains(number), count > 0
    else { return nil }
    return number - 1
  }

  func index(ofNativePermID permID: String) -> Int? { index(ofPermID: permID) }

  func entity(_ index: Int) -> SimulatedEntity {
    let number = numbers[index % numbers.count]
    let code = "S\(index + 1)"
    let experiment = index / 10 % frame.experiments.count
    let identifier = "\(frame.identifier(ofProject: experiment))/\(code)"
    let children = childIndexes(index)
    var entity = SimulatedEntity(
      permID: Self.permID(index),
      refcon: #"{"code":"\#(code)","entityKind":"SAMPLE","entityType":"TYPE_\#(number)"}"#, category: "Type \(number)",
      header: "Sample \(index + 1)", summary: summary(index), identifier: identifier,
      children: children.map { Self.permID($0) },
      properties: [
        .init("NAME", "Name", "Sample \(index + 1)"), .init("AMOUNT", "Amount", "\(index % 977)"),
        .init("NOTES", "Notes", summary(index)),
      ], image: index % 100 == 0 ? .path("/datastore_server/DSS1/original/images/\(index).png") : .empty, isRoot: true)
    entity.registered = modified(index)
    entity.modified = entity.registered
    entity.native = .init(
      permID: entity.permID, code: code, typeCode: "TYPE_\(number)", experiment: experiment,
      parents: parentIndex(index).map { [$0] } ?? [], children: children)
    return entity
  }

  private static let prefix = "20240101120000000-"
  private static func permID(_ index: Int) -> String { "\(prefix)\(index + 1)" }

  private func summary(_ index: Int) -> String {
    var text = ""
    text.reserveCapacity(64)
    var buffer = WireBuffer(reserving: 64)
    addSummary(index, &buffer)
    text += String(decoding: buffer.bytes, as: UTF8.self)
    return text
  }

  /// Appends five words derived from a single random number, so that a million rows are fast.
  private func addSummary(_ index: Int, _ buffer: inout WireBuffer) {
    var chance = SimulatedChance(seed, index)
    var bits = chance.next()
    for position in 0..<5 {
      if position > 0 { buffer.add(" ") }
      buffer.add(raw: Self.words[Int(bits & 63)])
      bits >>= 6
    }
  }

  private static let words = SimulatedChance.words.map { Array($0.utf8) }

  private func childIndexes(_ index: Int) -> [Int] {
    let start = index / 10 * 10
    let children =
      switch index - start {
      case 0: [start + 1, start + 2, start + 3]
      case let position where position < 4: [start + 2 * position + 2, start + 2 * position + 3]
      default: [Int]()
      }
    return children.last.map { $0 < count } ?? true ? children : children.filter { $0 < count }
  }

  private func parentIndex(_ index: Int) -> Int? {
    let start = index / 10 * 10
    return switch index - start {
    case 0: nil
    case 1...3: start
    case let position: start + (position - 2) / 2
    }
  }

  /// Writes the contents of the cells of a ROOT row, each between its quotation marks.
  ///
  /// The result is the same as from the entity, but ten times as fast.
  func addRootCells(_ index: Int, _ cell: (_ buffer: inout WireBuffer) -> Void, _ buffer: inout WireBuffer) {
    let number = numbers[index % numbers.count]
    cell(&buffer)
    buffer.add("20240101120000000-")
    buffer.add(index + 1)
    cell(&buffer)
    buffer.add(#"{\"code\":\"S"#)
    buffer.add(index + 1)
    buffer.add(#"\",\"entityKind\":\"SAMPLE\",\"entityType\":\"TYPE_"#)
    buffer.add(raw: number)
    buffer.add(#"\"}"#)
    cell(&buffer)
    buffer.add("Type ")
    buffer.add(raw: number)
    cell(&buffer)
    buffer.add("Sample ")
    buffer.add(index + 1)
    cell(&buffer)
    addSummary(index, &buffer)
    cell(&buffer)
    addChildren(index, &buffer)
    cell(&buffer)
    buffer.add("true")
  }

  private func addChildren(_ index: Int, _ buffer: inout WireBuffer) {
    buffer.add("[")
    var isFirst = true
    for child in childIndexes(index) {
      buffer.add(isFirst ? #"\"20240101120000000-"# : #",\"20240101120000000-"#)
      isFirst = false
      buffer.add(child + 1)
      buffer.add(#"\""#)
    }
    buffer.add("]")
  }
}
