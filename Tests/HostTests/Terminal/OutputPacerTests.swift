import Testing

@testable import Host

struct OutputPacerTests {
  /// Repeatedly sends as much as is allowed to a terminal of a speed; returns the pacer after some rounds.
  private static func paced(
    bytesPerSecond: Double, roundTripInSeconds: Double, rounds: Int
  ) -> (pacer: OutputPacer, sent: Int, seconds: Double) {
    var pacer = OutputPacer(roundTripInSeconds: roundTripInSeconds)
    var (time, sent) = (0.0, 0)
    for _ in 0..<rounds {
      let part = pacer.room
      pacer.send(part)
      pacer.request(at: time)
      time += roundTripInSeconds + Double(part) / bytesPerSecond
      pacer.confirm(at: time)
      sent += part
    }
    return (pacer, sent, time)
  }

  @Test(arguments: [0.0, 0.05, 0.3])
  func `a slow line is limited to its bytes of a tenth of a second`(roundTrip: Double) {
    let (pacer, _, _) = Self.paced(bytesPerSecond: 10_000, roundTripInSeconds: roundTrip, rounds: 6)
    #expect((512...1000).contains(pacer.limit))
  }

  @Test func `after any part, a slow line is ready for the next one or requests confirmation`() {
    let (slow, _, _) = Self.paced(bytesPerSecond: 1_000, roundTripInSeconds: 0.05, rounds: 20)
    #expect(slow.limit == 512)
    for count in 0...slow.room {
      var pacer = slow
      pacer.send(count)
      #expect(pacer.isReady || pacer.wantsRequest)
    }
  }

  @Test(arguments: [0.0, 0.05, 0.3])
  func `a fast line receives whole pictures after a few parts`(roundTrip: Double) {
    let (pacer, _, _) = Self.paced(bytesPerSecond: 20e6, roundTripInSeconds: roundTrip, rounds: 3)
    #expect(pacer.limit >= 200_000)
  }

  @Test func `two small parts are enough to detect a slow line`() {
    var pacer = OutputPacer(roundTripInSeconds: 0.002)
    for part in 0..<2 {
      pacer.send(600)
      pacer.request(at: Double(part))
      pacer.confirm(at: Double(part) + 0.062)
    }
    #expect((900...1100).contains(pacer.limit))
  }

  @Test func `a slow line is used to at least 80 percent of its capacity`() {
    let (_, sent, seconds) = Self.paced(bytesPerSecond: 10_000, roundTripInSeconds: 0.01, rounds: 100)
    #expect(Double(sent) / seconds > 8000)
  }

  @Test func `a line that becomes faster is detected`() {
    var (pacer, _, time) = Self.paced(bytesPerSecond: 10_000, roundTripInSeconds: 0.01, rounds: 10)
    for _ in 0..<6 {
      pacer.send(pacer.room)
      pacer.request(at: time)
      time += 0.012
      pacer.confirm(at: time)
    }
    #expect(pacer.limit > 200_000)
  }

  @Test func `the longest piece on a slow line takes about a fifth of a second`() {
    let (fast, _, _) = Self.paced(bytesPerSecond: 20e6, roundTripInSeconds: 0.05, rounds: 5)
    #expect(fast.longestPiece == .max)
    var (pacer, _, time) = Self.paced(bytesPerSecond: 10_000, roundTripInSeconds: 0.01, rounds: 10)
    #expect((1500...2500).contains(pacer.longestPiece))
    for _ in 0..<6 {
      pacer.send(pacer.room)
      pacer.request(at: time)
      time += 0.012
      pacer.confirm(at: time)
    }
    #expect(pacer.longestPiece > 200_000)
  }

  /// Sends all probes to a terminal of a speed; returns the pacer, and the longest piece after each.
  private static func probed(
    bytesPerSecond: Double, roundTripInSeconds: Double
  ) -> (pacer: OutputPacer, probes: [Int], pieces: [Int]) {
    var pacer = OutputPacer(roundTripInSeconds: roundTripInSeconds)
    var (time, probes, pieces) = (0.0, [Int](), [Int]())
    while probes.count < 100, pacer.probe > 0 {
      probes.append(pacer.probe)
      pacer.send(pacer.probe)
      pacer.request(at: time)
      time += roundTripInSeconds + Double(probes.last ?? 0) / bytesPerSecond
      pacer.confirm(at: time)
      pieces.append(pacer.longestPiece)
    }
    return (pacer, probes, pieces)
  }

