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
  ) -> (pause: Double?, probes: [Int], pieces: [Int]) {
    var pacer = OutputPacer(roundTripInSeconds: roundTripInSeconds)
    var (time, probes, pieces) = (0.0, [Int](), [Int]())
    while probes.count < 100, pacer.probePause(at: time) == 0 {
      probes.append(pacer.probe(at: time))
      #expect(pacer.isReady, "a key waits for the response to a probe")
      pacer.request(at: time)
      time += roundTripInSeconds + Double(probes.last ?? 0) / bytesPerSecond
      pacer.confirm(at: time)
      pieces.append(pacer.longestPiece)
    }
    return (pacer.probePause(at: time), probes, pieces)
  }

  @Test func `before the speed is known a piece takes a fifth of a second at most at 10 kB per second`() {
    var pacer = OutputPacer(roundTripInSeconds: 0.01)
    #expect(pacer.longestPiece == 2048)
    // A quick response to little output does not allow more.
    pacer.send(600)
    pacer.request(at: 0)
    pacer.confirm(at: 0.01)
    #expect(pacer.longestPiece == 2048)
  }

  @Test(arguments: [1e3, 1e4, 1e5, 1e6, 3e6], [0.0, 0.05, 0.3])
  func `probes pause on a slow line, and its pieces take a quarter of a second at most`(
    speed: Double, roundTrip: Double
  )
    throws
  {
    let (pause, probes, pieces) = Self.probed(bytesPerSecond: speed, roundTripInSeconds: roundTrip)
    #expect((1...20).contains(probes.count))
    #expect(try #require(pause) > 0)
    // The first piece is the only one that no response has shown to be right.
    #expect(pieces.allSatisfy { Double($0) <= max(2048, speed / 4) }, "\(pieces)")
    #expect(probes.allSatisfy { Double($0) <= max(2048, speed / 8) }, "\(probes)")
  }

  @Test(arguments: [1e7, 1e8, 1e9], [0.0, 0.05, 0.3])
  func `four probes show that a line is fast enough for any picture`(speed: Double, roundTrip: Double) {
    let (pause, probes, pieces) = Self.probed(bytesPerSecond: speed, roundTripInSeconds: roundTrip)
    #expect(probes == [2048, 8192, 32768, 131_072])
    #expect(pieces == [16384, 65536, 262_144, .max])
    #expect(pause == nil)
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
    #expect((38_000...42_000).contains(pacer.longestPiece))
    // Little output in a short time does not show a speed.
    pacer.send(300)
    pacer.request(at: time)
    pacer.confirm(at: time + 0.01)
    #expect((38_000...42_000).contains(pacer.longestPiece))
    pacer.send(10_000)
    pacer.request(at: time)
    pacer.confirm(at: time + 0.01)
    #expect(pacer.longestPiece == pacer.limit && pacer.probePause(at: time) == 0)
    // What it just processed is known to be quick, not what it processed long ago.
    #expect(pacer.limit == 80_000)
  }

  /// A pacer of a fast terminal that was busy for two pictures of 5.6 MB, and the time after them.
  private static func slowedByPictures() -> (pacer: OutputPacer, time: Double) {
    var (pacer, _, time) = paced(bytesPerSecond: 200e6, roundTripInSeconds: 0.001, rounds: 5)
    for _ in 0..<2 {
      pacer.send(5_600_000)
      pacer.request(at: time)
      time += 0.5
      pacer.confirm(at: time)
    }
    return (pacer, time)
  }

  @Test func `one probe shows that a terminal is fast again, without large frames`() {
    var (pacer, time) = Self.slowedByPictures()
    #expect((2_000_000...2_500_000).contains(pacer.longestPiece))
    // Frames of text are too small to show that.
    for _ in 0..<20 {
      pacer.send(60_000)
      pacer.request(at: time)
      time += 0.0013
      pacer.confirm(at: time)
    }
    #expect(pacer.longestPiece < 2_500_000)
    #expect(pacer.probePause(at: time) == 0)
    let count = pacer.probe(at: time)
    pacer.request(at: time)
    pacer.confirm(at: time + 0.001 + Double(count) / 200e6)
    #expect(pacer.longestPiece == .max)
  }

  @Test func `probes at a known speed take a twentieth of a second, at growing intervals`() throws {
    var (pacer, time) = Self.slowedByPictures()
    // The line stays at 11 MB/s.
    var times: [Double] = []
    for _ in 0..<14 {
      time += try #require(pacer.probePause(at: time))
      times.append(time)
      let seconds = Double(pacer.probe(at: time)) / 11.2e6
      #expect((0.04...0.06).contains(seconds))
      pacer.request(at: time)
      time += 0.001 + seconds
      pacer.confirm(at: time)
    }
    let pauses = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect(abs(pauses[0] - 1) < 1e-6 && abs(pauses[1] - 2) < 1e-6 && abs(pauses[12] - 600) < 1e-6, "\(pauses)")
    #expect(zip(pauses.dropFirst(), pauses).allSatisfy { $0 > $1 - 1e-6 })
  }

  @Test func `the smallest probe is enough to see that a very slow line became faster`() {
    var (pacer, _, time) = Self.paced(bytesPerSecond: 1_000, roundTripInSeconds: 0.05, rounds: 20)
    #expect((150...250).contains(pacer.longestPiece))
    let count = pacer.probe(at: time)
    #expect(count == 256)
    pacer.request(at: time)
    time += 0.05 + Double(count) / 1e6
    pacer.confirm(at: time)
    #expect(pacer.longestPiece == 2048 && pacer.probePause(at: time) == 0)
  }

  @Test func `the limit is even after any response`() {
    for bytes in stride(from: 501, to: 4096, by: 7) {
      var pacer = OutputPacer(roundTripInSeconds: 0)
      for part in 0..<3 {
        pacer.send(bytes)
        pacer.request(at: Double(part))
        pacer.confirm(at: Double(part) + 0.0713)
        #expect(pacer.limit % 2 == 0)
      }
    }
  }

  @Test(arguments: [0.0, 5.0])
  func `after a lost response, requests and responses are in step again`(pause: Double) {
    var pacer = OutputPacer(roundTripInSeconds: 0.01)
    pacer.send(600)
    pacer.request(at: 0)
    pacer.giveUp()
    var time = 2.0
    for _ in 0..<3 {
      time += pause
      pacer.send(600)
      pacer.request(at: time)
      time += 0.01
      pacer.confirm(at: time)
      if pacer.openRequests > 0 {
        time += 2
        pacer.giveUp()
      }
    }
    #expect(pacer.openRequests == 0 && pacer.backlog == 0)
    #expect(pacer.longestPiece == 2048 && pacer.probePause(at: time) == 0)
  }

  @Test func `late responses do not count for newer requests`() {
    var pacer = OutputPacer(roundTripInSeconds: 0.3)
    for second in [0.0, 2, 4] {
      pacer.send(600)
      pacer.request(at: second)
      pacer.giveUp()
    }
    let limit = pacer.limit
    pacer.send(600)
    pacer.request(at: 29.9)
    for _ in 0..<3 { pacer.confirm(at: 30) }
    #expect(pacer.openRequests == 1 && pacer.backlog == 600 && pacer.limit == limit)
    // The round trip is as before: this response is not late.
    pacer.confirm(at: 30.2)
    #expect(pacer.openRequests == 0 && pacer.backlog == 0 && pacer.limit > limit)
  }

  /// The terminal needs four seconds for the first part and is given up three times before its responses arrive.
  @Test func `a line of 1 kB per second is in step before it has much to do`() throws {
    var pacer = OutputPacer(roundTripInSeconds: 0.05)
    var (time, freeTime, responses) = (0.0, 0.0, [Double]())
    while time < 20 {
      if pacer.isReady {
        freeTime = max(freeTime, time) + Double(pacer.room) / 1000
        pacer.send(pacer.room)
        pacer.request(at: time)
        responses.append(freeTime + 0.05)
      }
      let next = try #require(responses.first)
      if next < time + 2 {
        time = responses.removeFirst()
        pacer.confirm(at: time)
      } else {
        time += 2
        pacer.giveUp()
      }
    }
    #expect(pacer.limit == 512 && (150...250).contains(pacer.longestPiece))
    #expect(freeTime - time < 0.6 && responses.count == pacer.openRequests)
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

  @Test func `an unexpected response changes nothing, and one that does not come halves the limit`() {
    var pacer = OutputPacer(roundTripInSeconds: 0)
    pacer.confirm(at: 0)
    pacer.giveUp()
    #expect(pacer.isReady && pacer.backlog == 0 && pacer.limit == 4096)
    pacer.send(5000)
    pacer.request(at: 0)
    pacer.giveUp()
    for time in [9.0, 10] { pacer.confirm(at: time) }
    #expect(pacer.isReady && pacer.backlog == 0 && pacer.limit == 2048)
  }
}
