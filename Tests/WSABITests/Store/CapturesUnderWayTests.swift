import Testing

@testable import WSABI

@Suite struct CapturesUnderWayTests {
  @Test func `a capture counts until its end, which may be reported twice`() {
    let captures = CapturesUnderWay()
    captures.begin(JournalNumber(1))
    captures.begin(JournalNumber(2))
    #expect(captures.count == 2)
    captures.end(JournalNumber(1))
    captures.end(JournalNumber(1))
    #expect(captures.count == 1)
  }

  @Test func `an announced id is removed once, and only for its own capture`() {
    let captures = CapturesUnderWay()
    captures.announce([StoreSamples.uuid(1), StoreSamples.uuid(2)], of: JournalNumber(1))
    #expect(captures.remove(StoreSamples.uuid(1), of: JournalNumber(1)))
    #expect(!captures.remove(StoreSamples.uuid(1), of: JournalNumber(1)))
    #expect(!captures.remove(StoreSamples.uuid(2), of: JournalNumber(7)))
    #expect(!captures.remove(StoreSamples.uuid(3), of: JournalNumber(1)))
    #expect(captures.count == 0)
  }
}
