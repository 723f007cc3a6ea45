import Testing

@testable import OpenBIS

@Suite struct SeenObjectsTests {
  private func object(_ number: Int, at time: Int) -> NativeObject {
    NativeObject(kind: .sample, permID: "S\(number)", code: "", modifiedAt: time)
  }

  private func insert(_ object: NativeObject, into seen: inout SeenObjects) -> Bool { seen.insert(object) }

  @Test func `An object is new once, and once for each change`() {
    var seen = SeenObjects(room: 10, knowsAll: true)
    #expect(insert(object(1, at: 5), into: &seen))
    #expect(!insert(object(1, at: 5), into: &seen))
    #expect(insert(object(1, at: 6), into: &seen))
    #expect(insert(object(2, at: 5), into: &seen))
  }

  @Test func `However many come, few are kept, and it is known from when on all are`() {
    var seen = SeenObjects(room: 100, knowsAll: true)
    #expect(seen.knowsAll(since: 0))
    for number in 0..<10_000 {
      #expect(insert(object(number, at: number), into: &seen))
      #expect(seen.count <= 200)
    }
    #expect(!seen.knowsAll(since: 9700))
    #expect(seen.knowsAll(since: 9900))
    seen.forget(before: 9900)
    #expect(seen.count == 100)
  }

  @Test func `After an interruption only what comes is known`() {
    var seen = SeenObjects(room: 100, knowsAll: false)
    #expect(!seen.knowsAll(since: 5))
    _ = seen.insert(object(1, at: 50))
    #expect(!seen.knowsAll(since: 50))
    #expect(seen.knowsAll(since: 51))
  }
}
