import PluginServer

/// The live preview of a sensor: frames of its view, as parts of an endless body.
struct SimulatedPreview: Sendable {
  let sensor: SimulatedSensor
  /// The session that must hold the lock; nil for everybody.
  let session: String?
  let faults: [SimulatorFaultRule]

  static let boundary = "simulated-frame"

  /// The type with its boundary, in quotes as Java writes it.
  var type: String {
    let isJava = sensor.configuration.style == .jaxb
    let mark = isJava ? "\"\(Self.boundary)\"" : Self.boundary
    return "multipart/x-mixed-replace; boundary=\(mark)"
  }

  /// Sends frames until the client goes, or the lock does.
  func send(_ out: ResponseBody) async throws {
    if faults.contains(.previewSilent) { while true { try await Task.sleep(for: .seconds(3600)) } }
    if faults.contains(.previewEndless) {
      try await out.write(Array("\r\n--\(Self.boundary)\r\nX-Long: ".utf8))
      while true { try await out.write([UInt8](repeating: UInt8(ascii: "a"), count: 1 << 16)) }
    }
    let reel = try await sensor.preview()
    defer { reel.end() }
    let period = Duration.microseconds(1_000_000 / max(1, sensor.configuration.framesPerSecond))
    let last = faults[.previewEnds].map { $0.number(3) } ?? Int.max
    var next = ContinuousClock.now
    var number = 0
    while number < last, session == nil || sensor.snapshot.lockHolder == session {
      let (frame, type) = try await reel.frame(number)
      try await out.write(part(frame, type))
      number += 1
      if sensor.snapshot.isDead { throw CancellationError() }
      sensor.change { $0.frameCount += 1 }
      next += period
      try await Task.sleep(until: next, clock: .continuous)
    }
  }

  /// Returns one frame with its header: that of .NET, or the broken one of Java's example.
  private func part(_ frame: [UInt8], _ type: String) -> [UInt8] {
    if let rule = faults[.previewHuge] {
      let size = rule.number(200) << 20
      return header(length: size, type) + [UInt8](repeating: 0, count: min(size, 64 << 20))
    }
    var frame = frame
    if faults.contains(.previewBoundary) { frame += Array("\r\n--\(Self.boundary)\r\n".utf8) + frame.prefix(40) }
    return header(length: frame.count, type) + frame
  }

  private func header(length: Int, _ type: String) -> [UInt8] {
    if faults.contains(.previewHeader) { return Array("\r\n--\(Self.boundary)\r\nContent-Length: many\r\n\r\n".utf8) }
    if sensor.configuration.style == .jaxb {
      return Array("--\(Self.boundary)\nContent-Type: \(type)Content-Length: \(length)\n\n".utf8)
    }
    return Array("\r\n--\(Self.boundary)\r\nContent-type: \(type)\r\nContent-Length: \(length)\r\n\r\n".utf8)
  }
}
