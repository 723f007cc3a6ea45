import BenchmarkSupport
@preconcurrency import Glibc

/// The minimal client: one connection per sensor that stays open, one thread that waits for all of them, requests that
/// are built once, and responses of which only the necessary parts are parsed.
///
/// It stores nothing.
///
/// Its throughput with simulated sensors serves as their upper bound.
struct BareClient {
  private enum Step: CaseIterable { case register, lock, initialize, configure, capture, unlock, download }

  private final class Sensor {
    let path: String
    var file: Int32 = -1
    var step = Step.register
    var session = ""
    var capture = ""
    var answer: [UInt8] = []
    /// The offset of the response's body; 0 until the head is complete.
    var body = 0
    /// The length of the response, including its head.
    var length = 0
    var captured = 0
    /// A Boolean value indicating whether no further requests are begun.
    var isLast = false
    var isResting = false

    init(_ path: String) { self.path = path }
  }

  private let sensors: [Sensor]
  private let port: UInt16
  private let host: String

  /// - Parameter addresses: Of sensors at one port of the loopback interface.
  init?(_ addresses: [String]) {
    let parts = addresses.map { $0.dropFirst("http://".count).split(separator: "/", maxSplits: 1) }
    guard let first = parts.first?.first, let port = first.split(separator: ":").last.flatMap({ UInt16($0) }) else {
      return nil
    }
    host = String(first)
    self.port = port
    sensors = parts.map { Sensor("/" + ($0.count > 1 ? $0[1] : "")) }
  }

  /// Captures from all sensors at once, again and again.
  ///
  /// - Returns: The number of complete captures per second; nil after a failure.
  func rate(seconds: Double) -> Double? {
    defer { for sensor in sensors where sensor.file >= 0 { close(sensor.file) } }
    // All sensors get ready before the time begins.
    for sensor in sensors {
      guard connect(sensor) else { return nil }
      send(sensor)
    }
    guard drive(while: { sensors.contains { $0.captured == 0 } }, deadline: Timing.milliseconds() + 60_000)
    else { return nil }
    for sensor in sensors { sensor.captured = 0 }
    let start = Timing.milliseconds()
    let end = start + seconds * 1000
    guard drive(while: { Timing.milliseconds() < end }, deadline: end + 1000) else { return nil }
    let rate = Double(sensors.reduce(0) { $0 + $1.captured }) / (Timing.milliseconds() - start) * 1000
    // All locks are released for the next client.
    for sensor in sensors { sensor.isLast = true }
    let isOver = drive(while: { sensors.contains { !$0.isResting } }, deadline: Timing.milliseconds() + 60_000)
    return isOver ? rate : nil
  }

  private func drive(while isGoingOn: () -> Bool, deadline: Double) -> Bool {
    var files = sensors.map { pollfd(fd: $0.file, events: Int16(POLLIN), revents: 0) }
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { room.deallocate() }
    while isGoingOn() {
      if Timing.milliseconds() > deadline { return false }
      guard poll(&files, nfds_t(files.count), 20) > 0 else { continue }
      for (number, file) in files.enumerated() where file.revents != 0 {
        guard take(sensors[number], room) else { return false }
      }
    }
    return true
  }

  private func connect(_ sensor: Sensor) -> Bool {
    sensor.file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var one: Int32 = 1
    setsockopt(sensor.file, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(sensor.file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  // MARK: Requests

  private static let configuration = """
    <configuration xmlns="http://docs.oasis-open.org/bioserv/ns/wsbd-1.0" xmlns:i="http://www.w3.org/2001/XMLSchema-instance" \
    xmlns:xs="http://www.w3.org/2001/XMLSchema"><item><key>submodality</key><value i:type="xs:string">RightThumbFlat</value>\
    </item></configuration>
    """

  private func send(_ sensor: Sensor) {
    let (verb, path, body) =
      switch sensor.step {
      case .register: ("POST", "/register", "")
      case .lock: ("POST", "/lock/\(sensor.session)", "")
      case .initialize: ("POST", "/initialize/\(sensor.session)", "")
      case .configure: ("POST", "/configure/\(sensor.session)", Self.configuration)
      case .capture: ("POST", "/capture/\(sensor.session)", "")
      case .unlock: ("DELETE", "/lock/\(sensor.session)", "")
      case .download: ("GET", "/download/\(sensor.capture)", "")
      }
    let request =
      "\(verb) \(sensor.path)\(path) HTTP/1.1\r\nHost: \(host)\r\nContent-Type: application/xml\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    let bytes = Array(request.utf8)
    _ = write(sensor.file, bytes, bytes.count)
    sensor.answer.removeAll(keepingCapacity: true)
    (sensor.body, sensor.length) = (0, 0)
  }

  // MARK: Answers

  /// Handles received bytes; returns false if it cannot continue.
  private func take(_ sensor: Sensor, _ room: UnsafeMutableRawBufferPointer) -> Bool {
    let count = read(sensor.file, room.baseAddress, room.count)
    guard count > 0 else { return false }
    sensor.answer.append(contentsOf: room[..<count])
    if sensor.body == 0 { guard readHead(sensor) else { return false } }
    guard sensor.body > 0, sensor.answer.count >= sensor.length else { return true }
    guard advance(sensor) else { return false }
    sensor.isResting = sensor.isLast && sensor.step == .lock
    if !sensor.isResting { send(sensor) }
    return true
  }

  private func readHead(_ sensor: Sensor) -> Bool {
    guard let end = Self.place(of: "\r\n\r\n", in: sensor.answer, from: 0) else { return true }
    sensor.body = end + 4
    guard let mark = Self.place(of: "ontent-Length: ", in: sensor.answer, from: 0), mark < end else { return false }
    let digits = sensor.answer[(mark + 15)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
    sensor.length = sensor.body + (Int(String(decoding: digits, as: UTF8.self)) ?? 0)
    return true
  }

  /// Proceeds to the next step after a complete response; returns false if the response reports a failure.
  private func advance(_ sensor: Sensor) -> Bool {
    guard Self.place(of: ">success<", in: sensor.answer, from: sensor.body) != nil else { return false }
    switch sensor.step {
    case .register:
      sensor.session = Self.text(behind: "sessionId>", sensor)
      sensor.step = .lock
    case .lock: sensor.step = sensor.capture.isEmpty ? .initialize : .configure
    case .initialize: sensor.step = .configure
    // Behind each lock, as others may have set the sensor in between.
    case .configure: sensor.step = .capture
    case .capture:
      sensor.capture = Self.text(behind: "element>", sensor)
      sensor.step = .unlock
    case .unlock: sensor.step = .download
    case .download:
      sensor.captured += 1
      sensor.step = .lock
    }
    return true
  }

  private static func text(behind mark: StaticString, _ sensor: Sensor) -> String {
    guard let place = place(of: mark, in: sensor.answer, from: sensor.body) else { return "" }
    let rest = sensor.answer[(place + mark.utf8CodeUnitCount)...].prefix { $0 != UInt8(ascii: "<") }
    return String(decoding: rest, as: UTF8.self)
  }

  private static func place(of mark: StaticString, in bytes: [UInt8], from: Int) -> Int? {
    let mark = UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount)
    var place = from
    while place + mark.count <= bytes.count {
      if bytes[place] == mark[0], bytes[place..<(place + mark.count)].elementsEqual(mark) { return place }
      place += 1
    }
    return nil
  }
}
