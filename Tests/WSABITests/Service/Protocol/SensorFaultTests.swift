import PluginAPI
import PluginNet
import PluginText
import Testing

@testable import WSABI

@Suite struct SensorFaultTests {
  static let kinds: [SensorFault.Kind] = [
    .offline, .forbidden, .unreachable(reason: "r"), .notTrusted(reason: "r"), .otherKey, .timedOut(seconds: 2.5),
    .timedOut(seconds: nil), .tooSlow(bytesPerSecond: 3), .cut(reason: "r"), .status(404), .status(500),
    .redirected(target: "t"), .redirected(target: ""), .tooLarge(limitInBytes: 1), .notAService(found: "a web page"),
    .otherNamespace("urn:x"), .otherNamespace(""), .malformed(reason: "r"), .refused(.failure),
    .incomplete(missing: "metadata"), .brokenData(reason: "r"),
    .notKept(ErrorReport(code: "x.y", kind: .failure, "the disk is full")), .cancelled, .unaskable(reason: "r"),
    .failed(reason: "r"),
  ]

  @Test func `every fault has a declared code and a message in the house style`() {
    let codes = Set(SensorFault.errorCodes.map(\.code))
    for kind in Self.kinds {
      let report = SensorFault(kind, .unknown, .setConfiguration, address: "10.0.0.1").report
      #expect(codes.contains(report.code))
      #expect(report.message.hasPrefix("'set configuration' at '10.0.0.1' "))
      #expect(!report.message.hasSuffix("."))
      #expect(!report.code.isEmpty)
    }
    let used = Set(Self.kinds.map { SensorFault($0, .unknown, .capture, address: "h").report.code })
    #expect(used == codes)
  }

  @Test func `a fault names its sensor, and a time to a tenth of a second`() {
    let address = "http://127.0.0.1:8000/sensor/17"
    let report = SensorFault(.timedOut(seconds: 9.999934051999999), .unknown, .capture, address: address).report
    #expect(report.message == "'capture' at '\(address)' got no response in time (10 s)")
    #expect(report.details["address"] == .text(address) && report.details["host"] == "127.0.0.1")
    let short = SensorFault(.timedOut(seconds: 0.25), .unknown, .capture, address: address).report
    #expect(short.message.hasSuffix("(0.3 s)"))
  }

  @Test func `service texts in messages contain no terminal control characters`() {
    for kind: SensorFault.Kind in [
      .malformed(reason: "a\u{1B}[2Jb"), .notAService(found: "\u{202E}x"), .otherNamespace("u\u{9B}x"),
      .redirected(target: "t\u{7}"), .failed(reason: "\u{2066}"), .refused(.unknown("\u{1B}c")),
    ] {
      let message = SensorFault(kind, .answered, .capture, address: "h\u{1B}").report.message
      #expect(message.unicodeScalars.allSatisfy(SanitizedText.isSafe))
    }
  }

  @Test func `only a request that reached the service may have had an effect`() {
    func may(_ kind: SensorFault.Kind, _ reach: SensorFault.Reach) -> Bool {
      SensorFault(kind, reach, .capture, address: "h").mayHaveHappened
    }
    #expect(!may(.unreachable(reason: ""), .notSent))
    #expect(may(.cut(reason: ""), .unknown))
    #expect(may(.malformed(reason: ""), .answered))
    #expect(!may(.status(404), .answered))
    #expect(may(.status(500), .answered))
  }

  @Test func `a network error is reported with how far the request came`() {
    let cases: [(HTTPError, String, SensorFault.Reach)] = [
      (.offline(address: "a"), "offline", .notSent), (.badAddress("a"), "unaskable", .notSent),
      (.unknownHost("h"), "unreachable", .notSent), (.notConnected(host: "h", reason: "r"), "unreachable", .notSent),
      (.notTrusted(host: "h", reason: "r"), "notTrusted", .notSent), (.otherKey(host: "h"), "otherKey", .notSent),
      (.libraryMissing(reason: "r"), "failed", .notSent), (.timedOut(host: "h", seconds: 1), "timedOut", .unknown),
      (.cutShort(host: "h", reason: "r"), "cut", .unknown), (.failed(host: "h", reason: "r"), "failed", .unknown),
      (.protocolRefused(address: "a"), "redirected", .answered),
      (.redirectedElsewhere(host: "h", target: "t"), "redirected", .answered),
      (.tooManyRedirects(address: "a", limit: 5), "redirected", .answered),
      (.tooLarge(address: "a", limitInBytes: 1), "tooLarge", .answered),
      (.damaged(host: "h", reason: "r"), "malformed", .answered),
      (.status(503, address: "a", retryAfterInSeconds: nil), "status", .answered),
    ]
    for (error, word, reach) in cases {
      let fault = SensorFault(error, .capture, address: "h")
      #expect(fault.word == word)
      #expect(fault.reach == reach)
    }
    let missing = HTTPError.libraryMissing(reason: "r")
    #expect(SensorFault(missing, .capture, address: "h").report.advice == missing.report.advice)
    #expect(SensorFault(CancellationError(), .capture, address: "h").kind == .cancelled)
  }

  @Test func `a rate is measured over a whole window, and not during a pause`() {
    var watch = RateWatch(minimumInBytesPerSecond: 100, windowInSeconds: 10)
    #expect(watch.take(5, at: 0) == nil)
    #expect(watch.take(5, at: 9.9) == nil)
    #expect(watch.take(5, at: 10) == 1)
    #expect(watch.take(2000, at: 15) == nil)
    #expect(watch.take(1, at: 20) == nil)
    watch.restart()
    #expect(watch.take(1, at: 100) == nil)
    #expect(watch.take(1, at: 109) == nil)
    #expect(watch.take(1, at: 110.5) == 0)
  }
}
