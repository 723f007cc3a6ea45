import Testing

@testable import Host

/// The items that a worker's child has and that wait for it.
struct ItemLineTests {
  private static func entry(_ number: Int, losses: Int? = nil) -> ItemLine.Entry {
    ItemLine.Entry(item: BatchItem(number: number, id: "\(number)"), losses: losses)
  }

  /// Sends all items that the child takes.
  ///
  /// - Returns: Their numbers.
  private static func fill(_ line: inout ItemLine) -> [Int] {
    var numbers: [Int] = []
    while let next = line.next {
      numbers.append(next.item.number)
      line.send()
    }
    return numbers
  }

  /// Sends items and compares their numbers.
  private static func expect(_ line: inout ItemLine, toSend numbers: [Int]) {
    let sent = fill(&line)
    #expect(sent == numbers)
  }

  @Test func `the child has the next item while it runs one`() {
    var line = ItemLine((1...4).map { Self.entry($0) })
    Self.expect(&line, toSend: [1, 2])
    #expect(line.running?.item.number == 1 && line.running?.tries == 1)
    line.finish()
    #expect(line.running?.item.number == 2)
    Self.expect(&line, toSend: [3])
    for _ in 0..<2 { line.finish() }
    Self.expect(&line, toSend: [4])
    line.finish()
    #expect(line.isEmpty && line.running == nil)
  }

  @Test func `a suspect runs alone`() {
    var line = ItemLine([Self.entry(1), Self.entry(2, losses: 0), Self.entry(3, losses: 1), Self.entry(4)])
    var sent: [[Int]] = []
    while !line.isEmpty {
      sent.append(Self.fill(&line))
      line.finish()
    }
    #expect(sent == [[1], [2], [3], [4]])
  }

  @Test func `a death counts against the item that ran, and the one behind it is not tried yet`() {
    var line = ItemLine((1...3).map { Self.entry($0) })
    _ = Self.fill(&line)
    let ended = line.takeBack { $0.deaths += 1 }
    #expect(ended?.item.number == 1 && ended?.deaths == 1 && ended?.tries == 1)
    #expect(line.running == nil)
    Self.expect(&line, toSend: [1, 2])
    #expect(line.running?.deaths == 1 && line.running?.tries == 2)
    line.finish()
    #expect(line.running?.item.number == 2 && line.running?.deaths == 0 && line.running?.tries == 1)
    _ = line.takeBack { $0.deaths += 1 }
    line.drop()
    Self.expect(&line, toSend: [3])
  }

  @Test func `a retried item waits behind the child's current item`() {
    var line = ItemLine((1...3).map { Self.entry($0) })
    _ = Self.fill(&line)
    line.retry()
    #expect(line.running?.item.number == 2)
    Self.expect(&line, toSend: [1])
    line.finish()
    #expect(line.running?.item.number == 1 && line.running?.tries == 2)
  }

  @Test func `items are added as the child takes them`() {
    var line = ItemLine()
    var added = 0
    var sent: [Int] = []
    while true {
      while line.needsItem, added < 4 {
        added += 1
        line.add(Self.entry(added))
      }
      if line.isEmpty { break }
      sent += Self.fill(&line)
      #expect(added - sent.count == 0)
      line.finish()
    }
    #expect(sent == [1, 2, 3, 4])
  }

  @Test func `an item that is added waits behind those that a child did not finish`() {
    var line = ItemLine([Self.entry(1), Self.entry(2)])
    _ = Self.fill(&line)
    #expect(!line.needsItem)
    _ = line.takeBack { $0.deaths += 1 }
    #expect(!line.needsItem)
    line.add(Self.entry(3))
    Self.expect(&line, toSend: [1, 2])
  }

  @Test func `workers are bound to cores only if they use all of them`() {
    #expect(ProcessorCores.cores(workerCount: 2, allowed: [0, 1]) == [0, 1])
    #expect(ProcessorCores.cores(workerCount: 3, allowed: [4, 6]) == [4, 6, 4])
    #expect(ProcessorCores.cores(workerCount: 2, allowed: [0, 1, 2]) == [nil, nil])
    #expect(ProcessorCores.cores(workerCount: 2, allowed: [3]) == [nil, nil])
    #expect(ProcessorCores.cores(workerCount: 1, allowed: []) == [nil])
  }

  @Test func `cores are released when a worker ends`() {
    let cores = ProcessorCores(workerCount: 1000)
    cores.release()
    #expect(cores.core(of: 0) == nil && cores.core(of: 999) == nil)
  }
}
