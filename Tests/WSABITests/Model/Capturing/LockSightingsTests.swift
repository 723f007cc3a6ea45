import PluginAPI
import Testing

@testable import WSABI

@Suite struct LockSightingsTests {
  private let address = StoreSamples.address

  private func time(_ seconds: Int) -> Instant {
    Instant(seconds: 1_700_000_000 + Int64(seconds))
  }

  @Test func `a lock is seen since the first look, and the newest words are told`() {
    var sightings = LockSightings()
    sightings.take(.held(address, message: "desk 1"), at: time(0))
    sightings.take(.stepped(address, .lock, .lockHeldByAnother), at: time(100))
    sightings.take(.held(address, message: ""), at: time(100))
    #expect(sightings[address] == .init(first: time(0), last: time(100), message: ""))
  }

  @Test func `what nobody looked at for long may be another holder`() {
    var sightings = LockSightings()
    sightings.take(.held(address, message: ""), at: time(0))
    sightings.take(.held(address, message: ""), at: time(300))
    #expect(sightings[address]?.first == time(0))
    sightings.take(.held(address, message: ""), at: time(601))
    #expect(sightings[address]?.first == time(601))
  }

  @Test func `who gets the lock has seen its end, at this sensor alone`() throws {
    var sightings = LockSightings()
    let other = try SensorAddress(parsing: "http://127.0.0.1:9999")
    for one in [address, other] { sightings.take(.held(one, message: ""), at: time(0)) }
    sightings.take(.stepped(address, .lock, .success), at: time(1))
    #expect(sightings[address] == nil && sightings[other] != nil)
  }
}