  @Test func `before the speed is known a piece is a screen of text at most`() {
    let pacer = OutputPacer(roundTripInSeconds: 0.01)
    #expect(pacer.longestPiece == 4096 && pacer.longestPiece == pacer.limit)
  }

  @Test(arguments: [1e3, 1e4, 1e5, 1e6, 3e6], [0.0, 0.05, 0.3])
  func `probes end on a slow line, and its pieces take a quarter of a second at most`(speed: Double, roundTrip: Double)
  {
    let (pacer, probes, pieces) = Self.probed(bytesPerSecond: speed, roundTripInSeconds: roundTrip)
    #expect((1...20).contains(probes.count) && pacer.probe == 0)
    // The first limit is the only one that no response has shown to be right.
    #expect(pieces.allSatisfy { Double($0) <= max(4096, speed / 4) }, "\(pieces)")
    #expect(probes.allSatisfy { Double($0) <= max(2048, speed / 8) }, "\(probes)")
  }

  @Test(arguments: [1e7, 1e8, 1e9], [0.0, 0.05, 0.3])
  func `four probes show that a line is fast enough for any picture`(speed: Double, roundTrip: Double) {
    let (pacer, probes, pieces) = Self.probed(bytesPerSecond: speed, roundTripInSeconds: roundTrip)
    #expect(probes == [2048, 8192, 32768, 131_072])
    #expect(pieces == [16384, 65536, 262_144, .max])
    #expect(pacer.probe == 0)
  }

  @Test func `a fast line that becomes slow gets small pieces, and is probed after it was quick again`() {
    var (pacer, _, time) = Self.paced(bytesPerSecond: 20e6, roundTripInSeconds: 0.01, rounds: 5)
    #expect(pacer.longestPiece == .max)
    for _ in 0..<2 {
      pacer.send(200_000)
      pacer.request(at: time)
      time += 1.01
      pacer.confirm(at: time)
    }
    #expect((38_000...42_000).contains(pacer.longestPiece) && pacer.probe == 0)
    // Little output in a short time does not show a speed.
    pacer.send(300)
    pacer.request(at: time)
    pacer.confirm(at: time + 0.01)
    #expect(pacer.longestPiece < 50_000 && pacer.probe == 0)
    pacer.send(10_000)
    pacer.request(at: time)
    pacer.confirm(at: time + 0.01)
    #expect(pacer.longestPiece == pacer.limit && pacer.probe > 0)
  }

  @Test func `a pause on a fast line at most halves the limit`() {
    var (pacer, _, time) = Self.paced(bytesPerSecond: 20e6, roundTripInSeconds: 0.001, rounds: 5)
    let before = pacer.limit
    pacer.send(600)
    pacer.request(at: time)
    time += 3
    pacer.confirm(at: time)
    #expect(pacer.limit == before / 2)
    #expect(pacer.longestPiece == .max)
  }

  @Test func `small changes require no confirmation and leave room`() {
    var pacer = OutputPacer(roundTripInSeconds: 0)
    pacer.send(100)
    #expect(pacer.isReady && pacer.wantsRequest)
    pacer.request(at: 0)
    pacer.confirm(at: 0.001)
    pacer.send(100)
    #expect(pacer.isReady && !pacer.wantsRequest)
    pacer.send(3000)
    #expect(!pacer.isReady && pacer.wantsRequest)
    pacer.request(at: 0)
    #expect(!pacer.wantsRequest && pacer.openRequests == 1)
    pacer.confirm(at: 0.01)
    #expect(pacer.isReady && pacer.backlog == 0)
  }

  @Test func `an unexpected response changes nothing`() {
    var pacer = OutputPacer(roundTripInSeconds: 0)
    pacer.send(5000)
    pacer.request(at: 0)
    pacer.forget()
    pacer.confirm(at: 9)
    #expect(pacer.isReady && pacer.backlog == 0 && pacer.limit == OutputPacer(roundTripInSeconds: 0).limit)
  }
}
