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

  /// The number of unprocessed bytes allowed.
  private(set) var limit = firstLimit
  /// The number of bytes sent and not known to be processed.
  private(set) var backlog = 0
  private var requests: [Request] = []
  private var bytesSinceRequest = 0
  private var wasConfirmed = false
  /// The measured speed of a slow terminal; nil if it was never slow.
  private var bytesPerSecond: Double?
  /// The number of consecutive slow responses: a single one may be a pause of a fast terminal.
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

  /// The maximum number of bytes worth sending as one piece; no bound for a terminal that was never slow.
  var longestPiece: Int { bytesPerSecond.map { Int($0 * Self.longestPieceInSeconds) } ?? .max }

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
    } else if 2 * request.backlog >= limit {
      // Only a backlog near the limit shows that more would be processed in time.
      let growth = delay < Self.longestDelayInSeconds / 4 ? 4 : delay < Self.longestDelayInSeconds / 2 ? 2 : 1
      limit = min(Self.mostLimit, limit * growth)
    }
  }

  /// Updates the speed of a slow terminal; a quick response to little output is not informative.
  private mutating func noteSpeed(_ bytes: Int, _ seconds: Double) {
    let speed = Double(bytes) / max(seconds, 1e-6)
    let isSlow = seconds > Self.longestDelayInSeconds
    slowCount = isSlow ? slowCount + 1 : 0
    if isSlow {
      if slowCount > 1 { bytesPerSecond = speed }
    } else if let known = bytesPerSecond, bytes >= Self.leastLimit, speed > 2 * known {
      bytesPerSecond = speed
    }
  }

  /// Forgets the unprocessed bytes of a terminal that left requests unanswered or was set up again.
  mutating func forget() {
    requests = []
    backlog = 0
    bytesSinceRequest = 0
  }
}
