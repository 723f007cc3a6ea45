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
  /// Below this the movements of the cursor cost more than the cells.
  private static let leastLimit = 512
  private static let mostLimit = 1 << 20
  /// The longest time that an indivisible output may take, as input waits for it.
  private static let longestPieceInSeconds = 0.2
  /// The time that a fast terminal may pause between two responses, which must not count as speed.
  private static let uncertaintyInSeconds = 0.005
  /// The number of responses that may leave the limit as it was before probes end: one alone may follow a pause.
  private static let mostFailedProbes = 3

  /// The number of unprocessed bytes allowed.
  private(set) var limit = firstLimit
  /// The number of bytes sent and not known to be processed.
  private(set) var backlog = 0
  private var requests: [Request] = []
  private var bytesSinceRequest = 0
  private var wasConfirmed = false
  /// The measured speed of a slow terminal; nil if it was never slow, or became faster since.
  private var bytesPerSecond: Double?
  /// True once the limit has reached its maximum, and the terminal has not been slow since.
  private var isFast = false
  /// The number of responses after which the limit did not grow, since it last grew fourfold.
  private var failedProbes = 0
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
  /// Before the speed is known it is the limit: the limit grows only as far as the last response shows that so many
  /// bytes take 0.2 s at most.
  var longestPiece: Int {
    if let bytesPerSecond { return Int(bytesPerSecond * Self.longestPieceInSeconds) }
    return isFast ? .max : limit
  }

  /// The number of bytes without effect that show whether the terminal is faster than is known; 0 if that is known.
  ///
  /// The response to half of the limit raises the limit, or shows that it is right.
  var probe: Int {
    if bytesPerSecond != nil || isFast || failedProbes >= Self.mostFailedProbes { return 0 }
    return max(0, (limit + 1) / 2 - backlog)
  }

  /// True if a part worth its cursor movements can be sent.
  var isReady: Bool { 2 * room >= limit }

  /// The number of requests without a response.
  var openRequests: Int { requests.count }

  /// True if enough was sent since the last request for another one; any amount is enough before the speed is known.
  ///
  /// Half of the least limit: with more, a slow terminal would be neither ready nor queried.
  var wantsRequest: Bool { bytesSinceRequest >= (wasConfirmed ? Self.leastLimit / 2 : 1) }

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

  /// Records the response to the oldest request and adapts the limit.
  mutating func confirm(at time: Double) {
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
      limit = max(Self.leastLimit, limit / 2, Int(fitting))
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
    } else if !isSlow, let known = bytesPerSecond, bytes >= Self.leastLimit,
      Double(bytes) / (seconds + Self.uncertaintyInSeconds) > 2 * known
    {
      // The speed is unknown again: the limit shows how much faster the terminal is.
      bytesPerSecond = nil
      failedProbes = 0
    }
  }

  /// Forgets the unprocessed bytes of a terminal that left requests unanswered or was set up again.
  mutating func forget() {
    requests = []
    backlog = 0
    bytesSinceRequest = 0
  }
}
