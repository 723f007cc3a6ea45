/// Limits the bytes that a terminal has received but not processed, so that a key's effect never waits behind old
/// frames.
///
/// Kernel, ssh and modems buffer output for seconds. Only the terminal knows when it has processed it: it responds to
/// the status requests (`ESC [ 5 n`) that follow the output. The limit adapts to the amount it processes in a tenth of
/// a second.
struct OutputPacer {
  /// The bytes of a status request and the time it was sent.
  private struct Request {
    /// The bytes sent since the request before.
    var bytes: Int
    /// The unprocessed bytes when it was sent.
    var backlog: Int
    var time: Double
  }

  /// The time a terminal may need for the unprocessed bytes.
  private static let longestDelayInSeconds = 0.1
  /// The limit before the terminal's speed is known: a screen of text.
  private static let firstLimit = 4096
  /// The longest piece until a response shows that more is processed in time: 0.2 s at 10 kB/s.
  private static let firstPiece = 2048
  /// Below this the movements of the cursor cost more than the cells.
  private static let leastLimit = 512
  /// The least number of bytes whose response shows a speed.
  private static let leastInformative = leastLimit / 2
  private static let mostLimit = 1 << 20
  /// The longest time that an indivisible output may take, as input waits for it.
  private static let longestPieceInSeconds = 0.2
  /// The time that a fast terminal may pause between two responses, which must not count as speed.
  private static let uncertaintyInSeconds = 0.005
  /// The number of responses that may leave the limit as it was before probes end: one alone may follow a pause.
  private static let mostFailedProbes = 3
  /// The pauses between probes of a terminal whose speed is known: each is twice the one before.
  private static let probePausesInSeconds = 1.0...600.0
  /// The time since the first late response after which the missing ones were lost.
  private static let longestLatenessInSeconds = 4.0

  /// The number of unprocessed bytes allowed; even, so that a probe of half of it leaves the terminal ready.
  private(set) var limit = firstLimit
  /// The number of bytes sent and not known to be processed.
  private(set) var backlog = 0
  private var requests: [Request] = []
  /// The number of requests that were given up and whose responses may still come.
  private var lateCount = 0
  /// The time of the first late response since one arrived in time.
  private var firstLateTime: Double?
  private var bytesSinceRequest = 0
  private var wasConfirmed = false
  /// The measured speed of a slow terminal; nil if it was never slow, or became faster since.
  private var bytesPerSecond: Double?
  /// True once the limit has reached its maximum, and the terminal has not been slow since.
  private var isFast = false
  /// The number of responses after which the limit did not grow, since it last grew fourfold.
  private var failedProbes = 0
  /// The earliest time of the next probe, if the speed is known.
  private var nextProbeTime = 0.0
  /// The pause after the next probe; never shortened, as compression on the line makes probes quicker than pictures.
  private var probePauseInSeconds = probePausesInSeconds.lowerBound
  /// The number of slow responses in a row: one alone may be a pause of a fast terminal.
  private var slowCount = 0
  /// The shortest round-trip time between a request and its response.
  private var roundTripInSeconds: Double

  /// Creates a pacer.
  ///
  /// - Parameter roundTripInSeconds: The time a first, short question took.
  init(roundTripInSeconds: Double) {
    self.roundTripInSeconds = roundTripInSeconds
  }

  /// The number of bytes that can be sent now.
  var room: Int { max(0, limit - backlog) }

  /// The most bytes worth sending as one piece; no bound for a terminal known to be fast.
  ///
  /// Before the speed is known it is the limit once that has grown: it grows only as far as the last response shows
  /// that so many bytes take 0.2 s at most.
  var longestPiece: Int {
    if let bytesPerSecond { return Int(bytesPerSecond * Self.longestPieceInSeconds) }
    if isFast { return .max }
    return limit > Self.firstLimit ? limit : min(limit, Self.firstPiece)
  }

  /// Returns the seconds until bytes without effect may show that the terminal is faster than is known.
  ///
  /// - Parameter time: Seconds of a monotonic clock.
  /// - Returns: 0 if they may be sent now; nil if the terminal is known to be fast.
  func probePause(at time: Double) -> Double? {
    if isFast { return nil }
    return isSpeedKnown ? max(0, nextProbeTime - time) : 0
  }

  /// Returns the number of bytes without effect to send now, and counts them as sent.
  ///
  /// The response to half of the limit raises the limit, or shows that it is right. A line whose speed is known
  /// receives bytes of a twentieth of a second at most.
  ///
  /// - Parameter time: Seconds of a monotonic clock.
  mutating func probe(at time: Double) -> Int {
    var count = limit / 2
    if isSpeedKnown {
      nextProbeTime = time + probePauseInSeconds
      probePauseInSeconds = min(2 * probePauseInSeconds, Self.probePausesInSeconds.upperBound)
    }
    if let bytesPerSecond {
      count = min(count, max(Self.leastInformative, Int(bytesPerSecond * Self.longestDelayInSeconds / 2)))
    }
    count = max(0, count - backlog)
    send(count)
    return count
  }

