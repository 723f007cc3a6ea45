import PluginJSON
import PluginText
import Synchronization
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite struct NativePagerTests {
  /// A caller that returns the matching samples of each search; calls with certain numbers break off in the middle.
  private final class SampleServer: RPCCaller {
    let count: Int
    let broken: Set<Int>
    let asked = Mutex<[(since: Int, from: Int)]>([])

    init(count: Int, broken: Set<Int> = []) {
      (self.count, self.broken) = (count, broken)
    }

    func call(_ call: RPCCall, _ reader: any RPCResultReader & Sendable) async throws -> RPCResponse {
      let since = try Self.number("\"value\":", in: call.parameterTexts[0]) ?? 0
      let from = try Self.number("\"from\":", in: call.parameterTexts[1]) ?? 0
      let size = try Self.number("\"count\":", in: call.parameterTexts[1]) ?? 0
      let number = asked.withLock {
        $0.append((since, from))
        return $0.count
      }
      let fitting = (0..<count).filter { Self.time($0) >= since }
      let objects = fitting.dropFirst(from).prefix(size).enumerated().map { place, sample in
        #"{"@id":\#(place + 2),"permId":"S\#(sample)","code":"S","modificationDate":\#(Self.time(sample))}"#
      }
      var text = #"{"@id":1,"objects":["# + objects.joined(separator: ",") + "],\"totalCount\":\(fitting.count)}"
      if broken.contains(number) { text.removeLast(text.utf8.count / 3) }
      try read(Array(text.utf8), pieceSize: 100, reader)
      return RPCResponse(serverTimeInSeconds: nil, sizeInBytes: text.utf8.count)
    }

    static func time(_ sample: Int) -> Int { 1_000_000 + sample * 10 }

    /// Returns the number after the first occurrence of a word.
    private static func number(_ word: String, in text: String) throws -> Int? {
      let start = ByteSearch.firstIndex(of: word.utf8, in: text.utf8) ?? text.endIndex
      let rest = text.utf8[start...]
      return Int(String(decoding: rest.dropFirst(word.utf8.count).prefix { $0 >= 48 && $0 <= 57 }, as: UTF8.self))
    }
  }

  private func all(_ pager: NativePager) async throws -> [String] {
    let found = Mutex<[String]>([])
    while try await pager.next({ objects in found.withLock { $0 += objects.map(\.permID) } }) != nil {}
    return found.withLock { $0 }
  }

  @Test func `Overlapping pages return each object once`() async throws {
    let server = SampleServer(count: 3000)
    let found = try await all(NativePager(NativeService(server), .sample, from: NativePageRequest(count: 400)))
    #expect(found == (0..<3000).map { "S\($0)" })
    #expect(server.asked.withLock { $0.count } < 12)
  }

  @Test func `After a broken response the same page is requested again`() async throws {
    let server = SampleServer(count: 1000, broken: [2])
    let pager = NativePager(NativeService(server), .sample, from: NativePageRequest(count: 400))
    let good = Mutex<Set<String>>([])
    var errors = 0
    while !pager.isFinished {
      let page = Mutex<[String]>([])
      do {
        _ = try await pager.next { objects in page.withLock { $0 += objects.map(\.permID) } }
        good.withLock { $0.formUnion(page.withLock { $0 }) }
      } catch {
        #expect(error is JSONError)
        errors += 1
      }
    }
    #expect(errors == 1)
    #expect(good.withLock { $0.count } == 1000)
    #expect(server.asked.withLock { $0[1] == $0[2] })
  }

  @Test func `An empty page is an error if the server counts objects`() async throws {
    let caller = TextCaller(["searchSamples": #"{"@id":1,"objects":[],"totalCount":100}"#])
    let pager = NativePager(NativeService(caller), .sample, from: NativePageRequest(count: 10), idsOnly: true)
    await #expect(throws: UselessResult("it has none of the 100 objects that it counts")) {
      try await pager.next { _ in }
    }
    #expect(!pager.isFinished && pager.request.from == 0)
  }

  @Test func `A page without usable objects is skipped`() async throws {
    let caller = TextCaller(["searchSamples": #"{"@id":1,"objects":[{"@id":2},{"@id":3}],"totalCount":9}"#])
    let pager = NativePager(NativeService(caller), .sample, from: NativePageRequest(count: 2))
    #expect(try await pager.next { _ in }?.unusableCount == 2)
    #expect(!pager.isFinished && pager.request.from == 2)
  }

  @Test func `Another run continues with the next page`() async throws {
    let server = SampleServer(count: 1000)
    let first = NativePager(NativeService(server), .sample, from: NativePageRequest(count: 300))
    let found = Mutex<[String]>([])
    for _ in 0..<2 { _ = try await first.next { objects in found.withLock { $0 += objects.map(\.permID) } } }
    let rest = try await all(NativePager(NativeService(server), .sample, from: first.request))
    #expect(Set(found.withLock { $0 } + rest).count == 1000)
    // 1000 less the 499 known, plus the overlap of a second.
    #expect(rest.count < 620)
  }
}
