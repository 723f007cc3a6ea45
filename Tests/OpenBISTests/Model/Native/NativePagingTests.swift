import PluginText
import TestSupport
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite struct NativePagingTests {
  /// A server whose objects change while they are paged through.
  private struct Server {
    /// The objects by the numbers in their permIds.
    var objects: [NativeObject]
    /// The largest number of objects on a page, as for users who may not see all.
    var shown = Int.max
    var asked: [NativePageRequest] = []
    /// The number of objects that match the last request, as the server counts them.
    private(set) var total: Int?
    var tellsTotal = true
    /// The number of objects that are counted but never sent.
    var hidden = 0
    /// A Boolean value indicating whether objects with the same time are in a different order on each page.
    var isShuffled = false
    var ignoresPaging = false
    /// A Boolean value indicating whether ranges of permIds are ignored.
    var ignoresPermIDs = false
    private(set) var examined = 0
    private var random = SplitMix64(seed: 3)

    init(_ times: [Int]) {
      objects = times.enumerated().map { place, time in
        var object = NativeObject(kind: .sample, permID: "S\(place)", code: "S\(place)")
        object.modifiedAt = time
        return object
      }
    }

    /// Returns the index of the first object from a permId on; nil for all, or if permIds are ignored.
    ///
    /// Numbers are ordered by their value, as some databases do; the order of their bytes is another.
    private func index(of permID: String?) -> Int? {
      guard let permID, !ignoresPermIDs else { return nil }
      func number(_ permID: String) -> Int { Int(permID.dropFirst()) ?? 0 }
      var (low, high) = (0, objects.count)
      while low < high {
        let middle = (low + high) / 2
        if number(objects[middle].permID) < number(permID) { low = middle + 1 } else { high = middle }
      }
      return low
    }

    private mutating func matching(_ request: NativePageRequest) -> [NativeObject] {
      let first = index(of: request.permIDFrom) ?? 0
      var matching = objects[first..<(index(of: request.permIDBefore) ?? objects.count)].filter {
        $0.modifiedAt >= request.modifiedSince ?? Int.min && $0.modifiedAt < request.modifiedBefore ?? Int.max
      }
      examined += matching.count
      if isShuffled { matching.shuffle(using: &random) }
      return matching.enumerated().sorted { ($0.element.modifiedAt, $0.offset) < ($1.element.modifiedAt, $1.offset) }
        .map(\.element)
    }

    mutating func page(_ request: NativePageRequest) -> [NativeObject] {
      asked.append(request)
      let matching = matching(request)
      total = tellsTotal ? matching.count + hidden : nil
      if ignoresPaging { return matching }
      return Array(matching.dropFirst(request.from).prefix(min(request.count, shown)))
    }

    /// Divides the objects of one time until they fit a page, as pagers do.
    mutating func divide(_ paging: inout NativePaging) {
      while let request = paging.divisionRequest {
        paging.divide(at: matching(request).dropFirst(request.from).first?.permID)
      }
    }

    mutating func change(_ place: Int, at time: Int) { objects[place].modifiedAt = time }
  }

  /// Pages through all objects; `between` may change the server before each page but the first.
  private func all(
    _ server: inout Server, count: Int, since: Int? = nil, horizon: Int? = nil,
    between: (inout Server, Int) -> Void = { _, _ in }
  ) -> [NativeObject] {
    var paging = NativePaging(NativePageRequest(modifiedSince: since, from: 0, count: count), horizon: horizon)
    var found: [NativeObject] = []
    while !paging.isFinished, server.asked.count < 1000 {
      if !server.asked.isEmpty { between(&server, server.asked.count) }
      server.divide(&paging)
      found += paging.take(server.page(paging.request))
      paging.endPage(totalCount: server.total)
    }
    return found
  }

  @Test func `Each object is returned once with pages of any size`() {
    for count in [1, 2, 3, 10, 50, 1000] {
      var server = Server((0..<137).map { 1_000_000 + $0 * 400 })
      let found = all(&server, count: count)
      #expect(found.map(\.permID) == server.objects.map(\.permID))
      #expect(server.asked.count < 1000)
    }
  }

  @Test(arguments: [false, true])
  func `Objects with equal timestamps are returned once`(ignoresPermIDs: Bool) {
    for count in [1, 2, 7, 100, 316, 317, 318, 1000] {
      var server = Server(Array(repeating: 5_000_000, count: 317))
      server.ignoresPermIDs = ignoresPermIDs
      let found = all(&server, count: count)
      #expect(found.count == 317 && Set(found.map(\.permID)).count == 317, "\(count)")
      #expect(server.asked.count < 1000, "\(count)")
    }
  }

  @Test func `Pages are limited to time windows with about as many objects`() {
    var server = Server((0..<30_000).map { 1_000_000 + $0 * 300 })
    #expect(all(&server, count: 100, horizon: 1_000_000 + 30_000 * 300).count == 30_000)
    #expect(server.asked[1].modifiedSince == 1_000_000 + 99 * 300)
    #expect(server.asked[1].modifiedBefore == 1_000_000 + 99 * 300 + 99 * 300 / 4 * 3)
    #expect(server.asked.count < 500 && server.examined < 4 * 30_000)
  }

  @Test func `Gaps of years and bursts of imports cost few pages`() {
    let year = 31_536_000_000
    var server = Server((0..<9000).map { $0 / 3000 * year + 1_000_000 + $0 % 3000 * ($0 / 3000 == 1 ? 1 : 60_000) })
    #expect(Set(all(&server, count: 100, horizon: 3 * year).map(\.permID)).count == 9000)
    #expect(server.asked.count < 300 && server.examined < 10 * 9000, "\(server.asked.count) \(server.examined)")
  }

  @Test func `Imports a millisecond apart, followed by a gap of years, need few pages`() {
    let years = 63_072_000_000
    var server = Server((0..<1500).map { 1_000_000 + $0 / 500 } + [years])
    #expect(all(&server, count: 1000, horizon: years).count == 1501)
    #expect(server.asked.count < 20, "\(server.asked.count)")
  }

  @Test func `Objects with equal timestamps need pages of the usual size and logarithmically many examinations`() {
    var examinedPerObject: [Double] = []
    for count in [5000, 10_000, 20_000] {
      var server = Server(Array(repeating: 5_000_000, count: count))
      #expect(all(&server, count: 100).count == count)
      #expect(server.asked.allSatisfy { $0.count == 100 && $0.from == 0 })
      #expect(server.asked.count < count / 99 + 10)
      examinedPerObject.append(Double(server.examined) / Double(count))
    }
    #expect(examinedPerObject[0] < 12)
    for (less, more) in zip(examinedPerObject, examinedPerObject.dropFirst()) { #expect(more < less + 1.1) }
  }

  @Test(arguments: [false, true])
  func `Objects with equal timestamps are returned once, although their order changes between pages`(
    ignoresPermIDs: Bool
  ) {
    var server = Server(Array(repeating: 5_000_000, count: 300))
    (server.isShuffled, server.ignoresPermIDs) = (true, ignoresPermIDs)
    let found = all(&server, count: 280)
    #expect(Set(found.map(\.permID)).count == 300 && found.count == 300)
  }

  @Test func `Missing objects are counted, and paging ends`() {
    for times in [Array(repeating: 5_000_000, count: 300), (0..<300).map { 1_000_000 + $0 * 400 }] {
      var server = Server(times)
      server.hidden = 2
      var paging = NativePaging(NativePageRequest(count: 100))
      var found = 0
      while !paging.isFinished, server.asked.count < 100 {
        server.divide(&paging)
        found += paging.take(server.page(paging.request)).count
        paging.endPage(totalCount: server.total)
      }
      #expect(paging.isFinished && found == 300 && paging.missingCount >= 2)
      // The last window lies behind all objects: it is empty, although the server counts the hidden ones in it.
      let last = server.asked.last
      let passes = server.asked.count { $0.from == 0 && $0.modifiedSince == last?.modifiedSince }
      #expect(passes == NativePaging.mostPasses)
    }
  }

  @Test func `A server that ignores pages is read once, and a repeated page is detected`() {
    var server = Server((0..<5000).map { 1_000_000 + $0 })
    server.ignoresPaging = true
    #expect(all(&server, count: 100).count == 5000 && server.asked.count == 1)
    let page = Array(server.objects.prefix(300))
    var paging = NativePaging(NativePageRequest(count: 100))
    var pages = 0
    while !paging.isFinished, !paging.isRepeating, pages < 20 {
      _ = paging.take(page)
      paging.endPage(totalCount: 1_000_000_000_000_000)
      pages += 1
    }
    #expect(paging.isRepeating && pages == 2)
  }

  @Test func `A server without totals is paged through`() {
    for times in [Array(repeating: 5_000_000, count: 300), (0..<300).map { 1_000_000 + $0 * 400 }] {
      var server = Server(times)
      server.tellsTotal = false
      #expect(Set(all(&server, count: 40).map(\.permID)).count == 300)
    }
  }

  @Test func `Case 55: changes during paging are neither lost nor stale`() {
    for count in [4, 10, 64] {
      var server = Server((0..<400).map { 1_000_000 + $0 * 500 })
      var now = 10_000_000
      let found = all(&server, count: count) { server, page in
        // Changed objects move to the end, and all objects behind them move up.
        for place in [page * 3 % 400, page * 7 % 400] where page < 60 {
          now += 2000
          server.change(place, at: now)
        }
      }
      let last = Dictionary(found.map { ($0.permID, $0.modifiedAt) }) { _, last in last }
      #expect(last == Dictionary(uniqueKeysWithValues: server.objects.map { ($0.permID, $0.modifiedAt) }))
    }
  }

  @Test(arguments: [false, true])
  func `Case 55: objects that move up among equal timestamps are not lost`(ignoresPermIDs: Bool) {
    var server = Server(Array(repeating: 5_000_000, count: 400))
    server.ignoresPermIDs = ignoresPermIDs
    let found = all(&server, count: 100) { server, page in
      // More objects disappear before the position than pages overlap.
      if page <= 2 { for place in (page - 1) * 60..<page * 60 { server.change(place, at: 9_000_000 + place) } }
    }
    #expect(Set(found.map(\.permID)).count == 400)
  }

  @Test func `Case 55: a page shorter than requested does not end paging`() {
    var server = Server((0..<100).map { 1_000_000 + $0 * 3000 })
    server.shown = 7
    #expect(all(&server, count: 20).count == 100)
  }

  @Test func `Case 55: an empty page ends paging`() {
    var server = Server([])
    #expect(all(&server, count: 10).isEmpty)
    #expect(server.asked.count == 1)
  }

  @Test func `A page with all counted objects ends paging`() {
    var server = Server([1_000_000, 2_000_000])
    #expect(all(&server, count: 10).count == 2)
    #expect(server.asked.count == 1)
  }

  @Test func `Objects without timestamps are paged through by offset`() {
    var server = Server(Array(repeating: 0, count: 25))
    #expect(Set(all(&server, count: 10).map(\.permID)).count == 25)
  }

  @Test func `An object repeated unchanged is returned once, and a changed one again`() {
    var paging = NativePaging(NativePageRequest(count: 10))
    var object = NativeObject(kind: .sample, permID: "S", code: "S")
    object.modifiedAt = 5
    #expect(paging.take([object, object]) == [object])
    object.modifiedAt = 6
    #expect(paging.take([object]) == [object])
  }

  @Test func `Paging resumes where it was interrupted`() {
    var server = Server((0..<300).map { $0 < 200 ? 5_000_000 : 6_000_000 + $0 * 900 })
    var paging = NativePaging(NativePageRequest(count: 50))
    var found: Set<String> = []
    for step in 0..<100 where !paging.isFinished {
      server.divide(&paging)
      found.formUnion(paging.take(server.page(paging.request)).map(\.permID))
      paging.endPage(totalCount: server.total)
      // This simulates the end of the program.
      if step % 2 == 0, !paging.isFinished { paging = NativePaging(paging.request) }
    }
    #expect(paging.isFinished)
    #expect(found.count == 300)
  }

  @Test(arguments: [false, true])
  func `Case 55: objects that move up and empty a page are not lost`(ignoresPermIDs: Bool) {
    var server = Server(Array(repeating: 5_000_000, count: 230))
    server.ignoresPermIDs = ignoresPermIDs
    let found = all(&server, count: 100) { server, page in
      // So many are deleted that the next page would begin behind the last object.
      if page == 2 { server.objects.removeFirst(150) }
    }
    #expect(Set(found.map(\.permID)).isSuperset(of: server.objects.map(\.permID)))
  }

  @Test func `Dense timestamps need few more pages than their objects`() {
    for perSecond in [1, 900, 5000] {
      var server = Server((0..<20_000).map { 1_000_000 + $0 * 1000 / perSecond })
      #expect(all(&server, count: 1000).count == 20_000)
      #expect(server.asked.count <= 42, "\(perSecond)")
    }
  }

  @Test func `Paging returns the last state of all objects under random changes`() {
    var random = SplitMix64(seed: 7)
    for round in 0..<60 {
      let spread = [0, 1, 30, 700, 4000][round % 5]
      var server = Server((0..<300).map { 1_000_000 + $0 * spread })
      var (now, next) = (9_000_000, 300)
      let found = all(&server, count: [2, 5, 20, 64, 150][round / 5 % 5]) { server, page in
        if page > 40 { return }
        for _ in 0..<Int.random(in: 0...6, using: &random) {
          now += Int.random(in: 1...900, using: &random)
          let place = Int.random(in: 0..<server.objects.count, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: server.change(place, at: now)
          case 1: server.objects.remove(at: place)
          default:
            server.objects.append(NativeObject(kind: .sample, permID: "S\(next)", code: "", modifiedAt: now))
            next += 1
          }
        }
      }
      let last = Dictionary(found.map { ($0.permID, $0.modifiedAt) }) { _, last in last }
      for object in server.objects { #expect(last[object.permID] == object.modifiedAt, "round \(round)") }
    }
  }
}