  /// A Boolean value indicating whether further probes are likely to show the same.
  private var isSpeedKnown: Bool { bytesPerSecond != nil || failedProbes >= Self.mostFailedProbes }

  /// True if a part worth its cursor movements can be sent.
  var isReady: Bool { 2 * room >= limit }

  /// The number of requests without a response.
  var openRequests: Int { requests.count }

  /// True if enough was sent since the last request for another one; any amount is enough before the speed is known.
  ///
  /// Half of the least limit: with more, a slow terminal would be neither ready nor queried.
  var wantsRequest: Bool { bytesSinceRequest >= (wasConfirmed ? Self.leastInformative : 1) }

  /// Counts bytes that were sent.
  mutating func send(_ count: Int) {
    backlog += count
    bytesSinceRequest += count
  }

  /// Counts a status request, sent behind all bytes counted before.
  ///
  /// - Parameter time: Seconds of a monotonic clock.
  mutating func request(at time: Double) {
    requests.append(Request(bytes: bytesSinceRequest, backlog: backlog, time: time))
    bytesSinceRequest = 0
  }

  /// Records the response to the oldest request and adapts the limit; skips late responses to requests given up.
  mutating func confirm(at time: Double) {
    if isLate(at: time) { return }
    guard !requests.isEmpty else { return }
    let request = requests.removeFirst()
    backlog -= request.bytes
    let elapsed = max(0, time - request.time)
    roundTripInSeconds = min(roundTripInSeconds, elapsed)
    let delay = elapsed - roundTripInSeconds
    wasConfirmed = true
    noteSpeed(request.backlog, delay)
    let fitting = Double(request.backlog) * Self.longestDelayInSeconds / max(delay, 1e-6)
    if delay > Self.longestDelayInSeconds / 4, fitting < Double(limit) {
      // A single pause of a fast terminal halves the limit at most.
      limit = max(Self.leastLimit, limit / 2, Int(fitting)) & ~1
      failedProbes += 1
    } else if 2 * request.backlog >= limit {
      // Only a backlog near the limit shows that more would be processed in time.
      let growth = delay < Self.longestDelayInSeconds / 4 ? 4 : delay < Self.longestDelayInSeconds / 2 ? 2 : 1
      limit = min(Self.mostLimit, limit * growth)
      // A limit that alternately doubles and halves is right.
      failedProbes = growth == 4 ? 0 : growth == 2 ? failedProbes : failedProbes + 1
      if bytesPerSecond == nil, limit == Self.mostLimit { isFast = true }
    }
  }

  /// Updates the speed of a slow terminal; a quick response to little output is not informative.
  private mutating func noteSpeed(_ bytes: Int, _ seconds: Double) {
    let isSlow = seconds > Self.longestDelayInSeconds
    slowCount = isSlow ? slowCount + 1 : 0
    if slowCount > 1 {
      bytesPerSecond = Double(bytes) / seconds
      isFast = false
    } else if !isSlow, let known = bytesPerSecond, bytes >= Self.leastInformative,
      Double(bytes) / (seconds + Self.uncertaintyInSeconds) > 2 * known
    {
      // The speed is unknown again: the limit, which grows from what was shown now, finds it out.
      bytesPerSecond = nil
      limit = max(Self.leastLimit, min(limit, 2 * bytes))
      failedProbes = 0
    }
  }

  /// Returns true if a response belongs to a request that was given up.
  ///
  /// The terminal responds in order. If a response was lost, one to a newer request is taken for it: that ends soon.
  private mutating func isLate(at time: Double) -> Bool {
    let start = firstLateTime ?? time
    if lateCount > 0, time - start < Self.longestLatenessInSeconds {
      lateCount -= 1
      firstLateTime = start
      return true
    }
    (lateCount, firstLateTime) = (0, nil)
    return false
  }

  /// Gives up the open requests, and forgets the unprocessed bytes, of a terminal that does not respond or was set up
  /// again.
  ///
  /// Its limit is halved, as it may be too slow to process so much in time.
  mutating func giveUp() {
    if !requests.isEmpty {
      limit = max(Self.leastLimit, limit / 2) & ~1
      failedProbes += 1
    }
    lateCount += requests.count
    requests = []
    backlog = 0
    bytesSinceRequest = 0
  }
}
