import PluginAPI
import Testing

@testable import WSABI

@Suite struct LockSightingsTests {
  private let address = StoreSamples.address

  private func time(_ seconds: Int) -> Instant {
    Instant(seconds: 1_700_000_000 + Int64(seconds))
  }

  @Test func `a lock sighting has the first time and the newest message`() {
    var sightings = LockSightings()
    sightings.take(.held(address, message: "desk 1"), at: time(0))
    sightings.take(.stepped(address, .lock, .lockHeldByAnother), at: time(100))
    sightings.take(.held(address, message: ""), at: time(100))
    #expect(sightings[address] == .init(first: time(0), last: time(100), message: ""))
  }

  @Test func `a lock seen after a long gap may have another holder`() {
    var sightings = LockSightings()
    sightings.take(.held(address, message: ""), at: time(0))
    sightings.take(.held(address, message: ""), at: time(300))
    #expect(sightings[address]?.first == time(0))
    sightings.take(.held(address, message: ""), at: time(601))
    #expect(sightings[address]?.first == time(601))
  }

  @Test func `obtaining the lock clears the sightings of this sensor only`() throws {
    var sightings = LockSightings()
    let other = try SensorAddress(parsing: "http://127.0.0.1:9999")
    for one in [address, other] { sightings.take(.held(one, message: ""), at: time(0)) }
    sightings.take(.stepped(address, .lock, .success), at: time(1))
    #expect(sightings[address] == nil && sightings[other] != nil)
  }
}
