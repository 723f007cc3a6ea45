import Testing

@testable import WSABI
@testable import WSABISimulator

/// A search for sensors, over scripted links.
@Suite struct SensorDiscoveryTests {
  private func run(
    _ links: ScriptedLinks, count: Int? = nil, seconds: Int = 3
  ) throws -> SensorDiscovery.Outcome {
    let type = try #require(DiscoveryType(DiscoveryType.usual))
    let request = SensorDiscovery.Request(type: type, deadlineInMilliseconds: 1000 * seconds, count: count)
    var run = try DiscoveryRun(request, links)
    return try run.outcome {}
  }

  /// Returns the sensors found if every question is answered with these records.
  private func found(
    _ answers: [[UInt8]], change: @escaping (inout WrittenMessage) -> Void = { _ in }
  ) throws -> [DiscoveredSensor] {
    let links = ScriptedLinks { asked, _ in
      var message = WrittenMessage(to: asked)
      message.answers = answers
      change(&message)
      return [message.bytes]
    }
    return try run(links).sensors
  }

  @Test func `a sensor is found with its address, name and modality`() throws {
    let texts = ["txtvers=1", "path=/Service", "name=Desk scanner", "modality=Finger", "tls=0"]
    let sensors = try found(WrittenMessage.sensor("scanner", texts))
    #expect(
      sensors == [
        DiscoveredSensor(
          name: "Desk scanner", address: "http://192.168.7.20:8000/Service", modality: "Finger", interface: "eth7")
      ])
    let plain = try found(WrittenMessage.sensor("scanner ☞ 1", []))
    #expect(plain.map(\.name) == ["scanner ☞ 1"] && plain.map(\.address) == ["http://192.168.7.20:8000"])
    #expect(plain.map(\.modality) == [nil])
    let secure = try found(WrittenMessage.sensor("scanner", ["TLS=1", "path=/a/b/"]))
    #expect(secure.map(\.address) == ["https://192.168.7.20:8000/a/b"])
  }

  @Test func `sockets are closed when a search ends, however it ends`() async throws {
    let type = try #require(DiscoveryType(DiscoveryType.usual))
    let discovery = SensorDiscovery(request: SensorDiscovery.Request(type: type, deadlineInMilliseconds: 3000))
    for problem in [nil, "no route"] {
      // Used only by the search's thread, until that has ended.
      nonisolated(unsafe) let links = ScriptedLinks { _, _ in [] }
      links.problem = problem
      _ = try? await discovery.outcome { () throws(DiscoveryError) in links }
      #expect(links.isClosed)
    }
  }

  @Test func `one question for the type is sent, and repeated at growing intervals`() throws {
    let links = ScriptedLinks { _, _ in [] }
    #expect(try run(links, seconds: 10).sensors.isEmpty)
    #expect(links.kinds == [.pointer, .pointer, .pointer, .pointer])
    #expect(links.asked.map(\.at) == [0, 1000, 3000, 7000])
    let question = try #require(links.asked.first?.message)
    #expect(Array(question[2...]) == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0] + WrittenMessage.type + [0, 12, 0, 1])
  }

  @Test func `records missing from a response are requested, at most twice`() throws {
    let whole = ScriptedLinks { asked, _ in
      let kind = DiscoveryRecord.Kind(rawValue: Int(asked[asked.count - 3]))
      var message = WrittenMessage(to: asked)
      let all = WrittenMessage.sensor("scanner")
      message.answers = all.filter { record in kind.map { Self.kind(of: record) == $0 } ?? false }
      return [message.bytes]
    }
    #expect(try run(whole, count: 1).sensors.map(\.address) == ["http://192.168.7.20:8000/Service"])
    #expect(Set(whole.kinds) == [.pointer, .text, .service, .address4])
    let half = ScriptedLinks { asked, _ in
      var message = WrittenMessage(to: asked)
      message.answers = [WrittenMessage.pointer("scanner")]
      return [message.bytes]
    }
    #expect(try run(half, seconds: 60).sensors.isEmpty)
    #expect(half.kinds.count { $0 == .service } == 2 && half.kinds.count { $0 == .text } == 2)
  }

  /// Returns the kind of a record as it was written.
  private static func kind(of record: [UInt8]) -> DiscoveryRecord.Kind? {
    var place = 0
    while record[place] != 0 { place += 1 + Int(record[place]) }
    return DiscoveryRecord.Kind(rawValue: Int(record[place + 2]))
  }

  @Test func `a search ends as soon as enough sensors are found`() throws {
    let links = ScriptedLinks { asked, _ in
      var message = WrittenMessage(to: asked)
      message.answers = ["a", "b", "c"].flatMap { WrittenMessage.sensor($0, ["path=/\($0)"]) }
      return [message.bytes]
    }
    #expect(try run(links, count: 2).sensors.map(\.address).map { $0.suffix(2) } == ["/a", "/b"])
    #expect(links.milliseconds == 0)
  }

  @Test func `a sensor found repeatedly, or on two links, is listed once`() throws {
    let twice = WrittenMessage.sensor("scanner") + WrittenMessage.sensor("SCANNER")
    #expect(try found(twice).count == 1)
    let links = ScriptedLinks { asked, link in
      var message = WrittenMessage(to: asked)
      message.answers = WrittenMessage.sensor("scanner", at: [192, 168, link == 0 ? 7 : 8, 20])
      return [message.bytes, message.bytes]
    }
    links.links.append(DiscoveryLink(name: "wlan0", address: [192, 168, 8, 2], prefix: 24))
    // In the script both links receive the messages of one machine; each trusts only addresses on it.
    links.links[1].prefix = 16
    #expect(try run(links).sensors.map(\.interface) == ["eth7"])
  }

  @Test func `IPv6 addresses are found on their link`() throws {
    let near: [UInt8] = [0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]
    let far: [UInt8] = [0x20, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]
    let links = ScriptedLinks { asked, _ in
      var message = WrittenMessage(to: asked)
      message.answers = [far, near].flatMap { WrittenMessage.sensor("scanner", at: $0) }
      return [message.bytes]
    }
    links.links = [DiscoveryLink(name: "eth7", address: Array(near.dropLast()) + [1], prefix: 64)]
    links.source = [0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    #expect(try run(links).sensors.map(\.address) == ["http://[fd00::9]:8000/Service"])
  }

  // MARK: Hostile responses

  @Test func `responses to other questions, with other numbers or flags are ignored`() throws {
    let sensor = WrittenMessage.sensor("scanner")
    #expect(try found(sensor) { $0.number ^= 1 }.isEmpty)
    #expect(try found(sensor) { $0.flags = 0 }.isEmpty)
    #expect(try found(sensor) { $0.flags = 0x8403 }.isEmpty)
    #expect(try found(sensor) { $0.question = WrittenMessage.name("_ipp._tcp.local") + [0, 12, 0, 1] }.isEmpty)
    #expect(try found(sensor) { $0.question = nil }.count == 1)
  }

  @Test func `messages from another port, or from off the link, are ignored`() throws {
    for (source, port, count) in [
      ([192, 168, 7, 20] as [UInt8], 5353, 1), ([192, 168, 7, 20], 5354, 0), ([10, 0, 0, 1], 5353, 0),
    ] {
      let links = ScriptedLinks { asked, _ in
        var message = WrittenMessage(to: asked)
        message.answers = WrittenMessage.sensor("scanner")
        return [message.bytes]
      }
      (links.source, links.sourcePort) = (source, port)
      #expect(try run(links).sensors.count == count)
    }
  }

  @Test(arguments: [
    [0, 0, 0, 0], [127, 0, 0, 1], [224, 0, 0, 251], [255, 255, 255, 255], [192, 168, 7, 255], [192, 168, 7, 0],
    [169, 254, 169, 254], [10, 1, 2, 3], [192, 168, 8, 20],
  ])
  func `an address that is not of one machine on the link is rejected`(_ address: [UInt8]) throws {
    #expect(try found(WrittenMessage.sensor("scanner", at: address)).isEmpty)
    // A sensor nearby is accepted beside it.
    let both = WrittenMessage.sensor("scanner", at: address) + [WrittenMessage.address([192, 168, 7, 21])]
    #expect(try found(both).map(\.address) == ["http://192.168.7.21:8000/Service"])
  }

  @Test func `names with circular pointers end the message, not the search`() throws {
    // The name of the record points at itself; past the end; forward.
    let pointers: [[UInt8]] = [[0xC0, 0xFF], [0xFF, 0xFF], [0xC0, 0x2A]]
    for pointer in pointers {
      let loop = WrittenMessage.record(pointer, .pointer, WrittenMessage.instance("x"))
      #expect(try found([loop] + WrittenMessage.sensor("scanner")).count <= 1)
    }
    let links = ScriptedLinks { asked, _ in
      var loop = WrittenMessage(to: asked)
      let start = UInt8(12 + (loop.question?.count ?? 0))
      loop.answers = [WrittenMessage.record([0xC0, start], .pointer, [0xC0, start])]
      var good = WrittenMessage(to: asked)
      good.answers = WrittenMessage.sensor("scanner")
      return [loop.bytes, good.bytes]
    }
    #expect(try run(links).sensors.count == 1)
  }

  @Test func `wrong lengths and counts harm only their message`() throws {
    let sensor = WrittenMessage.sensor("scanner")
    let long = WrittenMessage.record(WrittenMessage.type, .pointer, WrittenMessage.instance("x"), length: 60_000)
    let short = WrittenMessage.record(WrittenMessage.type, .pointer, WrittenMessage.instance("x"), length: 3)
    #expect(try found(sensor + [long]).isEmpty)
    #expect(try found(sensor + [short]).count <= 1)
    #expect(try found(sensor) { $0.claimedAnswers = 65_535 }.isEmpty)
    let text = WrittenMessage.record(WrittenMessage.instance("scanner"), .text, [200] + Array("path=/x".utf8))
    #expect(try found(Array(sensor.prefix(2)) + [text, sensor[3]]).count == 1)
    let address = WrittenMessage.record(WrittenMessage.name("desk.local"), .address4, [192, 168, 7])
    #expect(try found(Array(sensor.prefix(3)) + [address]).isEmpty)
  }

  @Test func `truncated and changed responses never crash the search`() throws {
    var chance = SeededChance(20_261_121)
    var rounds = 0
    let links = ScriptedLinks { asked, _ in
      rounds += 1
      guard rounds == 1 else { return [] }
      var message = WrittenMessage(to: asked)
      message.answers = WrittenMessage.sensor("scanner", ["path=/Service", "name=Desk"])
      let whole = message.bytes
      var all = (0..<whole.count).map { Array(whole.prefix($0)) }
      for _ in 0..<1500 {
        var changed = whole
        for _ in 0...chance.below(4) { changed[2 + chance.below(whole.count - 2)] = UInt8(chance.below(256)) }
        all.append(changed)
      }
      return all
    }
    let sensors = try run(links).sensors
    #expect(sensors.allSatisfy { (try? SensorAddress(parsing: $0.address))?.host.hasPrefix("192.168.7.") == true })
  }

  @Test func `a hundred thousand responses are limited, and the limit is reported`() throws {
    var rounds = 0
    let links = ScriptedLinks { asked, _ in
      rounds += 1
      guard rounds == 1 else { return [] }
      return (0..<1000).map { round in
        var message = WrittenMessage(to: asked)
        message.answers = (0..<100).map { WrittenMessage.pointer("sensor \(round) \($0)") }
        return message.bytes
      }
    }
    #expect(try run(links).isCut)
    #expect(links.asked.count <= SensorDiscovery.mostQuestions + 2)
  }

  @Test func `control characters are replaced, and a wrong path rejects its sensor`() throws {
    let texts = ["name=\u{1B}[2Jdesk\u{202E}", "modality=Fin\u{7}ger", "path=/a"]
    let sensor = try #require(try found(WrittenMessage.sensor("scanner", texts)).first)
    #expect(sensor.name == "\u{FFFD}[2Jdesk\u{FFFD}" && sensor.modality == "Fin\u{FFFD}ger")
    let label = try #require(try found(WrittenMessage.sensor("a\u{1B}]0;b", ["path=/a"])).first)
    #expect(label.name == "a\u{FFFD}]0;b")
    for path in ["Service", "/a b", "/../x", "//\u{1B}", "/a?b", "@evil.example/"] {
      #expect(try found(WrittenMessage.sensor("scanner", ["path=\(path)"])).isEmpty)
    }
    #expect(try found(WrittenMessage.sensor(String(repeating: "x", count: 63), [])).first?.name.count == 63)
  }

  @Test func `hosts and services of other links are ignored, and withdrawn ones are forgotten`() throws {
    let elsewhere = [
      WrittenMessage.pointer("scanner"), WrittenMessage.service("scanner", host: "evil.example"),
      WrittenMessage.address([192, 168, 7, 20], host: "evil.example"),
    ]
    #expect(try found(elsewhere).isEmpty)
    #expect(try found([WrittenMessage.service("scanner", port: 0)] + WrittenMessage.sensor("x").dropFirst(3)).isEmpty)
    let other = WrittenMessage.record(WrittenMessage.type, .pointer, WrittenMessage.name("a.b._ws-bd._tcp.local"))
    #expect(try found([other]).isEmpty)
    let gone = WrittenMessage.sensor("scanner") + [WrittenMessage.pointer("scanner", seconds: 0)]
    #expect(try found(gone).isEmpty)
  }

  @Test func `a link that cannot be searched is reported if there is no other`() throws {
    let links = ScriptedLinks { _, _ in [] }
    links.problem = "Network is unreachable"
    #expect(throws: DiscoveryError.notAsked(reason: "Network is unreachable")) { try run(links) }
  }
}
